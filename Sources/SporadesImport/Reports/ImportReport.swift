// SPDX-License-Identifier: MIT

/// The result of an import.
public struct ImportReport: Sendable {
  /// The numbers of bytes and rows.
  public internal(set) var counts: ImportProgress
  /// The refused rows in the order of the input: the first 1,000, or as many as ``ImportRequest/describedFailures`` of the
  /// request says. ``failed`` is the number of all.
  public internal(set) var failures: [ImportFailure] = []
  /// The import was a dry run, so nothing was written.
  public let isDryRun: Bool
  /// Objects that the input does not have were kept although the request asked to delete them, because rows were
  /// refused and one of them may have been theirs.
  public internal(set) var keptMissing = false
  /// No key leads from a record to an object, so each record made one, and the next import of the same records makes them again.
  public internal(set) var isWithoutKey = false
  /// The keys of records that fit no property, the most frequent first; at most 100.
  public internal(set) var unknownKeys: [UnknownKey] = []
  /// The keys that the mapping names and that no record has.
  public internal(set) var unfoundKeys: [String] = []

  init(_ counts: ImportProgress, isDryRun: Bool) {
    self.counts = counts
    self.isDryRun = isDryRun
  }

  /// The number of rows that made an object.
  public var made: Int { counts.made }
  /// The number of rows that changed an object.
  public var updated: Int { counts.updated }
  /// The number of rows whose object had all their values already.
  public var unchanged: Int { counts.unchanged }
  /// The number of rows that a hook, a filter or a rule for repeated keys left out.
  public var skipped: Int { counts.skipped }
  /// The number of rows that were refused.
  public var failed: Int { counts.failed }
  /// The number of objects that were deleted because the input does not have them.
  public var deleted: Int { counts.deleted }
}

extension ImportReport: CustomStringConvertible {
  public var description: String {
    var text =
      "\(counts.rows) rows: \(made) made, \(updated) updated, \(unchanged) unchanged, \(skipped) skipped, "
      + "\(failed) failed" + (deleted > 0 ? ", \(deleted) deleted" : "")
    if failures.count < failed { text += " (the first \(failures.count) are described)" }
    if !unknownKeys.isEmpty {
      let more = unknownKeys.count > 3 ? " and \(unknownKeys.count - 3) more" : ""
      text +=
        "; unknown keys: " + unknownKeys.prefix(3).map(\.description).joined(separator: ", ") + more
    }
    if !unfoundKeys.isEmpty {
      text += "; no record has " + unfoundKeys.prefix(3).joined(separator: ", ")
    }
    if isWithoutKey, made > 0 {
      text +=
        "; there is no key, so that the same records make new objects each time: see uniquedBy"
    }
    return isDryRun ? "\(text) (a dry run: nothing was written)" : text
  }
}

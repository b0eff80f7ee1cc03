// SPDX-License-Identifier: MIT

/// A mistake inside a record.
struct RowRefusal: Error {
  /// The names that lead to the mistake.
  private(set) var path: String
  private(set) var reason: String
  /// The node with the mistake; nil for the whole record.
  private(set) var node: Int?

  init(_ path: String, _ reason: String, node: Int? = nil) {
    self.path = path
    self.reason = reason
    self.node = node
  }

  /// The same mistake at another node.
  func at(_ node: Int) -> RowRefusal {
    var copy = self
    copy.node = node
    return copy
  }

  /// The same mistake, seen from one level further out.
  func inside(_ outer: String) -> RowRefusal {
    var copy = self
    copy.path = path.isEmpty ? outer : "\(outer).\(path)"
    return copy
  }
}

extension [RowRefusal] {
  /// One refusal with the reasons of all; nil if there is none.
  var joined: RowRefusal? {
    first?.with(dropFirst().map { " \($0.path): \($0.reason)" }.joined())
  }
}

extension RowRefusal {
  fileprivate func with(_ others: String) -> RowRefusal {
    var copy = self
    copy.reason += others
    return copy
  }
}

/// The outcome for the rows of a batch.
struct RowsOutcome: Sendable {
  var made = 0
  var updated = 0
  var unchanged = 0
  var skipped = 0
  /// The rows that were refused, by index in the batch.
  var failures: [Int: ImportFailure] = [:]
  /// A refused row had changed objects, so the batch must be repeated without it.
  var needsRepeat = false
  /// The keys that occurred for the first time.
  var keys: Set<ObjectKey> = []
  /// The objects of rows that the store had already.
  var found: [UInt64] = []
  /// The keys that the records have and have not, by index of the plan.
  var census: [KeyCensus] = []
}

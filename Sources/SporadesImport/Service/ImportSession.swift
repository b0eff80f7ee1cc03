// SPDX-License-Identifier: MIT
import SporadesDAL
import SporadesGraph
import SporadesModel
import SporadesStore

/// The state of an import between its batches.
struct ImportSession: Sendable {
  let table: PlanTable
  let settings: ImportSettings
  var report: ImportReport
  /// The keys of earlier rows, if repeated keys are not welcome.
  private(set) var seen: Set<ObjectKey> = []
  /// The objects that are deleted in the end if no row is about them, by the identity of their keys.
  var candidates: [UInt64: ManagedObjectID] = [:]
  /// The keys of the records so far, by index of the plan.
  private var census: [KeyCensus]

  init(_ table: PlanTable, _ settings: ImportSettings, totalBytes: Int?) {
    self.table = table
    self.settings = settings
    census = table.plans.map { KeyCensus($0) }
    var counts = ImportProgress()
    counts.totalBytes = totalBytes
    report = ImportReport(counts, isDryRun: settings.isDryRun)
    report.isWithoutKey = table.plans[0].lookup == nil
  }

  /// Adds the outcome of some rows.
  mutating func add(_ outcome: RowsOutcome) {
    report.counts.made += outcome.made
    report.counts.updated += outcome.updated
    report.counts.unchanged += outcome.unchanged
    report.counts.skipped += outcome.skipped
    seen.formUnion(outcome.keys)
    for key in outcome.found { candidates[key] = nil }
    for (index, keys) in outcome.census.enumerated() { census[index].add(keys) }
    add(outcome.failures.sorted { $0.key < $1.key }.map(\.value))
  }

  /// Adds refused rows.
  mutating func add(_ failures: [ImportFailure]) {
    report.counts.failed += failures.count
    let room = settings.describedFailures - report.failures.count
    report.failures += failures.prefix(max(0, room))
  }

  /// The report, with the keys that the records have and have not.
  var finishedReport: ImportReport {
    var report = report
    report.unknownKeys = zip(table.plans, census).flatMap { plan, census in
      census.unknown.dropFirst().compactMap { key, count in
        guard count > 0 else { return nil }
        let text = String(decoding: key, as: UTF8.self)
        return UnknownKey(text, records: count, of: plan.shape)
      }
    }.sorted { ($1.records, $0.key) < ($0.records, $1.key) }
    report.unknownKeys = Array(report.unknownKeys.prefix(100))
    report.unfoundKeys = zip(table.plans, census).flatMap { plan, census in
      plan.fields.indices.flatMap { index -> [String] in
        census.records > 0 && !census.found[index] ? plan.fields[index].given : []
      }
    }
    return report
  }

  /// Counts a batch as read.
  mutating func finish(_ batch: RecordBatch) {
    add(batch.failures)
    report.failures.sort { $0.row < $1.row }
    report.counts.rows += batch.rowCount
    report.counts.bytes = max(report.counts.bytes, batch.consumed)
  }

  /// The objects that the input does not have, and that the request asks to delete.
  mutating func missing() -> [ManagedObjectID] {
    guard report.failed == 0 else {
      report.keptMissing = !candidates.isEmpty
      return []
    }
    return candidates.values.sorted()
  }
}

extension UnknownKey {
  fileprivate init(_ key: String, records: Int, of shape: EntityShape) {
    let computed = shape.computedAttributes.first { [$0.name, $0.name.snakeCased].contains(key) }
    self.init(
      entity: shape.name, key: key, records: records,
      nearest: computed == nil ? shape.near(key).nearest : nil, reason: computed?.whyUnsettable)
  }
}

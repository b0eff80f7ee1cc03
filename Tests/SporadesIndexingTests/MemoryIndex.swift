// SPDX-License-Identifier: MIT
import SporadesIndexing

/// An index in memory that fails when it is told to.
actor MemoryIndex: OutsideIndex {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  enum Moment { case before, after }

  private(set) var items: [String: IndexItem] = [:]
  var kept: IndexPlace?
  private(set) var batches: [IndexBatch] = []
  /// The number of removals of everything.
  private(set) var emptied = 0
  /// The index keeps its place.
  private var keepsPlace = true
  /// The failures of the next calls; nil for a call that goes well.
  private var failures: [Moment?] = []
  private var holds = false
  private var held: CheckedContinuation<Void, Never>?

  var isHolding: Bool { held != nil }
  /// The numbers of items and of the edition of a complete index; nil for another one.
  var complete: [Int64]? {
    guard let kept, !kept.isReindexing else { return nil }
    return [Int64(items.count), kept.edition]
  }
  var titles: [String] { items.values.map { $0.attributes.title ?? "" }.sorted() }
  var attributes: [String: IndexAttributes] { items.mapValues(\.attributes) }

  func place() async throws -> IndexPlace? { kept }

  func apply(_ batch: IndexBatch) async throws {
    let failure = failures.isEmpty ? nil : failures.removeFirst()
    if failure == .before { throw Failure(description: "before") }
    if holds { await withCheckedContinuation { held = $0 } }
    batches.append(batch)
    for identifier in batch.removals { items[identifier] = nil }
    for item in batch.items { items[item.identifier] = item }
    if let edition = batch.removesEditionsBefore {
      items = items.filter { $0.value.edition >= edition }
    }
    if keepsPlace { kept = batch.place }
    if failure == .after { throw Failure(description: "after") }
  }

  func removeAll() async throws {
    (items, kept) = ([:], nil)
    emptied += 1
  }

  // MARK: - For tests

  func fail(_ moment: Moment) { failures.append(moment) }
  func fail(_ moments: [Moment?]) { failures += moments }
  func stopFailing() { failures = [] }
  func losePlace() { kept = nil }
  func goBack(to place: IndexPlace?) { kept = place }
  func keepNoPlace() { keepsPlace = false }
  func forgetBatches() { batches = [] }
  func holdNext() { holds = true }
  func letGo() {
    holds = false
    held?.resume()
    held = nil
  }
}

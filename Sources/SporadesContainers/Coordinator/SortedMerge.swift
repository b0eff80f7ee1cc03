// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSelection
import SporadesStore

/// Merges the sorted answers of several stores to one fetch.
///
/// Each store returns its first `offset + limit` rows. The merge then applies the offset and the limit to all
/// rows together.
struct SortedMerge {
  /// The fetch for each store.
  let part: StoreFetch
  private let fetch: StoreFetch
  private let order: SubjectOrder
  private let model: ManagedObjectModel
  private var answers: [[Row]] = []

  private struct Row {
    let place: RowPlace
    let keys: [Value]
  }

  init(_ fetch: StoreFetch, _ model: ManagedObjectModel) throws(StoreError) {
    self.fetch = fetch
    self.model = model
    var part = fetch
    part.limit = fetch.shown.end
    part.offset = 0
    self.part = part
    do {
      order = try SubjectOrder(fetch.sortTerms, in: fetch.entity, model)
    } catch {
      throw StoreError(refusing: error)
    }
  }

  /// Adds the rows of the next store, which also has the rows that sort terms lead to.
  mutating func add(_ pages: [RowPage], from source: any RelatedRowSource) throws(StoreError) {
    guard pages.contains(where: { $0.count > 0 }) else { return }
    // The stores' rows are compared by their values, and the ids of no store are.
    let scope = StoreScope(identifier: "", entityNames: [])
    let related = RelatedRows(model, scope, from: source)
    for term in fetch.sortTerms {
      if let keyPath = term.keyPath { try related.follow(keyPath, from: fetch.entity, pages) }
    }
    var rows: [Row] = []
    for subject in related.subjects(of: pages) {
      rows.append(Row(place: subject.place, keys: try order.keys(of: subject)))
    }
    answers.append(rows)
  }

  /// Packs the merged rows into pages.
  func pages() -> [RowPage] {
    let rows = merge()
    guard !rows.isEmpty else { return [] }
    var copies = RowCopies(fetch.entity.layout, count: rows.count)
    for row in rows { copies.append(row.place.index, of: row.place.page) }
    return copies.finish()
  }

  /// Merges the rows. Rows that are equal by the sort terms take the order of the stores, which is the order of
  /// their keys.
  private func merge() -> [Row] {
    var positions = answers.map(\.startIndex)
    let shown = fetch.shown
    var rows: [Row] = []
    while !shown.isFull(with: rows.count) {
      var first: Int?
      for index in answers.indices where positions[index] < answers[index].endIndex {
        guard let known = first else {
          first = index
          continue
        }
        let (smallest, other) = (
          answers[known][positions[known]], answers[index][positions[index]]
        )
        if order.compare(other.keys, smallest.keys) < 0 { first = index }
      }
      guard let first else { break }
      rows.append(answers[first][positions[first]])
      positions[first] += 1
    }
    return Array(shown.elements(of: rows))
  }
}

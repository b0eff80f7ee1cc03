// SPDX-License-Identifier: MIT
import SporadesModel
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
    let page: RowPage
    let index: Int
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

  /// Adds the rows of the next store. `read` reads the rows that sort terms lead to.
  mutating func add(
    _ pages: [RowPage], reading read: ([RowKey]) throws(StoreError) -> [RowPage]
  ) throws(StoreError) {
    guard pages.contains(where: { $0.count > 0 }) else { return }
    let related = RelatedRows(model)
    for term in fetch.sortTerms {
      if let keyPath = term.keyPath {
        try related.follow(keyPath.dropLast(), from: fetch.entity, pages, read)
      }
    }
    var rows: [Row] = []
    for page in pages {
      for index in 0..<page.count {
        let subject = PageSubject(page: page, index: index, related: related)
        rows.append(Row(page: page, index: index, keys: try order.keys(of: subject)))
      }
    }
    answers.append(rows)
  }

  /// Packs the merged rows into pages.
  func pages() -> [RowPage] {
    let rows = merge()
    guard !rows.isEmpty else { return [] }
    var copies = RowCopies(fetch.entity.layout, count: rows.count)
    for row in rows { copies.append(row.index, of: row.page) }
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

/// The rows that sort terms lead to. Each step of a key path reads the rows for all objects together.
private final class RelatedRows {
  struct Row {
    let page: RowPage
    let index: Int
  }

  let model: ManagedObjectModel
  /// The rows by the number of the tree's root, then by the identity of the key.
  private var rows: [Int: [UInt64: Row]] = [:]

  init(_ model: ManagedObjectModel) { self.model = model }

  subscript(key: RowKey) -> Row? {
    rows[model.shape(numbered: key.entity).rootNumber]?[key.identity]
  }

  /// Reads the rows at the end of to-one steps. Earlier checks have refused all other names.
  func follow(
    _ names: ArraySlice<String>, from start: EntityShape, _ pages: [RowPage],
    _ read: ([RowKey]) throws(StoreError) -> [RowPage]
  ) throws(StoreError) {
    var (entity, current) = (
      start, pages.flatMap { page in (0..<page.count).map { Row(page: page, index: $0) } }
    )
    for name in names {
      guard case .relationship(let step)? = entity[name],
        case .reference(let slot, _) = step.storage
      else { return }
      let keys = Set(current.compactMap { $0.page.reference($0.index, slot: slot) })
      entity = model.shape(numbered: step.destination)
      let missing = keys.filter { self[$0] == nil }
      for page in missing.isEmpty ? [] : try read(missing.sorted()) {
        for index in 0..<page.count {
          rows[entity.rootNumber, default: [:]][page.key(index).identity] =
            Row(page: page, index: index)
        }
      }
      current = keys.compactMap { self[$0] }
    }
  }
}

/// A row of a page, for orders.
private struct PageSubject: PredicateSubject {
  typealias Failure = StoreError
  let page: RowPage
  let index: Int
  let related: RelatedRows

  var subjectID: ManagedObjectID {
    ManagedObjectID(key: page.key(index), scope: StoreScope(identifier: "", entityNames: []))
  }

  func value(of attribute: AttributeShape) throws(StoreError) -> Value {
    guard let slot = attribute.slot, page.layout.isLarge(slot) else {
      return page.value(index, of: attribute)
    }
    return try page.bytes(index, slot: slot).map(attribute.type.value) ?? .null
  }

  func related(by relationship: RelationshipShape) -> [PageSubject] {
    guard case .reference(let slot, _) = relationship.storage,
      let row = page.reference(index, slot: slot).flatMap({ related[$0] })
    else { return [] }
    return [PageSubject(page: row.page, index: row.index, related: related)]
  }
}

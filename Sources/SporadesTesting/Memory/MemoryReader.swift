// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSelection
import SporadesStore

/// Answers one request from a state. For its lifetime it keeps the rows that refer to each row.
final class MemoryReader {
  let state: MemoryState
  let model: ManagedObjectModel
  let scope: StoreScope
  private var referrers: [SlotKey: [Int64: [MemoryState.Row]]] = [:]
  private var firsts: [Int: [Int64: [Int64]]] = [:]

  private struct SlotKey: Hashable {
    let root: Int
    let slot: Int
  }

  init(_ state: MemoryState, _ model: ManagedObjectModel, _ scope: StoreScope) {
    self.state = state
    self.model = model
    self.scope = scope
  }

  // MARK: - Fetches

  func rows(_ fetch: StoreFetch) throws(StoreError) -> [MemoryState.Row] {
    let family = fetch.family
    let subjects = state.rows[fetch.entity.rootNumber, default: [:]].values.lazy
      .filter { family.contains($0.key.entity) }
      .map { StoredSubject(row: $0, reader: self) }
    return try SubjectSelection(fetch, model).chosen(among: subjects).map(\.row)
  }

  private static func refusing<Output>(
    _ body: () throws(FetchPredicateError) -> Output
  ) throws(StoreError) -> Output {
    do throws(FetchPredicateError) { return try body() } catch { throw StoreError(refusing: error) }
  }

  func answer(_ question: TableQuestion) throws(StoreError) -> TableAnswer {
    var question = question
    let prepared = try Self.refusing { () throws(FetchPredicateError) in
      try question.fetch.check(model)
      return try PreparedQuestion(question, model)
    }
    let found = try rows(question.fetch)
    return try prepared.answer(over: found.lazy.map { StoredSubject(row: $0, reader: self) })
  }

  // MARK: - Relationships

  func related(_ row: MemoryState.Row, by relationship: RelationshipShape) -> [MemoryState.Row] {
    let root = model.shape(numbered: relationship.destination).rootNumber
    switch relationship.storage {
    case .reference(let slot, _):
      let key = row.page.reference(row.index, slot: slot)
      return key.flatMap { state.rows[root]?[$0.primaryKey] }.map { [$0] } ?? []
    case .inverseReference(let slot, let position):
      return referrers(of: row.key.primaryKey, root: root, slot: slot, position: position)
    case .join(let join, let isFirst):
      return linked(row.key.primaryKey, join, isFirst: isFirst)
        .sorted { ($0.position ?? .min, $0.other) < ($1.position ?? .min, $1.other) }
        .compactMap { state.rows[root]?[$0.other] }
    // No store keeps the links of a transient relationship.
    case .memory: return []
    }
  }

  /// Finds the rows of a tree that hold the key in a slot, ordered by the slot `position`, then by key.
  func referrers(
    of owner: Int64, root: Int, slot: Int, position: Int?
  ) -> [MemoryState.Row] {
    let key = SlotKey(root: root, slot: slot)
    if referrers[key] == nil {
      var found: [Int64: [MemoryState.Row]] = [:]
      for row in state.rows[root, default: [:]].values {
        guard let owner = row.page.reference(row.index, slot: slot) else { continue }
        found[owner.primaryKey, default: []].append(row)
      }
      referrers[key] = found
    }
    func readPosition(_ row: MemoryState.Row) -> Int64 {
      guard let position, !row.page.isNull(row.index, slot: position) else { return .min }
      return Int64(bitPattern: row.page.word(row.index, slot: position))
    }
    return referrers[key, default: [:]][owner, default: []].sorted {
      (readPosition($0), $0.key) < (readPosition($1), $1.key)
    }
  }

  /// Finds the keys that a to-many relationship of an object leads to, with their positions.
  func linked(
    _ owner: Int64, by relationship: RelationshipShape
  ) -> [(other: RowKey, position: Int64?)] {
    let destination = model.shape(numbered: relationship.destination)
    let root = destination.rootNumber
    switch relationship.storage {
    case .reference, .memory: return []
    case .inverseReference(let slot, let position):
      return referrers(of: owner, root: root, slot: slot, position: nil)
        .filter { destination.family.contains($0.key.entity) }
        .map { row in
          let word = position.flatMap {
            row.page.isNull(row.index, slot: $0) ? nil : row.page.word(row.index, slot: $0)
          }
          return (row.key, word.map { Int64(bitPattern: $0) })
        }
    case .join(let join, let isFirst):
      return linked(owner, join, isFirst: isFirst).compactMap { link in
        state.rows[root]?[link.other].map { ($0.key, link.position) }
      }
    }
  }

  /// Finds the primary keys that an object is linked to in a join, with their positions.
  func linked(
    _ owner: Int64, _ join: Int, isFirst: Bool
  ) -> [(other: Int64, position: Int64?)] {
    let links = state.links[join, default: [:]]
    guard !isFirst else {
      return links[owner, default: [:]].map { ($0.key, $0.value.ofSecond) }
    }
    if firsts[join] == nil {
      var found: [Int64: [Int64]] = [:]
      for (first, seconds) in links {
        for second in seconds.keys { found[second, default: []].append(first) }
      }
      firsts[join] = found
    }
    return firsts[join, default: [:]][owner, default: []]
      .map { ($0, links[$0]?[owner]?.ofFirst) }
  }
}

/// A row of the store, for predicates and orders.
struct StoredSubject: PredicateSubject {
  typealias Failure = FetchPredicateError
  let row: MemoryState.Row
  let reader: MemoryReader

  var subjectID: ManagedObjectID { ManagedObjectID(key: row.key, scope: reader.scope) }

  func value(of attribute: AttributeShape) -> Value { row.page.value(row.index, of: attribute) }

  func related(by relationship: RelationshipShape) -> [StoredSubject] {
    reader.related(row, by: relationship).map { StoredSubject(row: $0, reader: reader) }
  }

  /// The column of a link without an inverse keeps the key of an object that was deleted, as in a file: the link is there, and
  /// nothing lies behind it.
  func relatedIDs(by relationship: RelationshipShape) -> [ManagedObjectID] {
    guard case .reference(let slot, _) = relationship.storage else {
      return related(by: relationship).map(\.subjectID)
    }
    return row.page.reference(row.index, slot: slot)
      .map { [ManagedObjectID(key: $0, scope: reader.scope)] } ?? []
  }
}

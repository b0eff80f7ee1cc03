// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// The parent of a context: the root of its stack, one state of the store, or another context.
///
/// All sources answer the same questions with the same values, so contexts nest without a second code path.
package protocol RowSource: AnyObject, Sendable {
  /// Returns the rows that satisfy a fetch, in its order.
  func rows(_ fetch: StoreFetch) throws(StoreError) -> [RowPage]
  /// Returns the keys of the rows that satisfy a fetch, in its order.
  func keys(_ fetch: StoreFetch) throws(StoreError) -> [RowKey]
  /// Answers a question about tables, such as a count.
  func answer(_ question: TableQuestion) throws(StoreError) -> TableAnswer
  /// Returns the rows with the keys, in any order, without the keys that have no row.
  func rows(for keys: [RowKey]) throws(StoreError) -> [RowPage]
  /// Returns the rows whose reference in the slot is one of the owners.
  func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?
  ) throws(StoreError) -> [RowPage]
  /// Returns the links of a to-many relationship of the owners.
  func links(
    of relationship: RelationshipShape, owners: [RowKey]
  ) throws(StoreError) -> [StoredLink]
  /// Returns the position of the last object in an ordered relationship of the owner; nil if there is none.
  func lastPosition(
    in relationship: RelationshipShape, of owner: RowKey
  ) throws(StoreError) -> Int64?
  /// Reserves keys in the store with the number, which is 0 without a coordinator.
  func reserveKeys(
    _ count: Int, for entity: EntityShape, inStore number: Int
  ) throws(StoreError) -> Range<Int64>
  /// The source has read every row that it has shown after the save with this number.
  var basis: Int { get }
  /// The source compares the rows that a save is based on with its own, so a request must carry them.
  var comparesBases: Bool { get }
  /// Accepts the whole save, or throws and accepts nothing.
  func accept(_ save: SaveRequest) throws(StoreError) -> SaveReceipt
}

/// A source that shows one view of a store.
package protocol StoreSource: RowSource {
  /// The store that answers the questions.
  var store: any PersistentStore { get }
  /// The view of the store that the answers show.
  var view: StoreView { get throws(StoreError) }
}

extension StoreSource {
  /// The store compares versions, so a save need not carry its rows.
  package var comparesBases: Bool { false }

  package func rows(_ fetch: StoreFetch) throws(StoreError) -> [RowPage] {
    try store.rows(fetch, in: view)
  }
  package func keys(_ fetch: StoreFetch) throws(StoreError) -> [RowKey] {
    try store.keys(fetch, in: view)
  }

  package func answer(_ question: TableQuestion) throws(StoreError) -> TableAnswer {
    try store.answer(question, in: view)
  }

  package func rows(for keys: [RowKey]) throws(StoreError) -> [RowPage] {
    try store.rows(for: keys, in: view)
  }

  package func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?
  ) throws(StoreError) -> [RowPage] {
    try store.rows(of: entity, referencing: owners, in: slot, position: position, in: view)
  }

  package func links(
    of relationship: RelationshipShape, owners: [RowKey]
  ) throws(StoreError) -> [StoredLink] {
    try store.links(of: relationship, owners: owners, in: view)
  }

  package func lastPosition(
    in relationship: RelationshipShape, of owner: RowKey
  ) throws(StoreError) -> Int64? {
    try store.lastPosition(in: relationship, of: owner, in: view)
  }
}

// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// The parent of a context: the root of its stack, one state of the store, or another context.
///
/// All of them answer the same questions with the same values, so contexts nest without a second code path.
package protocol RowSource: AnyObject, Sendable {
  func rows(_ fetch: StoreFetch) throws(StoreError) -> [RowPage]
  func keys(_ fetch: StoreFetch) throws(StoreError) -> [RowKey]
  func answer(_ question: TableQuestion) throws(StoreError) -> TableAnswer
  func rows(for keys: [RowKey]) throws(StoreError) -> [RowPage]
  func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?
  ) throws(StoreError) -> [RowPage]
  func links(
    of relationship: RelationshipShape, owners: [RowKey]
  ) throws(StoreError) -> [StoredLink]
  func lastPosition(
    in relationship: RelationshipShape, of owner: RowKey
  ) throws(StoreError) -> Int64?
  /// Sets keys aside in the store with the number, which is 0 where there is no coordinator.
  func reserveKeys(
    _ count: Int, for entity: EntityShape, inStore number: Int
  ) throws(StoreError) -> Range<Int64>
  /// Every row that this source has shown was read after the save with this number.
  var basis: Int { get }
  /// The source compares the rows that a save is based on with those it shows, so a request must carry
  /// them.
  var comparesBases: Bool { get }
  /// Takes all of a save, or throws and takes nothing.
  func accept(_ save: SaveRequest) throws(StoreError) -> SaveReceipt
}

/// A source that shows one view of a store.
package protocol StoreSource: RowSource {
  var store: any PersistentStore { get }
  var view: StoreView { get throws(StoreError) }
}

extension StoreSource {
  /// Versions tell whether others changed a row of a store.
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

// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// What a context reads from and saves to: the root of its stack, or another context.
///
/// Both answer the same questions with the same values, so contexts nest without a second code path.
protocol RowSource: AnyObject, Sendable {
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
  /// The number of the last save before which nothing of what was read here lies.
  var basis: Int { get }
  /// Takes all of a save, or throws and takes nothing.
  func accept(_ changes: ChangeSet, from context: ManagedObjectContext) throws(StoreError)
}

/// A source over a store, which shows one view of it.
protocol StoreSource: RowSource {
  var store: any PersistentStore { get }
  var view: StoreView { get throws(StoreError) }
}

extension StoreSource {
  func rows(_ fetch: StoreFetch) throws(StoreError) -> [RowPage] { try store.rows(fetch, in: view) }
  func keys(_ fetch: StoreFetch) throws(StoreError) -> [RowKey] { try store.keys(fetch, in: view) }

  func answer(_ question: TableQuestion) throws(StoreError) -> TableAnswer {
    try store.answer(question, in: view)
  }

  func rows(for keys: [RowKey]) throws(StoreError) -> [RowPage] {
    try store.rows(for: keys, in: view)
  }

  func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?
  ) throws(StoreError) -> [RowPage] {
    try store.rows(of: entity, referencing: owners, in: slot, position: position, in: view)
  }

  func links(
    of relationship: RelationshipShape, owners: [RowKey]
  ) throws(StoreError) -> [StoredLink] {
    try store.links(of: relationship, owners: owners, in: view)
  }

  func lastPosition(
    in relationship: RelationshipShape, of owner: RowKey
  ) throws(StoreError) -> Int64? {
    try store.lastPosition(in: relationship, of: owner, in: view)
  }
}

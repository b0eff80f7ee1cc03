// SPDX-License-Identifier: MIT
import Sporades
import SporadesModel
import SporadesStore
import SporadesTesting

/// A store with the contract alone, as a program writes it first: no capability beside it.
final class PlainStore: PersistentStore {
  private let base: MemoryStore
  let model: ManagedObjectModel
  var identifier: String { base.identifier }

  init(_ model: ManagedObjectModel) {
    self.model = model
    base = MemoryStore(model: model)
  }

  func metadata() throws(StoreError) -> [String: MetadataValue] { try base.metadata() }
  func setMetadata(_ metadata: [String: MetadataValue]) throws(StoreError) {
    try base.setMetadata(metadata)
  }
  func rows(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowPage] {
    try base.rows(fetch, in: view)
  }
  func keys(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowKey] {
    try base.keys(fetch, in: view)
  }
  func answer(_ question: TableQuestion, in view: StoreView) throws(StoreError) -> TableAnswer {
    try base.answer(question, in: view)
  }
  func rows(for keys: [RowKey], in view: StoreView) throws(StoreError) -> [RowPage] {
    try base.rows(for: keys, in: view)
  }
  func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?,
    in view: StoreView
  ) throws(StoreError) -> [RowPage] {
    try base.rows(of: entity, referencing: owners, in: slot, position: position, in: view)
  }
  func links(
    of relationship: RelationshipShape, owners: [RowKey], in view: StoreView
  ) throws(StoreError) -> [StoredLink] {
    try base.links(of: relationship, owners: owners, in: view)
  }
  func reserveKeys(_ count: Int, for entity: EntityShape) throws(StoreError) -> Range<Int64> {
    try base.reserveKeys(count, for: entity)
  }
  func execute(_ changes: ChangeSet) throws(StoreError) { try base.execute(changes) }
  func commit(_ durability: Durability) throws(StoreError) { try base.commit(durability) }
  func removeAllRows() throws(StoreError) { try base.removeAllRows() }
  func close() throws(StoreError) { try base.close() }
}

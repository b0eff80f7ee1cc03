// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Synchronization

/// A store that counts requests, and refuses them while it is told to, before anything is done.
final class RefusingStore: RevocableStore, SharedStore {
  private let base: any PersistentStore
  private let isRefusing = Atomic(false)
  private let isRefusingToRead = Atomic(false)
  private let requests = Atomic(0)
  private let saved = Guarded<ChangeSet?>(nil)

  private let listener = Guarded<(@Sendable (String) -> Void)?>(nil)

  private let rowCount = Atomic(0)

  /// The number of rows read so far.
  var rowsRead: Int { rowCount.load(ordering: .relaxed) }
  /// The number of reads so far: of rows, keys, links and counts.
  var reads: Int { requests.load(ordering: .relaxed) }
  /// What was executed last.
  var lastSave: ChangeSet? { saved.withLock(\.self) }

  init(_ base: any PersistentStore) { self.base = base }

  var refuses: Bool {
    get { isRefusing.load(ordering: .relaxed) }
    set { isRefusing.store(newValue, ordering: .relaxed) }
  }

  var refusesReading: Bool {
    get { isRefusingToRead.load(ordering: .relaxed) }
    set { isRefusingToRead.store(newValue, ordering: .relaxed) }
  }

  private func checkReading() throws(StoreError) {
    requests.add(1, ordering: .relaxed)
    if refusesReading { throw StoreError(.io, "Refused by the test.") }
  }

  private func counted(_ pages: [RowPage]) -> [RowPage] {
    rowCount.add(pages.reduce(0) { $0 + $1.count }, ordering: .relaxed)
    return pages
  }

  var model: ManagedObjectModel { base.model }
  var identifier: String { base.identifier }
  var configurationName: String? { base.configurationName }
  var isReadOnly: Bool { base.isReadOnly }

  func execute(_ changes: ChangeSet) throws(StoreError) {
    if refuses { throw StoreError(.io, "Refused by the test.") }
    saved.withLock { $0 = changes }
    try base.execute(changes)
  }

  func execute(
    _ changes: ChangeSet, then rest: () throws(StoreError) -> Void
  ) throws(StoreError) {
    if refuses { throw StoreError(.io, "Refused by the test.") }
    try StoreCapabilities(base).revocable().execute(changes, then: rest)
  }
  func restoreAccepted() throws(StoreError) -> [LostChanges] { [] }
  func withdraw(_ changes: [ChangeSet]) throws(StoreError) {
    throw StoreError(.unsupported, "The test withdraws nothing.")
  }

  func metadata() throws(StoreError) -> [String: MetadataValue] { try base.metadata() }
  func setMetadata(_ metadata: [String: MetadataValue]) throws(StoreError) {
    try base.setMetadata(metadata)
  }
  func rows(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowPage] {
    try checkReading()
    return counted(try base.rows(fetch, in: view))
  }
  func keys(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowKey] {
    try checkReading()
    return try base.keys(fetch, in: view)
  }
  func answer(_ question: TableQuestion, in view: StoreView) throws(StoreError) -> TableAnswer {
    try checkReading()
    return try base.answer(question, in: view)
  }
  func rows(for keys: [RowKey], in view: StoreView) throws(StoreError) -> [RowPage] {
    try checkReading()
    return counted(try base.rows(for: keys, in: view))
  }
  func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?,
    in view: StoreView
  ) throws(StoreError) -> [RowPage] {
    try checkReading()
    return counted(
      try base.rows(of: entity, referencing: owners, in: slot, position: position, in: view))
  }
  func links(
    of relationship: RelationshipShape, owners: [RowKey], in view: StoreView
  ) throws(StoreError) -> [StoredLink] {
    try checkReading()
    return try base.links(of: relationship, owners: owners, in: view)
  }
  func lastPosition(
    in relationship: RelationshipShape, of owner: RowKey, in view: StoreView
  ) throws(StoreError) -> Int64? {
    try checkReading()
    return try base.lastPosition(in: relationship, of: owner, in: view)
  }
  func reserveKeys(_ count: Int, for entity: EntityShape) throws(StoreError) -> Range<Int64> {
    try base.reserveKeys(count, for: entity)
  }
  func observeOthers(_ committed: @escaping @Sendable (String) -> Void) -> StoreObservation? {
    listener.withLock { $0 = committed }
    return StoreObservation { [listener] in listener.withLock { $0 = nil } }
  }
  /// Says that another process has committed something.
  func tellOfOthers() { listener.withLock(\.self)?(identifier) }

  func commit(_ durability: Durability) throws(StoreError) { try base.commit(durability) }
  func removeAllRows() throws(StoreError) { try base.removeAllRows() }
  func close() throws(StoreError) { try base.close() }
}

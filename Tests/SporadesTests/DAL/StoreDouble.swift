// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import SporadesTesting

/// A store that asks a script before each call.
final class StoreDouble: RevocableStore, GenerationKeepingStore {
  enum Call: Hashable, Sendable {
    case read, generation, reserve, execute, commit, removeAll, close
  }
  typealias Script = @Sendable (Call) throws(StoreError) -> Void

  private let base: any PersistentStore
  private let capabilities: StoreCapabilities
  private let script = Guarded<Script>({ _ in })
  private let calls = Guarded<[Call: Int]>([:])
  private let saved = Guarded<ChangeSet?>(nil)
  private let durabilities = Guarded<[Durability]>([])
  /// The last executed change set.
  var lastSave: ChangeSet? { saved.withLock(\.self) }
  /// The durability of each commit, also of each failed one.
  var promises: [Durability] { durabilities.withLock(\.self) }

  init(_ base: any PersistentStore) {
    self.base = base
    capabilities = StoreCapabilities(base)
  }

  convenience init() throws { try self.init(MemoryStore(model: .members)) }

  /// A double over a store in memory, and a service over the double.
  static func withService() -> (StoreDouble, RecordingService) {
    // The model is that of the tests' own classes, so a mistake in it is a mistake of the tests.
    let double = try! StoreDouble()
    return (double, RecordingService.over(double))
  }

  func play(_ new: @escaping Script) { script.withLock { $0 = new } }

  /// Fails the next `times` calls of a kind.
  func fail(_ call: Call, times: Int, _ code: StoreError.Code = .full) {
    let left = Guarded(times)
    play { (made) throws(StoreError) in
      guard made == call else { return }
      let fails = left.withLock { left in
        defer { left -= 1 }
        return left > 0
      }
      if fails { throw StoreError(code, "Scripted.") }
    }
  }

  func count(of call: Call) -> Int { calls.withLock { $0[call] ?? 0 } }

  private func call<Output>(
    _ call: Call, _ body: (any PersistentStore) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    calls.withLock { $0[call, default: 0] += 1 }
    try script.withLock { $0 }(call)
    return try body(base)
  }

  var model: ManagedObjectModel { base.model }
  var identifier: String { base.identifier }
  var configurationName: String? { base.configurationName }
  var isReadOnly: Bool { base.isReadOnly }
  func metadata() throws(StoreError) -> [String: MetadataValue] { try base.metadata() }
  func setMetadata(_ metadata: [String: MetadataValue]) throws(StoreError) {
    try base.setMetadata(metadata)
  }
  func rows(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowPage] {
    try call(.read) { store throws(StoreError) in try store.rows(fetch, in: view) }
  }
  func keys(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowKey] {
    try call(.read) { store throws(StoreError) in try store.keys(fetch, in: view) }
  }
  func answer(_ question: TableQuestion, in view: StoreView) throws(StoreError) -> TableAnswer {
    try call(.read) { store throws(StoreError) in try store.answer(question, in: view) }
  }
  func rows(for keys: [RowKey], in view: StoreView) throws(StoreError) -> [RowPage] {
    try call(.read) { store throws(StoreError) in try store.rows(for: keys, in: view) }
  }
  func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?,
    in view: StoreView
  ) throws(StoreError) -> [RowPage] {
    try call(.read) { store throws(StoreError) in
      try store.rows(of: entity, referencing: owners, in: slot, position: position, in: view)
    }
  }
  func links(
    of relationship: RelationshipShape, owners: [RowKey], in view: StoreView
  ) throws(StoreError) -> [StoredLink] {
    try call(.read) { store throws(StoreError) in
      try store.links(of: relationship, owners: owners, in: view)
    }
  }
  func reserveKeys(_ count: Int, for entity: EntityShape) throws(StoreError) -> Range<Int64> {
    try call(.reserve) { store throws(StoreError) in try store.reserveKeys(count, for: entity) }
  }
  func execute(_ changes: ChangeSet) throws(StoreError) {
    try call(.execute) { store throws(StoreError) in try store.execute(changes) }
    saved.withLock { $0 = changes }
  }

  func execute(
    _ changes: ChangeSet, then rest: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try call(.execute) { _ throws(StoreError) in
      try capabilities.revocable().execute(changes, then: rest)
    }
  }
  func commit(_ durability: Durability) throws(StoreError) {
    durabilities.withLock { $0.append(durability) }
    try call(.commit) { store throws(StoreError) in try store.commit(durability) }
  }
  func restoreAccepted() throws(StoreError) -> [LostChanges] { try capabilities.restoreAccepted() }
  func withdraw(_ changes: [ChangeSet]) throws(StoreError) {
    try capabilities.revocable().withdraw(changes)
  }
  var keepsGenerations: Bool { capabilities.keepsGenerations }
  func generation() throws(StoreError) -> StoreGeneration {
    try call(.generation) { _ throws(StoreError) in try capabilities.generation() }
  }
  func removeAllRows() throws(StoreError) {
    try call(.removeAll) { store throws(StoreError) in try store.removeAllRows() }
  }
  func copy(to path: String, replacing: Bool) throws(StoreError) {
    try base.copy(to: path, replacing: replacing)
  }
  func close() throws(StoreError) {
    try call(.close) { store throws(StoreError) in try store.close() }
  }
}

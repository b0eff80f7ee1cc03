// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesStore

/// A store that fails one of its calls, before or after the call takes effect.
///
/// Run a scenario with the ordinals 1, 2, 3 and so on, until ``hasFailed`` is false at its end. Then every
/// call of the scenario has failed once.
public final class FaultyStore: PersistentStore {
  /// The moment at which the planned call fails.
  public enum Moment: CaseIterable, Sendable {
    /// The call fails and has no effect.
    case before
    /// The call takes effect and then fails.
    case after
  }

  private let base: any PersistentStore
  private let capabilities: StoreCapabilities
  private let moment: Moment
  private let code: StoreError.Code
  private let planned: Int
  private let callsLeft: Guarded<Int>

  /// A store that passes all calls on to `base`, except that one of them fails with `code`.
  public init(
    _ base: any PersistentStore, failingCall ordinal: Int, _ moment: Moment,
    code: StoreError.Code = .io
  ) {
    self.base = base
    capabilities = StoreCapabilities(base)
    self.moment = moment
    self.code = code
    planned = ordinal
    callsLeft = Guarded(ordinal)
  }

  /// The number of calls so far.
  public var calls: Int { planned - callsLeft.withLock(\.self) }

  /// The planned failure has happened.
  public var hasFailed: Bool { callsLeft.withLock { $0 <= 0 } }

  public var model: ManagedObjectModel { base.model }
  public var identifier: String { base.identifier }
  public var configurationName: String? { base.configurationName }
  public var isReadOnly: Bool { base.isReadOnly }
  public var datePrecision: DatePrecision { base.datePrecision }

  private func call<Output>(
    _ body: (any PersistentStore) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let fails = callsLeft.withLock { left in
      left -= 1
      return left == 0
    }
    if fails, moment == .before { throw StoreError(code, "Injected before the call.") }
    let result = try body(base)
    if fails, moment == .after { throw StoreError(code, "Injected after the call.") }
    return result
  }

  public func metadata() throws(StoreError) -> [String: MetadataValue] {
    try call { store throws(StoreError) in try store.metadata() }
  }

  public func setMetadata(_ metadata: [String: MetadataValue]) throws(StoreError) {
    try call { store throws(StoreError) in try store.setMetadata(metadata) }
  }

  public func rows(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowPage] {
    try call { store throws(StoreError) in try store.rows(fetch, in: view) }
  }

  public func keys(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowKey] {
    try call { store throws(StoreError) in try store.keys(fetch, in: view) }
  }

  public func answer(
    _ question: TableQuestion, in view: StoreView
  ) throws(StoreError) -> TableAnswer {
    try call { store throws(StoreError) in try store.answer(question, in: view) }
  }

  public func rows(for keys: [RowKey], in view: StoreView) throws(StoreError) -> [RowPage] {
    try call { store throws(StoreError) in try store.rows(for: keys, in: view) }
  }

  public func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?,
    in view: StoreView
  ) throws(StoreError) -> [RowPage] {
    try call { store throws(StoreError) in
      try store.rows(of: entity, referencing: owners, in: slot, position: position, in: view)
    }
  }

  public func links(
    of relationship: RelationshipShape, owners: [RowKey], in view: StoreView
  ) throws(StoreError) -> [StoredLink] {
    try call { store throws(StoreError) in
      try store.links(of: relationship, owners: owners, in: view)
    }
  }

  public func reserveKeys(
    _ count: Int, for entity: EntityShape
  ) throws(StoreError) -> Range<Int64> {
    try call { store throws(StoreError) in try store.reserveKeys(count, for: entity) }
  }

  public func execute(_ changes: ChangeSet) throws(StoreError) {
    try call { store throws(StoreError) in try store.execute(changes) }
  }

  public func commit(_ durability: Durability) throws(StoreError) {
    try call { store throws(StoreError) in try store.commit(durability) }
  }

  public func removeAllRows() throws(StoreError) {
    try call { store throws(StoreError) in try store.removeAllRows() }
  }

  public func copy(to path: String, replacing: Bool) throws(StoreError) {
    try call { store throws(StoreError) in try store.copy(to: path, replacing: replacing) }
  }

  public func close() throws(StoreError) {
    try call { store throws(StoreError) in try store.close() }
  }
}

extension FaultyStore: TriggerRunningStore {
  public var hasTriggers: Bool { capabilities.hasTriggers }

  public func takeKeysChangedByTriggers() -> [RowKey] {
    capabilities.takeKeysChangedByTriggers()
  }
}

extension FaultyStore: GenerationKeepingStore {
  public var keepsGenerations: Bool { capabilities.keepsGenerations }

  public func generation() throws(StoreError) -> StoreGeneration {
    try call { _ throws(StoreError) in try capabilities.generation() }
  }
}

extension FaultyStore: RevocableStore {
  public func execute(
    _ changes: ChangeSet, then confirm: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try call { _ throws(StoreError) in
      try capabilities.revocable().execute(changes, then: confirm)
    }
  }

  public func restoreAccepted() throws(StoreError) -> [LostChanges] {
    try call { _ throws(StoreError) in try capabilities.restoreAccepted() }
  }

  public func withdraw(_ changes: [ChangeSet]) throws(StoreError) {
    try call { _ throws(StoreError) in try capabilities.revocable().withdraw(changes) }
  }
}

extension FaultyStore: IntentKeepingStore {
  public var keepsIntents: Bool { keeper?.keepsIntents ?? false }

  private var keeper: (any IntentKeepingStore)? { base as? any IntentKeepingStore }

  private func callKeeper<Output>(
    _ body: (any IntentKeepingStore) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try call { _ throws(StoreError) in
      guard let keeper else { throw StoreError(.unsupported, "The store keeps no intents.") }
      return try body(keeper)
    }
  }

  public func commit(
    _ durability: Durability, noting notes: CommitNotes
  ) throws(StoreError) {
    try callKeeper { keeper throws(StoreError) in try keeper.commit(durability, noting: notes) }
  }

  public func syncCommits(ofOthers: Bool) throws(StoreError) {
    try callKeeper { keeper throws(StoreError) in try keeper.syncCommits(ofOthers: ofOthers) }
  }

  public func intents() throws(StoreError) -> [CommitIntent] {
    try callKeeper { keeper throws(StoreError) in try keeper.intents() }
  }

  public func hasFinished(_ commit: String) throws(StoreError) -> Bool {
    try callKeeper { keeper throws(StoreError) in try keeper.hasFinished(commit) }
  }

  public func finish(
    _ commit: String, by parts: [ChangeSet]
  ) throws(StoreError) -> Bool {
    try callKeeper { keeper throws(StoreError) in try keeper.finish(commit, by: parts) }
  }
}

extension FaultyStore: CheckableStore {
  public func checkIntegrity(
    _ body: (IntegrityProblem) throws(StoreError) -> Void
  ) throws(StoreError) {
    try call { store throws(StoreError) in try store.checkable().checkIntegrity(body) }
  }
}

// SPDX-License-Identifier: MIT
import Dispatch
package import SporadesModel
public import SporadesStore

/// The context next to the store: it executes what others save, and commits it.
///
/// What is deferred is the commit, not the work. A save is executed in the store's open transaction
/// before it returns, so a refusal reaches its caller and every later fetch sees it; many small
/// saves then share one commit. The root keeps no objects.
///
/// Rules:
/// 1. Saves are executed, published and committed in one order.
/// 2. A save that is large, or must be on the disk before it returns, is committed before it is
///    published, so that readers never wait for it.
/// 3. A failed commit loses nothing: it is reported and tried again.
public final class RootContext: RowSource {
  public let store: any PersistentStore
  let stack: BoundModel
  private let subscribers = Guarded<[WeakQueue]>([])
  private let writing = Guarded(())
  private let ledger: CommitLedger
  private let commits = DispatchQueue(label: "sporades.commits", qos: .userInitiated)
  /// Saves with more rows are committed at once and alone.
  private static let largeSave = 1000

  init(store: any PersistentStore, stack: BoundModel) {
    self.store = store
    self.stack = stack
    ledger = CommitLedger()
  }

  private struct WeakQueue: Sendable {
    weak let queue: ContextQueue?
    let context: ObjectIdentifier
  }

  /// Publishes accepted saves to the context from now on.
  func subscribe(_ queue: ContextQueue, _ context: ObjectIdentifier) {
    subscribers.withLock {
      $0.removeAll { $0.queue == nil }
      $0.append(WeakQueue(queue: queue, context: context))
    }
  }

  // MARK: - Saving

  func accept(_ changes: ChangeSet, from context: ManagedObjectContext) throws(StoreError) {
    context.lastSave = try accept(
      changes, context.durability, except: ObjectIdentifier(context))
  }

  /// Takes a save and returns its number in the order of saves.
  func accept(
    _ changes: ChangeSet, _ durability: Durability, except context: ObjectIdentifier?
  ) throws(StoreError) -> SaveNumber {
    let result = writing.withLock { _ -> Result<SaveNumber, StoreError> in
      Result { () throws(StoreError) in
        try execute(changes, durability, except: context)
      }
    }
    let number = try result.get()
    ledger.scheduleCommit(on: commits) { [weak self] in self?.commit(.eventual) }
    return number
  }

  private func execute(
    _ changes: ChangeSet, _ durability: Durability, except context: ObjectIdentifier?
  ) throws(StoreError) -> SaveNumber {
    let isAlone = changes.count > Self.largeSave || durability == .immediate
    if isAlone && ledger.hasUncommitted { _ = commitHoldingLock(.eventual) }
    try store.execute(changes)
    let number = ledger.executed(changes)
    defer { publish(changes, except: context) }
    if isAlone, let failure = commitHoldingLock(durability), durability == .immediate {
      throw failure
    }
    return number
  }

  private func publish(_ changes: ChangeSet, except context: ObjectIdentifier?) {
    for subscriber in subscribers.withLock({ $0 }) where subscriber.context != context {
      subscriber.queue?.deliver(.saved(changes))
    }
  }

  // MARK: - Committing

  /// Commits what was executed; returns the failure, which was reported.
  @discardableResult
  package func commit(_ durability: Durability) -> StoreError? {
    writing.withLock { _ in commitHoldingLock(durability) }
  }

  private func commitHoldingLock(_ durability: Durability) -> StoreError? {
    guard ledger.hasUncommitted || durability == .immediate else {
      ledger.nothingToCommit()
      return nil
    }
    let clock = ContinuousClock()
    let start = clock.now
    do {
      try store.commit(durability)
      ledger.committed(took: clock.now - start)
      return nil
    } catch {
      ledger.failed(error)
      ledger.scheduleRetry(on: commits) { [weak self] in self?.commit(.eventual) }
      return error
    }
  }

  /// Calls `body` once, when the save is committed or a commit of it has failed, while no lock is
  /// held.
  package func whenCommitted(
    _ number: SaveNumber, _ body: @escaping @Sendable (StoreError?) -> Void
  ) { ledger.whenCommitted(number, body) }

  /// Calls `body` with every failure of a commit.
  package func observeFailures(_ body: @escaping @Sendable (StoreError) -> Void) {
    ledger.observeFailures(body)
  }

  public var metrics: CommitMetrics { ledger.metrics }

  /// The objects whose last changes are executed and not committed.
  package var uncommittedObjects: [ManagedObjectID] {
    ledger.uncommittedKeys.map { ManagedObjectID(key: $0, scope: stack.scope) }
  }

  /// Removes all rows of the store; every context forgets its objects.
  package func removeAllRows() throws(StoreError) {
    let result = writing.withLock { _ in
      Result { () throws(StoreError) in
        try store.commit(.eventual)
        ledger.committed(took: .zero)
        try store.removeAllRows()
      }
    }
    try result.get()
    for subscriber in subscribers.withLock({ $0 }) { subscriber.queue?.deliver(.reset) }
  }

  // MARK: - Reading

  /// Accepted saves must be seen; where all are committed, readers need not wait for a writer.
  private var view: StoreView { ledger.hasUncommitted ? .accepted : .committed }

  func rows(_ fetch: StoreFetch) throws(StoreError) -> [RowPage] { try store.rows(fetch, in: view) }
  func keys(_ fetch: StoreFetch) throws(StoreError) -> [RowKey] { try store.keys(fetch, in: view) }
  func count(_ fetch: StoreFetch) throws(StoreError) -> Int { try store.count(fetch, in: view) }

  func aggregate(
    _ function: AggregateFunction, of keyPath: [String], _ fetch: StoreFetch
  ) throws(StoreError) -> Value {
    try store.aggregate(function, of: keyPath, fetch, in: view)
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

  func reserveKeys(_ count: Int, for entity: EntityShape) throws(StoreError) -> Range<Int64> {
    try store.reserveKeys(count, for: entity)
  }
}

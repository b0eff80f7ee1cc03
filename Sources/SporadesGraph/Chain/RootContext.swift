// SPDX-License-Identifier: MIT
package import Dispatch
package import SporadesModel
public import SporadesStore
import Synchronization

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
/// 3. A failed commit loses nothing: it is reported and tried again. Only a save whose rows others changed
///    meanwhile is lost, and every context then shows those rows as the store has them.
/// 4. A save of a context that has not heard of all others leads to no row that is gone.
public final class RootContext: StoreSource {
  public let store: any PersistentStore
  let stack: BoundModel
  private let subscribers = Guarded<[WeakQueue]>([])
  let feed = SaveFeed()
  let storeFeed = Guarded(Mailboxes<StoresChange>())
  let writing: Guarded<LastSaves>
  let published = Atomic(0)
  let ledger: CommitLedger
  private let commits = DispatchQueue(label: "sporades.commits", qos: .userInitiated)
  /// Saves with more rows are committed at once and alone.
  private static let largeSave = 1000

  init(stack: BoundModel) {
    store = stack.store
    self.stack = stack
    ledger = CommitLedger()
    writing = Guarded(LastSaves(lostRows: LostRows(stack.model)))
    stack.coordinator?.observe { [weak self] in self?.storesDidChange($0) }
  }

  deinit {
    storeFeed.withLock { $0.finish() }
    guard ledger.hasUncommitted else { return }
    // Nobody will try again, so whoever asks a receipt must get an answer.
    let outcome = commitStore(.eventual)
    ledger.lose(
      outcome.losses.map {
        ($0.changes, LostWrite(objects: ids(of: $0.changes.keys), reason: $0.reason))
      })
    guard outcome.failure != nil else {
      _ = ledger.committed(took: outcome.duration)
      return
    }
    ledger.end(StoreError(.closed, "The stack was let go of before a commit succeeded."), ids(of:))
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

  /// How many saves everybody was told of: who merges what was told reads no state older than this.
  var savesTold: Int { published.load(ordering: .acquiring) }

  /// The root has no state of its own to be old.
  var basis: Int { .max }

  /// What tells whether a save may have missed one that bears upon it.
  struct LastSaves {
    var last = 0
    var lastWithDeletions = 0
    var spent = SpentSaves()
    /// The number under which contexts heard last that a save is lost.
    var lastLoss = 0
    /// The rows of lost saves.
    var lostRows: LostRows
  }

  // MARK: - Saving

  func accept(_ changes: ChangeSet, from context: ManagedObjectContext) throws(StoreError) {
    guard changes.hasWrites else {
      return try writing.withLock { _ throws(StoreError) in try store.execute(changes) }
    }
    let accepted = try writing.withLock { saves throws(StoreError) in
      let isAlone = changes.count > Self.largeSave || context.owedDurability == .immediate
      // Before the checks, because it may find saves that are lost.
      if isAlone && ledger.hasUncommitted { _ = commitHoldingLock(.eventual, &saves) }
      try check(changes, of: context, saves)
      let accepted = try execute(changes, from: context, isAlone: isAlone, &saves)
      return (number: accepted.number, failure: accepted.failure, spent: saves.spent.take())
    }
    context.lastSave = accepted.number
    context.commitFailure = accepted.failure
    // Held until then, so that what was accepted is not lost with whoever lets go of the root.
    if let next = ledger.nextCommit() { schedule(next) { self.commitIfDue(next) } }
  }

  /// Refuses a save that missed another one which bears upon it.
  private func check(
    _ changes: ChangeSet, of context: ManagedObjectContext, _ saves: LastSaves
  ) throws(StoreError) {
    let basis = context.basis
    if stack.derivesAcrossObjects && max(basis, context.heard.ofDerivations) < saves.last {
      throw StoreError(
        .conflict([]), "Derived values were computed of rows that others changed; save again.",
        underlying: OutdatedDerivations())
    }
    if max(basis, context.heard.ofLosses) < saves.lastLoss { try checkLost(changes, saves) }
    try checkReferences(changes, of: context, basis, saves)
  }

  private func schedule(_ next: CommitLedger.DueCommit, _ run: @escaping @Sendable () -> Void) {
    if next.delay == .zero { return commits.async(execute: run) }
    let nanoseconds = Int(next.delay / .nanoseconds(1))
    commits.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: run)
  }

  private func commitIfDue(_ next: CommitLedger.DueCommit) {
    if ledger.begins(next.number) { commit(ledger.owedDurability) }
  }

  /// Takes a save. Where it had to be committed at once and could not be, it is accepted all the
  /// same, and the failure is returned with its number.
  private func execute(
    _ changes: ChangeSet, from context: ManagedObjectContext, isAlone: Bool,
    _ saves: inout LastSaves
  ) throws(StoreError) -> (number: SaveNumber, failure: StoreError?) {
    let durability = context.owedDurability
    do throws(StoreError) { try store.execute(changes) } catch {
      guard tellLosses(after: error, &saves) else { throw error }
      try check(changes, of: context, saves)
      try store.execute(changes)
    }
    let triggered = store.takeKeysChangedByTriggers()
    guard isAlone else {
      publish(changes, triggered, from: context, &saves)
      return (ledger.executed(changes), nil)
    }
    // The ledger learns of the save after its commit: until then readers keep to the committed
    // state, for which they need not wait while the commit goes on.
    let outcome = commitStore(durability)
    let number = ledger.executed(changes)
    publish(changes, triggered, from: context, &saves)
    _ = settle(outcome, durability, isAwaited: durability == .immediate, &saves)
    return (number, durability == .immediate ? outcome.failure : nil)
  }

  /// Hands a save that was executed to the other contexts, and the rows that an app's triggers changed
  /// with it to all.
  private func publish(
    _ changes: ChangeSet, _ triggered: [RowKey], from context: ManagedObjectContext,
    _ saves: inout LastSaves
  ) {
    saves.last += 1
    // A trigger that changed rows may have deleted them.
    if !changes.deleted.isEmpty || !triggered.isEmpty { saves.lastWithDeletions = saves.last }
    deliver(.saved(changes, number: saves.last), except: ObjectIdentifier(context))
    if !triggered.isEmpty {
      context.changedByTriggers = triggered
      deliver(.shown(triggered), except: ObjectIdentifier(context))
    }
    feed.publish(changes, stack.scope, contextName: context.name)
    published.store(saves.last, ordering: .releasing)
    context.wasAccepted(as: saves.last)
  }

  /// Looks for rows that others deleted while the save was made, and for links to rows it deletes.
  private func checkReferences(
    _ changes: ChangeSet, of context: ManagedObjectContext, _ basis: Int, _ saves: LastSaves
  ) throws(StoreError) {
    let check = ReferenceCheck(store: store, scope: stack.scope)
    if basis < saves.lastWithDeletions || context.hasLinksToFaults {
      try check.checkTargets(of: changes)
    }
    if basis < saves.last && !changes.deleted.isEmpty { try check.checkReferrers(of: changes) }
  }

  /// Tells every context but one.
  func deliver(_ arrival: Arrivals.Arrival, except context: ObjectIdentifier? = nil) {
    for subscriber in subscribers.withLock({ $0 }) where subscriber.context != context {
      subscriber.queue?.deliver(arrival)
    }
  }

  // MARK: - Committing

  /// Commits what was executed; returns the failure, which was reported.
  @discardableResult
  package func commit(_ durability: Durability) -> StoreError? { commitTelling(durability).failure }

  /// Commits what was executed; returns the failure, and what could not be kept, which were reported.
  package func commitTelling(
    _ durability: Durability
  ) -> (failure: StoreError?, lost: [LostWrite]) {
    let (attempt, spent) = writing.withLock { saves in
      let attempt = commitHoldingLock(durability, &saves)
      return (attempt, spent: saves.spent.replace(by: attempt.committed))
    }
    // Out here, where no writer waits for it.
    _ = consume spent
    return (attempt.failure, attempt.lost)
  }

  /// Commits and gives up the store; returns the failure, which was not reported.
  package func close() -> StoreError? {
    writing.withLock { saves -> StoreError? in
      if let failure = commitHoldingLock(.immediate, isAwaited: true, &saves).failure {
        return failure
      }
      do throws(StoreError) {
        try store.close()
        return nil
      } catch {
        return error
      }
    }
  }

  private struct CommitAttempt {
    var failure: StoreError?
    var committed: [ChangeSet] = []
    var lost: [LostWrite] = []
  }

  private func commitHoldingLock(
    _ durability: Durability, isAwaited: Bool = false, _ saves: inout LastSaves
  ) -> CommitAttempt {
    guard ledger.hasUncommitted || durability == .immediate else { return CommitAttempt() }
    let outcome = commitStore(durability)
    let (committed, lost) = settle(outcome, durability, isAwaited: isAwaited, &saves)
    return CommitAttempt(failure: outcome.failure, committed: committed, lost: lost)
  }

  /// The state of everything accepted so far, to be read from now on, and the number of its last save.
  func generation() throws(StoreError) -> (StoreGeneration, last: Int) {
    try writing.withLock { saves throws(StoreError) in
      if let failure = commitHoldingLock(.eventual, isAwaited: true, &saves).failure {
        throw failure
      }
      return (try store.generation(), saves.last)
    }
  }

  struct CommitOutcome {
    var duration: Duration = .zero
    var failure: StoreError?
    var losses: [LostChanges] = []
  }

  /// Commits what the store could keep. A store that could not keep everything commits nothing before
  /// it was asked what is lost.
  private func commitStore(_ asked: Durability) -> CommitOutcome {
    // Whoever commits first pays what an earlier commit owes: what succeeds is told of all saves.
    let durability = asked == .immediate ? asked : ledger.owedDurability
    let start = ContinuousClock.now
    var outcome = CommitOutcome()
    repeat {
      do {
        outcome.failure = nil
        try store.commit(durability)
      } catch {
        outcome.failure = error
      }
    } while addLosses(to: &outcome)
    outcome.duration = ContinuousClock.now - start
    return outcome
  }

  /// Asks the store what it could not keep; false where there is nothing that was not known before.
  private func addLosses(to outcome: inout CommitOutcome) -> Bool {
    guard case .conflict? = outcome.failure?.code else { return false }
    do {
      let losses = try store.restoreAccepted()
      outcome.losses += losses
      return !losses.isEmpty
    } catch {
      outcome.failure = error
      return false
    }
  }

  /// Tells of the outcome, and returns what was committed and what is lost.
  private func settle(
    _ outcome: CommitOutcome, _ durability: Durability, isAwaited: Bool, _ saves: inout LastSaves
  ) -> (committed: [ChangeSet], lost: [LostWrite]) {
    let lost = outcome.losses.isEmpty ? [] : lose(outcome.losses, &saves)
    guard let failure = outcome.failure else {
      return (ledger.committed(took: outcome.duration), lost)
    }
    ledger.failed(failure, durability, tellsObservers: !isAwaited)
    // A store that was closed will not come back.
    guard failure.code != .closed else {
      ledger.closed(ids(of:))
      return ([], lost)
    }
    if let next = ledger.nextAttempt() {
      schedule(next) { [weak self] in self?.commitIfDue(next) }
    }
    return ([], lost)
  }

  /// Calls `body` on the queue, once, when the save is committed or a commit of it has failed.
  package func whenCommitted(
    _ number: SaveNumber, on queue: DispatchQueue,
    _ body: @escaping @Sendable (CommitFailure?) -> Void
  ) { ledger.whenCommitted(number, on: queue, body) }

  /// The receipt of the save with the number.
  package func receipt(of number: SaveNumber) -> WriteReceipt {
    WriteReceipt(ledger: ledger, number: number.rawValue)
  }

  /// Calls `body` with everything that happens to saves after they were accepted, until the observation
  /// with the returned number is ended. It is called while the root is held, and must not wait for
  /// anything.
  package func observeCommits(_ body: @escaping @Sendable (CommitEvent) -> Void) -> Int {
    ledger.observe(body)
  }

  package func endObservation(_ number: Int) { ledger.endObservation(number) }

  public var metrics: CommitMetrics { ledger.metrics }

  /// The objects whose last changes are executed and not committed.
  package var uncommittedObjects: [ManagedObjectID] {
    ids(of: ledger.uncommittedKeys)
  }

  /// Removes all rows of the store, after it was copied to `copy` with everything accepted so far;
  /// every context forgets its objects.
  package func removeAllRows(keepingCopyAt copy: String?) throws(StoreError) {
    try writing.withLock { saves throws(StoreError) in
      if let failure = commitHoldingLock(.eventual, isAwaited: true, &saves).failure {
        throw failure
      }
      if let copy { try store.copy(to: copy) }
      try store.removeAllRows()
      saves.last += 1
      saves.lastWithDeletions = saves.last
      defer { published.store(saves.last, ordering: .releasing) }
      // Inside the lock, so that the contexts forget before they hear of a save that came after.
      deliver(.reset(number: saves.last))
    }
  }

  // MARK: - Stores that come and go

  /// Told by the coordinator.
  func storesDidChange(_ change: StoresChange) {
    for number in change.removedNumbers { deliver(.storeRemoved(number)) }
    storeFeed.withLock { $0.post(change) }
  }

  // MARK: - Reading

  /// Accepted saves must be seen; where all are committed, readers need not wait for a writer.
  var view: StoreView { ledger.hasUncommitted ? .accepted : .committed }

  func reserveKeys(
    _ count: Int, for entity: EntityShape, inStore number: Int
  ) throws(StoreError) -> Range<Int64> {
    guard let coordinator = stack.coordinator else {
      return try store.reserveKeys(count, for: entity)
    }
    return try coordinator.reserveKeys(count, for: entity, inStore: number)
  }
}

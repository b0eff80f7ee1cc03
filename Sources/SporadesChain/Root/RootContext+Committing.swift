// SPDX-License-Identifier: MIT
package import Dispatch
package import SporadesModel
package import SporadesStore
import Synchronization

// The commits of executed saves.
extension RootContext {
  /// Commits the executed saves. Returns the failure, which the observers get too.
  @discardableResult
  package func commit(_ durability: Durability) -> StoreError? {
    commitReturningLosses(durability).failure
  }

  /// Commits the executed saves. Returns the failure and the lost writes, which the observers get too.
  package func commitReturningLosses(
    _ durability: Durability
  ) -> (failure: StoreError?, lost: [LostWrite]) {
    let (attempt, spent) = saves.withLock { order in
      let attempt = commitHoldingLock(durability, &order)
      return (attempt, spent: order.spent.replace(by: attempt.committed))
    }
    // The memory is freed outside of the lock, so no writer waits for it.
    _ = consume spent
    return (attempt.failure, attempt.lost)
  }

  /// Commits the executed saves. Throws the failure, which no observer gets.
  package func commitExecuted() throws(StoreError) {
    let failure = saves.withLock { commitHoldingLock(.eventual, isAwaited: true, &$0).failure }
    if let failure { throw failure }
  }

  /// Commits the executed saves to the disk. Throws the failure, which no observer gets, or the reason of a lost save.
  package func flush() throws(StoreError) {
    let attempt = saves.withLock { commitHoldingLock(.immediate, isAwaited: true, &$0) }
    if let error = attempt.failure ?? attempt.lost.first?.reason { throw error }
  }

  /// Commits the executed saves and closes the store. Returns the failure, which no observer gets.
  package func close() -> StoreError? {
    saves.withLock { order -> StoreError? in
      if let failure = commitHoldingLock(.immediate, isAwaited: true, &order).failure {
        return failure
      }
      do throws(StoreError) {
        try store.close()
        commitSignal.finish()
        return nil
      } catch {
        return error
      }
    }
  }

  struct CommitAttempt {
    var failure: StoreError?
    var committed: [ChangeSet] = []
    var lost: [LostWrite] = []
  }

  func commitHoldingLock(
    _ durability: Durability, isAwaited: Bool = false, _ order: inout SaveOrder
  ) -> CommitAttempt {
    guard ledger.hasUncommitted || durability == .immediate else { return CommitAttempt() }
    let outcome = commitStore(durability)
    let (committed, lost) = recordOutcome(
      outcome, durability, isAwaited: isAwaited, &order)
    return CommitAttempt(failure: outcome.failure, committed: committed, lost: lost)
  }

  /// Commits the accepted saves, because readers on connections of their own see only what is committed. Returns
  /// false if the commits fail now; a failing commit is tried again at its own time.
  func commitForReaders() -> Bool {
    guard ledger.hasUncommitted else { return true }
    return !ledger.isFailing && commit(.eventual) == nil
  }

  /// Keeps the state of all accepted saves. Returns it with the number of its last save.
  package func generation() throws(StoreError) -> (StoreGeneration, last: Int) {
    try saves.withLock { order throws(StoreError) in
      if let failure = commitHoldingLock(.eventual, isAwaited: true, &order).failure {
        throw failure
      }
      return (try capabilities.generation(), order.last)
    }
  }

  struct CommitOutcome {
    var duration: Duration = .zero
    var failure: StoreError?
    var losses: [LostChanges] = []
  }

  /// Commits every save that the store can keep. A store that has lost saves commits nothing before
  /// `restoreAccepted()` has named them.
  func commitStore(_ asked: Durability) -> CommitOutcome {
    let (durability, start) = (durability(asked), ContinuousClock.now)
    return settle(commitOnce(durability), durability, since: start)
  }

  /// Executes the changes of a save and commits them. Throws if the store refuses the changes.
  func commitStore(
    _ asked: Durability, executing changes: ChangeSet
  ) throws(StoreError) -> CommitOutcome {
    let (durability, start) = (durability(asked), ContinuousClock.now)
    let failure = try store.execute(changes, committing: durability)
    return settle(failure, durability, since: start)
  }

  /// A successful commit settles all saves, also one that asked for the disk and whose own commit failed.
  private func durability(_ asked: Durability) -> Durability {
    asked == .immediate ? asked : ledger.owedDurability
  }

  /// Commits again, as long as the store names lost saves.
  private func settle(
    _ failure: StoreError?, _ durability: Durability, since start: ContinuousClock.Instant
  ) -> CommitOutcome {
    var outcome = CommitOutcome(failure: failure)
    while addLosses(to: &outcome) { outcome.failure = commitOnce(durability) }
    outcome.duration = ContinuousClock.now - start
    return outcome
  }

  private func commitOnce(_ durability: Durability) -> StoreError? {
    do throws(StoreError) { try store.commit(durability) } catch { return error }
    return nil
  }

  /// Asks the store for lost saves. Returns false if there is no new one.
  private func addLosses(to outcome: inout CommitOutcome) -> Bool {
    guard case .conflict? = outcome.failure?.code else { return false }
    do {
      let losses = try capabilities.restoreAccepted()
      outcome.losses += losses
      return !losses.isEmpty
    } catch {
      outcome.failure = error
      return false
    }
  }

  /// Records the outcome in the ledger, and returns the committed changes and the lost writes.
  func recordOutcome(
    _ outcome: CommitOutcome, _ durability: Durability, isAwaited: Bool, _ order: inout SaveOrder
  ) -> (committed: [ChangeSet], lost: [LostWrite]) {
    let lost = outcome.losses.isEmpty ? [] : publishLosses(outcome.losses, &order)
    guard let failure = outcome.failure else {
      defer { commitSignal.raise() }
      return (ledger.recordCommit(took: outcome.duration), lost)
    }
    ledger.recordFailure(failure, durability, notifiesObservers: !isAwaited)
    // A closed store stays closed, so no retry can succeed.
    guard failure.code != .closed else {
      ledger.settleAfterClose(ids(of:))
      return ([], lost)
    }
    if let next = ledger.planRetry() {
      schedule(next) { [weak self] in self?.commitIfDue(next) }
    }
    return ([], lost)
  }

  /// Calls `body` once on the queue, after the save was committed or lost, or its commit failed.
  package func whenCommitted(
    _ number: SaveNumber, on queue: DispatchQueue,
    _ body: @escaping @Sendable (CommitFailure?) -> Void
  ) { ledger.whenCommitted(number, on: queue, body) }

  /// The receipt of the save with the number.
  package func receipt(of number: SaveNumber) -> WriteReceipt {
    WriteReceipt(ledger: ledger, number: number.rawValue)
  }

  /// Calls `body` with every event of accepted saves. Pass the returned number to ``endObservation(_:)``.
  ///
  /// The root is locked while it calls `body`. So `body` must not wait, and must not drop the last reference to
  /// an object that uses the root when it ends.
  package func observeCommits(_ body: @escaping @Sendable (CommitEvent) -> Void) -> Int {
    ledger.observe(body)
  }

  /// Ends the observation with the number.
  package func endObservation(_ number: Int) { ledger.endObservation(number) }

  /// The counts of saves and commits so far.
  public var metrics: CommitMetrics { ledger.metrics }

  /// The objects whose latest changes are executed and not committed.
  package var uncommittedObjects: [ManagedObjectID] {
    ids(of: ledger.uncommittedKeys)
  }

  /// Commits the accepted saves, copies the store to `copy`, and removes all rows. Every context forgets its
  /// objects.
  package func removeAllRows(keepingCopyAt copy: String?) throws(StoreError) {
    try saves.withLock { order throws(StoreError) in
      if let failure = commitHoldingLock(.eventual, isAwaited: true, &order).failure {
        throw failure
      }
      if let copy { try store.copy(to: copy) }
      try store.removeAllRows()
      order.last += 1
      order.lastWithDeletions = order.last
      defer { published.store(order.last, ordering: .releasing) }
      // The lock is held, so the contexts forget their objects before a later save arrives.
      deliver(.reset(number: order.last))
      commitSignal.raise()
    }
  }
}

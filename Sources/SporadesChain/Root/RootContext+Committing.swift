// SPDX-License-Identifier: MIT
package import Dispatch
package import SporadesModel
package import SporadesStore
import Synchronization

// How executed saves reach the disk.
extension RootContext {
  /// Commits what was executed; returns the failure, which was reported.
  @discardableResult
  package func commit(_ durability: Durability) -> StoreError? { commitTelling(durability).failure }

  /// Commits what was executed; returns the failure, and what could not be kept, which were reported.
  package func commitTelling(
    _ durability: Durability
  ) -> (failure: StoreError?, lost: [LostWrite]) {
    let (attempt, spent) = saves.withLock { order in
      let attempt = commitHoldingLock(durability, &order)
      return (attempt, spent: order.spent.replace(by: attempt.committed))
    }
    // Out here, where no writer waits for it.
    _ = consume spent
    return (attempt.failure, attempt.lost)
  }

  /// Commits and gives up the store; returns the failure, which was not reported.
  package func close() -> StoreError? {
    saves.withLock { order -> StoreError? in
      if let failure = commitHoldingLock(.immediate, isAwaited: true, &order).failure {
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
    let (committed, lost) = settle(outcome, durability, isAwaited: isAwaited, &order)
    return CommitAttempt(failure: outcome.failure, committed: committed, lost: lost)
  }

  /// The state of everything accepted so far, to be read from now on, and the number of its last save.
  package func generation() throws(StoreError) -> (StoreGeneration, last: Int) {
    try saves.withLock { order throws(StoreError) in
      if let failure = commitHoldingLock(.eventual, isAwaited: true, &order).failure {
        throw failure
      }
      return (try store.generation(), order.last)
    }
  }

  struct CommitOutcome {
    var duration: Duration = .zero
    var failure: StoreError?
    var losses: [LostChanges] = []
  }

  /// Commits what the store could keep. A store that could not keep everything commits nothing before
  /// it was asked what is lost.
  func commitStore(_ asked: Durability) -> CommitOutcome {
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
  func settle(
    _ outcome: CommitOutcome, _ durability: Durability, isAwaited: Bool, _ order: inout SaveOrder
  ) -> (committed: [ChangeSet], lost: [LostWrite]) {
    let lost = outcome.losses.isEmpty ? [] : lose(outcome.losses, &order)
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
    try saves.withLock { order throws(StoreError) in
      if let failure = commitHoldingLock(.eventual, isAwaited: true, &order).failure {
        throw failure
      }
      if let copy { try store.copy(to: copy) }
      try store.removeAllRows()
      order.last += 1
      order.lastWithDeletions = order.last
      defer { published.store(order.last, ordering: .releasing) }
      // Inside the lock, so that the contexts forget before they hear of a save that came after.
      deliver(.reset(number: order.last))
    }
  }
}

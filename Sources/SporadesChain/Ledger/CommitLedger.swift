// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesStore

/// The place of a save in the order of executed saves.
package struct SaveNumber: Hashable, Comparable, Sendable {
  package let rawValue: Int
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Records executed and committed saves, and decides when the next commit is due.
///
/// The first save after a pause is committed at once. A commit follows the last one by four milliseconds or
/// more, so that many small saves share a commit.
final class CommitLedger: Sendable {
  struct State {
    /// The number of the last executed save.
    var executed = 0
    /// The saves executed since the last commit, in order.
    var uncommitted: [Uncommitted] = []
    /// The number of the last committed save.
    var committed = 0
    var metrics = CommitMetrics()
    var waiting: [Waiting] = []
    var observers: [Int: @Sendable (CommitEvent) -> Void] = [:]
    var lastObserver = 0
    /// The ledger has reported every uncommitted save up to this number as not durable.
    var reported = 0
    /// The lost saves by their numbers.
    var lost: [Int: LostWrite] = [:]
    /// The blocks that wait until a save is committed or lost. A failed commit does not call them.
    var settlers: [Int: [@Sendable (WriteReceipt.State) -> Void]] = [:]
    /// The error of the last commit if the store's file was moved or removed; else nil.
    var moved: StoreError?
    /// A save asked for the disk, and waits for a commit with others, or its own has failed. The next commit must sync.
    var owesSync = false
    /// The number of the scheduled commit; nil if no commit is scheduled. At most one commit is scheduled, so
    /// that repeated failures share one chain of retries.
    var due: Int?
    var lastDue = 0
    var lastCommit: ContinuousClock.Instant?
    var failuresInRow = 0
    /// The error of the last commit if it failed; else nil.
    var lastFailure: StoreError.Code?
  }

  /// An executed save that is not committed.
  struct Uncommitted {
    let number: Int
    let changes: ChangeSet
  }

  /// A block that waits for the commit of a save.
  struct Waiting {
    let number: Int
    let queue: DispatchQueue
    let body: @Sendable (CommitFailure?) -> Void
  }

  let state = Guarded(State())
  /// The least time between the end of a commit and the next scheduled commit.
  private static let interval: Duration = .milliseconds(4)

  var hasUncommitted: Bool { state.withLock { !$0.uncommitted.isEmpty } }
  /// The last commit failed, and the next attempt is scheduled.
  var isFailing: Bool { state.withLock { $0.failuresInRow > 0 } }
  var metrics: CommitMetrics { state.withLock { $0.metrics } }

  /// The durability that the next commit has to reach.
  var owedDurability: Durability { state.withLock { $0.owesSync ? .immediate : .eventual } }

  /// The keys of all rows in executed saves that are not committed.
  var uncommittedKeys: [RowKey] { state.withLock { $0.uncommitted.flatMap(\.changes.keys) } }

  /// Records an executed save and returns its number. If it owes a sync, the next commit reaches the disk.
  func recordExecution(of changes: ChangeSet, owesSync: Bool = false) -> SaveNumber {
    let rows = changes.count
    return state.withLock { state in
      state.executed += 1
      state.uncommitted.append(Uncommitted(number: state.executed, changes: changes))
      if owesSync { state.owesSync = true }
      state.metrics.changeSetsWaiting += 1
      state.metrics.rowsWaiting += rows
      return SaveNumber(rawValue: state.executed)
    }
  }

  /// Records that a commit succeeded, and returns the changes that it committed.
  func recordCommit(took duration: Duration) -> [ChangeSet] {
    let settled = state.withLock { state -> SettledSaves in
      state.metrics.rowsCommitted += state.metrics.rowsWaiting
      state.metrics.commits += 1
      state.metrics.lastCommitDuration = duration
      state.lastCommit = ContinuousClock.now
      state.due = nil
      state.failuresInRow = 0
      state.lastFailure = nil
      return state.markAllCommitted()
    }
    Self.notify(settled.waiting[...], nil)
    if !settled.reported.isEmpty || !settled.settlers.isEmpty { reportSettlement(of: settled) }
    return settled.changes
  }

  /// Records that a commit failed. Pass false for `notifiesObservers` if a caller waits for the commit: the
  /// caller gets the failure instead. The observers are not told again of a repeated attempt that fails like the one
  /// before.
  func recordFailure(_ error: StoreError, _ durability: Durability, notifiesObservers: Bool) {
    let (waiting, observers) = state.withLock { state in
      let isNews = state.executed > state.reported || state.lastFailure != error.code
      state.failuresInRow += 1
      state.lastFailure = error.code
      state.reported = state.executed
      if durability == .immediate { state.owesSync = true }
      if error.code == .moved { state.moved = error }
      defer { state.waiting = [] }
      return (state.waiting, notifiesObservers && isNews ? Array(state.observers.values) : [])
    }
    for observer in observers { observer(.failed(error)) }
    Self.notify(waiting[...], .notYet(error))
  }

  /// Calls `body` once on the queue, after the save was committed or lost, or its commit failed.
  func whenCommitted(
    _ number: SaveNumber, on queue: DispatchQueue,
    _ body: @escaping @Sendable (CommitFailure?) -> Void
  ) {
    let (isSettled, lost) = state.withLock { state -> (Bool, LostWrite?) in
      if let lost = state.lost[number.rawValue] { return (true, lost) }
      guard state.committed < number.rawValue else { return (true, nil) }
      state.waiting.append(Waiting(number: number.rawValue, queue: queue, body: body))
      return (false, nil)
    }
    if isSettled { queue.async { body(lost.map(CommitFailure.lost)) } }
  }

  /// Calls the waiting blocks. Neighbours with the same queue share one dispatched block, because many small
  /// saves share a commit.
  static func notify(_ waiting: ArraySlice<Waiting>, _ failure: CommitFailure?) {
    var remaining = waiting
    while let first = remaining.first {
      let group = remaining.prefix { $0.queue === first.queue }
      first.queue.async { for waiting in group { waiting.body(failure) } }
      remaining = remaining[group.endIndex...]
    }
  }

  /// Calls `body` with each event, and returns a number for ``endObservation(_:)``.
  func observe(_ body: @escaping @Sendable (CommitEvent) -> Void) -> Int {
    state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = body
      return state.lastObserver
    }
  }

  func endObservation(_ number: Int) {
    state.withLock { _ = $0.observers.removeValue(forKey: number) }
  }

  // MARK: - When to commit

  /// A scheduled commit.
  struct DueCommit {
    let number: Int
    let delay: Duration
  }

  /// Schedules the commit of the executed saves. Returns nil if there are none, or if a commit is scheduled
  /// already.
  func planCommit() -> DueCommit? {
    plan { state in
      guard !state.uncommitted.isEmpty else { return nil }
      guard let last = state.lastCommit else { return .zero }
      return max(.zero, Self.interval - (ContinuousClock.now - last))
    }
  }

  /// Schedules another attempt after a failure. The delay grows with the number of failures in a row.
  func planRetry() -> DueCommit? {
    plan { .milliseconds(min(5000, 50 << min(10, $0.failuresInRow))) }
  }

  private func plan(after delay: (State) -> Duration?) -> DueCommit? {
    state.withLock { state in
      guard state.due == nil, let delay = delay(state) else { return nil }
      state.lastDue += 1
      state.due = state.lastDue
      return DueCommit(number: state.lastDue, delay: delay)
    }
  }

  /// Takes the scheduled commit out of the ledger. Returns false if another commit has replaced it.
  func takeDueCommit(_ number: Int) -> Bool {
    state.withLock { state in
      guard state.due == number else { return false }
      state.due = nil
      return true
    }
  }
}

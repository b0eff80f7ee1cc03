// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesStore

/// The place of a save in the order in which the root executed saves.
package struct SaveNumber: Hashable, Comparable, Sendable {
  package let rawValue: Int
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Keeps account of executed and committed saves, and decides when the next commit is due: at once
/// where none was lately, else a few milliseconds after the last, so that many small saves share it.
final class CommitLedger: Sendable {
  struct State {
    var executed = 0
    /// The saves executed since the last commit, in order.
    var uncommitted: [Uncommitted] = []
    var committed = 0
    var metrics = CommitMetrics()
    var waiting: [Waiting] = []
    var observers: [Int: @Sendable (CommitEvent) -> Void] = [:]
    var lastObserver = 0
    /// Saves up to this number were reported as not durable.
    var reported = 0
    /// What could not be kept, by the number of its save.
    var lost: [Int: LostWrite] = [:]
    /// Those who wait for the fate of a save, whatever commits fail meanwhile.
    var settlers: [Int: [@Sendable (WriteReceipt.State) -> Void]] = [:]
    /// Why the last commit reached no file that anybody finds again; nil where there is no such.
    var moved: StoreError?
    /// A save that was to be on the disk before it returned has not got there yet.
    var owesSync = false
    /// The number of the commit that is due next; nil where none is. Only one is due at a time, so
    /// that failures that follow each other do not start a chain of retries each.
    var due: Int?
    var lastDue = 0
    var lastCommit: ContinuousClock.Instant?
    var failuresInRow = 0
  }

  /// A save that was executed.
  struct Uncommitted {
    let number: Int
    let changes: ChangeSet
  }

  /// Somebody who wants to know what becomes of a save.
  struct Waiting {
    let number: Int
    let queue: DispatchQueue
    let body: @Sendable (CommitFailure?) -> Void
  }

  let state = Guarded(State())
  private static let interval: Duration = .milliseconds(4)

  var hasUncommitted: Bool { state.withLock { !$0.uncommitted.isEmpty } }
  var metrics: CommitMetrics { state.withLock { $0.metrics } }

  /// What the next commit has to promise.
  var owedDurability: Durability { state.withLock { $0.owesSync ? .immediate : .eventual } }

  /// The keys of all rows that were executed and are not committed.
  var uncommittedKeys: [RowKey] { state.withLock { $0.uncommitted.flatMap(\.changes.keys) } }

  func executed(_ changes: ChangeSet) -> SaveNumber {
    let rows = changes.count
    return state.withLock { state in
      state.executed += 1
      state.uncommitted.append(Uncommitted(number: state.executed, changes: changes))
      state.metrics.changeSetsWaiting += 1
      state.metrics.rowsWaiting += rows
      return SaveNumber(rawValue: state.executed)
    }
  }

  /// Notes that everything was committed, and returns it.
  func committed(took duration: Duration) -> [ChangeSet] {
    let done = state.withLock { state -> Settled in
      state.metrics.rowsCommitted += state.metrics.rowsWaiting
      state.metrics.commits += 1
      state.metrics.lastCommitDuration = duration
      state.lastCommit = ContinuousClock.now
      state.due = nil
      state.failuresInRow = 0
      return state.settleAll()
    }
    Self.tell(done.waiting[...], nil)
    if !done.reported.isEmpty || !done.settlers.isEmpty { tellSettled(done) }
    return done.changes
  }

  /// Notes that nothing was committed. `tellsObservers` is false where a caller waits for the commit, who
  /// is told of the failure.
  func failed(_ error: StoreError, _ durability: Durability, tellsObservers: Bool) {
    let (waiting, observers) = state.withLock { state in
      state.failuresInRow += 1
      state.reported = state.executed
      if durability == .immediate { state.owesSync = true }
      if error.code == .moved { state.moved = error }
      defer { state.waiting = [] }
      return (state.waiting, tellsObservers ? Array(state.observers.values) : [])
    }
    for observer in observers { observer(.failed(error)) }
    Self.tell(waiting[...], .notYet(error))
  }

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

  /// One block for all on a queue that follow each other: many small saves share a commit.
  static func tell(_ waiting: ArraySlice<Waiting>, _ failure: CommitFailure?) {
    var rest = waiting
    while let first = rest.first {
      let group = rest.prefix { $0.queue === first.queue }
      first.queue.async { for waiting in group { waiting.body(failure) } }
      rest = rest[group.endIndex...]
    }
  }

  /// Returns a number to end the observation with.
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

  /// A commit to be made later.
  struct DueCommit {
    let number: Int
    let delay: Duration
  }

  /// The commit of what was executed; nil where there is nothing to commit, or a commit is due already.
  func nextCommit() -> DueCommit? {
    next { state in
      guard !state.uncommitted.isEmpty else { return nil }
      guard let last = state.lastCommit else { return .zero }
      return max(.zero, Self.interval - (ContinuousClock.now - last))
    }
  }

  /// Another attempt after a failure, later the longer it lasts.
  func nextAttempt() -> DueCommit? {
    next { .milliseconds(min(5000, 50 << min(10, $0.failuresInRow))) }
  }

  private func next(after delay: (State) -> Duration?) -> DueCommit? {
    state.withLock { state in
      guard state.due == nil, let delay = delay(state) else { return nil }
      state.lastDue += 1
      state.due = state.lastDue
      return DueCommit(number: state.lastDue, delay: delay)
    }
  }

  /// Whether the commit is still the one that is due; a commit in between has taken its place.
  func begins(_ number: Int) -> Bool {
    state.withLock { state in
      guard state.due == number else { return false }
      state.due = nil
      return true
    }
  }
}

// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesStore

/// The place of a save in the order in which the root executed saves.
package struct SaveNumber: Hashable, Comparable, Sendable {
  package let rawValue: Int
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a root's commits did so far.
public struct CommitMetrics: Hashable, Sendable {
  /// Saves executed and not committed.
  public var changeSetsWaiting = 0
  /// Rows of those saves.
  public var rowsWaiting = 0
  public var lastCommitDuration: Duration = .zero
  public var commits = 0
  public var rowsCommitted = 0

  public init() {}
}

/// Keeps account of executed and committed saves, and decides when the next commit is due: at once
/// where none was lately, else a few milliseconds after the last, so that many small saves share it.
final class CommitLedger: Sendable {
  private struct State {
    var executed = 0
    /// What was executed since the last commit, in order.
    var uncommitted: [ChangeSet] = []
    var committed = 0
    var metrics = CommitMetrics()
    var waiting: [Waiting] = []
    var observers: [Int: @Sendable (StoreError) -> Void] = [:]
    var lastObserver = 0
    /// The number of the commit that is due next; nil where none is. Only one is due at a time, so
    /// that failures that follow each other do not start a chain of retries each.
    var due: Int?
    var lastDue = 0
    var lastCommit: ContinuousClock.Instant?
    var failuresInRow = 0
  }

  /// Who wants to know what becomes of a save.
  private struct Waiting {
    let number: Int
    let queue: DispatchQueue
    let body: @Sendable (StoreError?) -> Void
  }

  private let state = Guarded(State())
  private static let interval: Duration = .milliseconds(4)

  var hasUncommitted: Bool { state.withLock { $0.executed > $0.committed } }
  var metrics: CommitMetrics { state.withLock { $0.metrics } }

  /// The keys of all rows that were executed and are not committed.
  var uncommittedKeys: [RowKey] { state.withLock { $0.uncommitted.flatMap(\.keys) } }

  func executed(_ changes: ChangeSet) -> SaveNumber {
    let rows = changes.count
    return state.withLock { state in
      state.uncommitted.append(changes)
      state.executed += 1
      state.metrics.changeSetsWaiting += 1
      state.metrics.rowsWaiting += rows
      return SaveNumber(rawValue: state.executed)
    }
  }

  /// Notes that everything was committed, and returns it.
  func committed(took duration: Duration) -> [ChangeSet] {
    let (done, changes) = state.withLock { state in
      state.committed = state.executed
      state.metrics.rowsCommitted += state.metrics.rowsWaiting
      state.metrics.rowsWaiting = 0
      state.metrics.changeSetsWaiting = 0
      state.metrics.commits += 1
      state.metrics.lastCommitDuration = duration
      state.lastCommit = ContinuousClock.now
      state.due = nil
      state.failuresInRow = 0
      defer { (state.waiting, state.uncommitted) = ([], []) }
      return (state.waiting, state.uncommitted)
    }
    Self.tell(done[...], nil)
    return changes
  }

  /// `tellsObservers` is false where a caller waits for the commit, who is told of the failure.
  func failed(_ error: StoreError, tellsObservers: Bool) {
    let (waiting, observers) = state.withLock { state in
      state.failuresInRow += 1
      defer { state.waiting = [] }
      return (state.waiting, tellsObservers ? Array(state.observers.values) : [])
    }
    for observer in observers { observer(error) }
    Self.tell(waiting[...], error)
  }

  func whenCommitted(
    _ number: SaveNumber, on queue: DispatchQueue, _ body: @escaping @Sendable (StoreError?) -> Void
  ) {
    let isCommitted = state.withLock { state in
      guard state.committed < number.rawValue else { return true }
      state.waiting.append(Waiting(number: number.rawValue, queue: queue, body: body))
      return false
    }
    if isCommitted { queue.async { body(nil) } }
  }

  /// One block for all on a queue that follow each other: many small saves share a commit.
  private static func tell(_ waiting: ArraySlice<Waiting>, _ failure: StoreError?) {
    var rest = waiting
    while let first = rest.first {
      let group = rest.prefix { $0.queue === first.queue }
      first.queue.async { for waiting in group { waiting.body(failure) } }
      rest = rest[group.endIndex...]
    }
  }

  /// Returns a number to end the observation with.
  func observeFailures(_ body: @escaping @Sendable (StoreError) -> Void) -> Int {
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
      guard state.executed > state.committed else { return nil }
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

// SPDX-License-Identifier: MIT
import SporadesModel
import Dispatch
import SporadesStore

/// The place of a save in the order in which the root executed saves.
package struct SaveNumber: Hashable, Comparable, Sendable {
  let rawValue: Int
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
    var waiting: [(number: Int, body: @Sendable (StoreError?) -> Void)] = []
    var observers: [@Sendable (StoreError) -> Void] = []
    var isScheduled = false
    var lastCommit: ContinuousClock.Instant?
    var failuresInRow = 0
  }

  private let state = Guarded(State())
  private static let interval: Duration = .milliseconds(4)

  var hasUncommitted: Bool { state.withLock { $0.executed > $0.committed } }
  var metrics: CommitMetrics { state.withLock(\.metrics) }

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

  func committed(took duration: Duration) {
    let done = state.withLock { state in
      state.committed = state.executed
      state.uncommitted = []
      state.metrics.rowsCommitted += state.metrics.rowsWaiting
      state.metrics.rowsWaiting = 0
      state.metrics.changeSetsWaiting = 0
      state.metrics.commits += 1
      state.metrics.lastCommitDuration = duration
      state.lastCommit = ContinuousClock.now
      state.isScheduled = false
      state.failuresInRow = 0
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiting in done { waiting.body(nil) }
  }

  func nothingToCommit() { state.withLock { $0.isScheduled = false } }

  func failed(_ error: StoreError) {
    let (waiting, observers) = state.withLock { state in
      state.failuresInRow += 1
      defer { state.waiting = [] }
      return (state.waiting, state.observers)
    }
    for observer in observers { observer(error) }
    for waiting in waiting { waiting.body(error) }
  }

  func whenCommitted(_ number: SaveNumber, _ body: @escaping @Sendable (StoreError?) -> Void) {
    let isCommitted = state.withLock { state in
      guard state.committed < number.rawValue else { return true }
      state.waiting.append((number.rawValue, body))
      return false
    }
    if isCommitted { body(nil) }
  }

  func observeFailures(_ body: @escaping @Sendable (StoreError) -> Void) {
    state.withLock { $0.observers.append(body) }
  }

  // MARK: - When to commit

  func scheduleCommit(on queue: DispatchQueue, _ commit: @escaping @Sendable () -> Void) {
    let delay: Duration? = state.withLock { state in
      guard state.executed > state.committed, !state.isScheduled else { return nil }
      state.isScheduled = true
      guard let last = state.lastCommit else { return .zero }
      return max(.zero, Self.interval - (ContinuousClock.now - last))
    }
    guard let delay else { return }
    run(commit, on: queue, after: delay)
  }

  /// Tries again after a failure, less often the longer it lasts.
  func scheduleRetry(on queue: DispatchQueue, _ commit: @escaping @Sendable () -> Void) {
    let delay = state.withLock { state in
      state.isScheduled = true
      return Duration.milliseconds(min(5000, 50 << min(10, state.failuresInRow)))
    }
    run(commit, on: queue, after: delay)
  }

  private func run(
    _ commit: @escaping @Sendable () -> Void, on queue: DispatchQueue, after delay: Duration
  ) {
    if delay == .zero { return queue.async(execute: commit) }
    let nanoseconds = Int(delay / .nanoseconds(1))
    queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: commit)
  }
}

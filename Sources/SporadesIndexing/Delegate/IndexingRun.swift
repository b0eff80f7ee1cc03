// SPDX-License-Identifier: MIT
import SporadesModel

/// One run of a delegate, from its start to its stop. A stop cuts waits short, and never a batch.
final class IndexingRun: Sendable {
  private struct State {
    var isStopped = false
    /// Somebody woke the run since its last wait.
    var isWoken = false
    var wait: Task<Void, Never>?
    var work: Task<Void, Never>?
    var isEnded = false
  }

  private let state = Guarded(State())

  var isStopped: Bool { state.withLock(\.isStopped) }
  /// The run works or waits.
  var isAlive: Bool { state.withLock { !$0.isStopped && !$0.isEnded } }

  func begin(_ body: @escaping @Sendable () async -> Void) {
    let work = Task {
      await body()
      state.withLock { $0.isEnded = true }
    }
    state.withLock { $0.work = work }
  }

  /// Waits for the end of `body`, which a stop and a wake cancel.
  func wait(_ body: @escaping @Sendable () async -> Void) async {
    let wait = Task { await body() }
    let isOver = state.withLock { state in
      state.wait = wait
      return state.isStopped || state.isWoken
    }
    if isOver { wait.cancel() }
    await wait.value
    state.withLock { ($0.wait, $0.isWoken) = (nil, false) }
  }

  /// Ends the wait that runs, or the next one.
  func wake() {
    let wait = state.withLock { state in
      state.isWoken = true
      return state.wait
    }
    wait?.cancel()
  }

  /// Asks the run to end.
  func stop() {
    let wait = state.withLock { state in
      state.isStopped = true
      return state.wait
    }
    wait?.cancel()
  }

  /// Waits for the end of the work.
  func end() async { await state.withLock(\.work)?.value }
}

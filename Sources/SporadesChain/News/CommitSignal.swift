// SPDX-License-Identifier: MIT
import SporadesModel

/// The number of commits so far, for tasks that wait for the next one.
package final class CommitSignal: Sendable {
  private struct State {
    var commits = 0
    var isFinished = false
    var lastWaiter = 0
    /// Blocks, because the runtime looks long for what a dictionary of continuations needs, at the start of each program.
    var waiting: [Int: @Sendable (Int?) -> Void] = [:]
  }

  private let state = Guarded(State())

  /// The number of commits so far.
  package var commits: Int { state.withLock(\.commits) }

  /// Counts a commit and wakes every waiting task.
  func raise() {
    let (waiting, commits) = state.withLock { state in
      state.commits += 1
      defer { state.waiting = [:] }
      return (state.waiting, state.commits)
    }
    for resume in waiting.values { resume(commits) }
  }

  /// Wakes every waiting task for the last time.
  func finish() {
    let waiting = state.withLock { state in
      state.isFinished = true
      defer { state.waiting = [:] }
      return state.waiting
    }
    for resume in waiting.values { resume(nil) }
  }

  /// Waits until there were more commits than a number, and returns their number. Nil if no commit follows any more, or
  /// if the task is cancelled.
  package func wait(beyond known: Int) async -> Int? {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Int?? in
          if state.commits > known { return .some(state.commits) }
          if state.isFinished || Task.isCancelled { return .some(nil) }
          state.waiting[number] = { continuation.resume(returning: $0) }
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?(nil)
    }
  }
}

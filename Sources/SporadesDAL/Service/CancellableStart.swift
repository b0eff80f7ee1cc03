// SPDX-License-Identifier: MIT
import SporadesModel

/// Decides whether a queued block starts or its task is cancelled, whichever comes first.
final class CancellableStart: Sendable {
  private enum State { case waiting, started, cancelled }
  private let state = Guarded(State.waiting)

  /// Starts the block. Returns false if it was cancelled before. A later cancellation has no effect.
  func start() -> Bool {
    state.withLock { state in
      guard state != .cancelled else { return false }
      state = .started
      return true
    }
  }

  /// Cancels the block if it has not started.
  func cancel() { state.withLock { if $0 == .waiting { $0 = .cancelled } } }
}

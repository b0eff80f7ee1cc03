// SPDX-License-Identifier: MIT
import SporadesModel

/// A block that waits for its turn and may be cancelled until then.
final class Turn: Sendable {
  private enum State { case waiting, begun, cancelled }
  private let state = Guarded(State.waiting)

  /// False where it was cancelled; from now on it can not be.
  func begin() -> Bool {
    state.withLock { state in
      guard state != .cancelled else { return false }
      state = .begun
      return true
    }
  }

  func cancel() { state.withLock { if $0 == .waiting { $0 = .cancelled } } }
}

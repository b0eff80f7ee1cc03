// SPDX-License-Identifier: MIT
import Dispatch
import SporadesChain
import SporadesModel

/// The contexts over a store that live until the process exits: they are looked at then. In debug builds alone.
package enum ContextsAtExit {
  private enum Held {
    case queue(Weak<ContextQueue>)
    case thread(Weak<ManagedObjectContext>)

    var isGone: Bool {
      switch self {
      case .queue(let held): held.object == nil
      case .thread(let held): held.object == nil
      }
    }
  }

  // @unchecked: what belongs to a thread is used on that thread alone.
  private struct Weak<Object: AnyObject>: @unchecked Sendable {
    weak var object: Object?
  }

  private struct State {
    var isHeard = false
    var held: [Held] = []
    /// The number of contexts at which those that are gone are forgotten.
    var bound = 16
  }

  private static let state = Guarded(State())
  /// Blocks that never end do not keep the process from exiting.
  private static let patience = DispatchTimeInterval.milliseconds(100)

  static func watch(_ queue: ContextQueue) { watch(.queue(Weak(object: queue))) }

  /// Watches a context that the calling thread holds.
  static func watch(_ context: ManagedObjectContext) { watch(.thread(Weak(object: context))) }

  private static func watch(_ held: Held) {
    let isFirst = state.withLock { state in
      defer { state.isHeard = true }
      if state.held.count >= state.bound {
        state.held.removeAll(where: \.isGone)
        state.bound = max(16, 2 * state.held.count)
      }
      state.held.append(held)
      return !state.isHeard
    }
    guard isFirst else { return }
    // Ignored: if the C library takes no more functions, a hint is missing.
    _ = atProcessExit { ContextsAtExit.hint() }
  }

  /// Says which of them have unsaved changes. Whoever ends the process in another way than by `exit` calls it.
  package static func hint() {
    let deadline = DispatchTime.now() + patience
    for held in state.withLock(\.held) {
      switch held {
      case .queue(let held): if let queue = held.object { hint(queue, until: deadline) }
      case .thread(let held):
        // Another thread may be using its context.
        guard let context = held.object, context.access.isHeldByCurrentThread else { continue }
        context.hintAtLostChanges(.exit)
      }
    }
  }

  private static func hint(_ queue: ContextQueue, until deadline: DispatchTime) {
    if queue.isOnItsThread { return queue.performAndWait { $0.hintAtLostChanges(.exit) } }
    let done = DispatchSemaphore(value: 0)
    queue.performLater { context in
      context.hintAtLostChanges(.exit)
      done.signal()
    }
    // Ignored, because of the sentence at `patience`.
    _ = done.wait(timeout: deadline)
  }
}

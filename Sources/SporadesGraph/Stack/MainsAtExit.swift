// SPDX-License-Identifier: MIT
import Dispatch
import SporadesChain
import SporadesModel

/// The main contexts of the process, which are looked at when it exits. In debug builds alone.
package enum MainsAtExit {
  private struct Held {
    weak var main: ContextQueue?
  }

  private struct State {
    var isHeard = false
    var held: [Held] = []
  }

  private static let state = Guarded(State())
  /// A block that never ends does not keep the process from exiting.
  private static let patience = DispatchTimeInterval.milliseconds(100)

  static func watch(_ main: ContextQueue) {
    let isFirst = state.withLock { state in
      defer { state.isHeard = true }
      state.held.removeAll { $0.main == nil }
      state.held.append(Held(main: main))
      return !state.isHeard
    }
    guard isFirst else { return }
    // Ignored: if the C library takes no more functions, a hint is missing.
    _ = atProcessExit { MainsAtExit.hint() }
  }

  /// Says which of them have unsaved changes. Whoever ends the process in another way than by `exit` calls it.
  package static func hint() {
    for main in state.withLock({ $0.held.compactMap(\.main) }) {
      if main.isOnItsThread {
        main.performAndWait { $0.hintAtLostChanges(.exit) }
        continue
      }
      let done = DispatchSemaphore(value: 0)
      main.performLater { context in
        context.hintAtLostChanges(.exit)
        done.signal()
      }
      // Ignored, because of the sentence at `patience`.
      _ = done.wait(timeout: .now() + patience)
    }
  }
}

// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
package import SporadesStore
import Synchronization

/// The roots without a service, whose accepted saves are committed when the process exits.
///
/// The reactor of a service flushes its root. These roots have no reactor: without this list, the exit would lose saves
/// that wait some milliseconds for their commit.
enum RootsAtExit {
  private struct Held {
    weak var root: RootContext?
  }

  private struct State {
    var isHeard = false
    var held: [Held] = []
  }

  private static let state = Guarded(State())
  /// A save that never ends does not keep the process from exiting.
  private static let patience = DispatchTimeInterval.seconds(10)

  static func watch(_ root: RootContext) {
    let isFirst = state.withLock { state in
      defer { state.isHeard = true }
      state.held.removeAll { $0.root == nil }
      state.held.append(Held(root: root))
      return !state.isHeard
    }
    guard isFirst, !atProcessExit({ RootsAtExit.commit() }) else { return }
    writeToStandardError(
      "Sporades: the C library takes no function for the exit, so close each store before the end of the program.\n"
    )
  }

  /// A root whose commit is due is alive, because the commit holds it.
  private static func commit() {
    for root in state.withLock({ $0.held.compactMap(\.root) }) where root.ledger.hasUncommitted {
      let done = DispatchSemaphore(value: 0)
      // Another thread commits, because the exiting one may be in the middle of a save.
      DispatchQueue(label: "sporades.exit", qos: .userInitiated).async {
        if let failure = root.commitAtExit() { report("\(failure)") }
        done.signal()
      }
      if done.wait(timeout: .now() + patience) == .timedOut {
        report("A save was still running after ten seconds.")
      }
    }
  }

  private static func report(_ reason: String) {
    writeToStandardError(
      "Sporades: the process exits, and the last saves of a stack could not be committed. \(reason)\n"
    )
  }
}

extension RootContext {
  /// Commits the accepted saves. Returns the failure that keeps some of them from the store: a store that its owner has
  /// closed took them when it was closed.
  package func commitAtExit() -> StoreError? {
    let failure = commit(.eventual)
    return ledger.hasUncommitted ? failure : nil
  }

  /// Commits the accepted saves when the process exits, unless a service does.
  func watchExit() {
    guard !isExitWatched.load(ordering: .relaxed),
      !isExitWatched.exchange(true, ordering: .relaxed)
    else { return }
    RootsAtExit.watch(self)
  }

  /// Says that a service flushes the root before the process ends.
  package func leaveExitToService() { isExitWatched.store(true, ordering: .relaxed) }
}

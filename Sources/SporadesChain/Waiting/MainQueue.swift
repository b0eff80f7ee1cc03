// SPDX-License-Identifier: MIT
import CSystem
import Dispatch
import Synchronization

/// The main queue. The main thread serves it, and after `dispatchMain()` any thread does.
package enum MainQueue {
  private static let mark: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()
  /// The thread that serves the main queue while it runs a block of another queue; 0 for none. There is one at most.
  private static let server = Atomic<Int>(0)

  /// The calling thread serves the main queue, so a block of that queue runs in place.
  package static var isCurrent: Bool {
    isInnermost || server.load(ordering: .relaxed) == ConcurrencyCheck.currentThread
      || sporades_is_main_thread()
  }

  private static var isInnermost: Bool { DispatchQueue.getSpecific(key: mark) != nil }

  /// Runs a `body` that enters another queue on the calling thread. Dispatch knows the innermost queue of a thread alone, so
  /// the thread is noted here.
  package static func leave<Output, Failure: Error>(
    _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    guard isInnermost else { return try body() }
    server.store(ConcurrencyCheck.currentThread, ordering: .relaxed)
    defer { server.store(0, ordering: .relaxed) }
    return try body()
  }
}

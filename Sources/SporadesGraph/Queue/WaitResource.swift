// SPDX-License-Identifier: MIT
import SporadesModel
import Synchronization

/// Something one thread at a time holds and others wait for.
///
/// A thread that holds something and waits for something else may close a circle of waits that
/// nothing would ever end. Such a wait traps at once, with a sentence instead of silence.
package final class WaitResource: Sendable {
  private let name: String
  private let owner = Atomic<UInt>(0)

  package init(_ name: String) { self.name = name }

  package var isHeldByCurrentThread: Bool {
    owner.load(ordering: .relaxed) == ConcurrencyCheck.currentThread
  }

  /// Runs `body` as the thread that holds the resource.
  package func hold<Output, Failure: Error>(
    _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    take()
    defer { giveBack() }
    return try body()
  }

  /// Begins to hold the resource; the calling thread gives it back itself.
  package func take() {
    owner.store(ConcurrencyCheck.currentThread, ordering: .relaxed)
    HeldByThread.count += 1
  }

  package func giveBack() {
    HeldByThread.count -= 1
    owner.store(0, ordering: .relaxed)
  }

  /// Runs `body`, which blocks until the resource is free.
  package func wait<Output, Failure: Error>(
    _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    guard HeldByThread.count > 0 else { return try body() }
    let thread = ConcurrencyCheck.currentThread
    WaitGraph.begin(thread, self)
    defer { WaitGraph.end(thread) }
    return try body()
  }

  /// Who waits for what, among threads that hold something.
  private enum WaitGraph {
    private struct State {
      var waits: [UInt: WaitResource] = [:]
    }

    private static let state = Guarded(State())

    static func begin(_ thread: UInt, _ resource: WaitResource) {
      let path = state.withLock { state -> [String]? in
        state.waits[thread] = resource
        var names: [String] = []
        var next: WaitResource? = resource
        while let current = next {
          names.append(current.name)
          let owner = current.owner.load(ordering: .relaxed)
          if owner == thread { return names }
          next = state.waits[owner]
          if names.count > 64 { return nil }
        }
        return nil
      }
      guard let path else { return }
      preconditionFailure(
        """
        A wait would never end: \(path.joined(separator: " waits for ")), which waits for this \
        thread. Inside a read use writeAsync, and inside a write use the write's own context.
        """)
    }

    static func end(_ thread: UInt) { state.withLock { $0.waits[thread] = nil } }
  }
}

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
    let thread = ConcurrencyCheck.currentThread
    owner.store(thread, ordering: .relaxed)
    WaitGraph.holds(thread, +1)
    defer {
      WaitGraph.holds(thread, -1)
      owner.store(0, ordering: .relaxed)
    }
    return try body()
  }

  /// Runs `body`, which blocks until the resource is free.
  package func wait<Output, Failure: Error>(
    _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    let thread = ConcurrencyCheck.currentThread
    guard WaitGraph.isHolding(thread) else { return try body() }
    WaitGraph.begin(thread, self)
    defer { WaitGraph.end(thread) }
    return try body()
  }

  /// Who holds what, for threads that hold something.
  private enum WaitGraph {
    private struct State {
      var held: [UInt: Int] = [:]
      var waits: [UInt: WaitResource] = [:]
    }

    private static let state = Guarded(State())

    static func holds(_ thread: UInt, _ change: Int) {
      state.withLock {
        let count = ($0.held[thread] ?? 0) + change
        $0.held[thread] = count == 0 ? nil : count
      }
    }

    static func isHolding(_ thread: UInt) -> Bool { state.withLock { $0.held[thread] != nil } }

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

// SPDX-License-Identifier: MIT
import SporadesModel
import Synchronization

/// A resource that one thread holds or several threads share, while other threads wait for it.
///
/// A thread that holds one resource and waits for another can close a circle of waits, which would never end.
/// Such a wait is refused at once, or traps with a sentence where no caller could hear of a refusal.
@usableFromInline
package final class WaitResource: Sendable {
  fileprivate let name: String
  fileprivate let owner = Atomic<Int>(0)

  package init(_ name: String) { self.name = name }

  /// The calling thread holds the resource.
  package var isHeldByCurrentThread: Bool {
    owner.load(ordering: .relaxed) == ConcurrencyCheck.currentThread
  }

  /// The calling thread holds or shares a resource for which other threads may wait.
  package static var currentThreadHoldsAny: Bool { HeldByThread.count > 0 }

  /// Runs `body` while the calling thread holds the resource.
  @inlinable
  package func hold<Output, Failure: Error>(
    _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    take()
    defer { giveBack() }
    return try body()
  }

  /// Runs `body` while the calling thread shares the resource.
  package func share<Output, Failure: Error>(
    _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    let thread = ConcurrencyCheck.currentThread
    WaitGraph.share(thread, self)
    HeldByThread.count += 1
    defer {
      HeldByThread.count -= 1
      WaitGraph.unshare(thread, self)
    }
    return try body()
  }

  /// Begins to hold the resource. The calling thread ends that with ``giveBack()``.
  @usableFromInline
  package func take() {
    owner.store(ConcurrencyCheck.currentThread, ordering: .relaxed)
    HeldByThread.count += 1
  }

  /// Makes the calling thread the holder for ever. No thread may wait for the resource then, so it does not
  /// count among the resources that the thread holds.
  package func belongToCurrentThread() {
    owner.store(ConcurrencyCheck.currentThread, ordering: .relaxed)
  }

  /// Ends the hold that ``take()`` began.
  @usableFromInline
  package func giveBack() {
    HeldByThread.count -= 1
    owner.store(0, ordering: .relaxed)
  }

  /// Runs `body`, which blocks until no thread holds or shares the resource. With `toShare`, `body` blocks until
  /// no thread holds it.
  @inlinable
  package func wait<Output, Failure: Error>(
    toShare: Bool = false, _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    let isNoted = beginWait(toShare: toShare)
    defer { if isNoted { endWait() } }
    return try body()
  }

  /// Runs `body` as ``wait(toShare:_:)`` does. If the wait would never end, it returns the names of the resources in the
  /// circle and does not run `body`.
  package func waitUnlessCircular(toShare: Bool = false, _ body: () -> Void) -> [String]? {
    guard HeldByThread.count > 0 else {
      body()
      return nil
    }
    defer { endWait() }
    if let circle = noteWait(toShare: toShare) { return circle }
    body()
    return nil
  }

  /// Records the wait if the calling thread holds a resource itself. Returns whether it did.
  @usableFromInline
  func beginWait(toShare: Bool) -> Bool {
    guard HeldByThread.count > 0 else { return false }
    guard let circle = noteWait(toShare: toShare) else { return true }
    trap(
      """
      A wait would never end: \(circle.joined(separator: " waits for ")), which waits for this \
      thread. Inside a read use writeAsync, and inside a write use the write's own context.
      """)
  }

  private func noteWait(toShare: Bool) -> [String]? {
    WaitGraph.begin(
      ConcurrencyCheck.currentThread, WaitGraph.Wait(resource: self, toShare: toShare))
  }

  @usableFromInline
  func endWait() { WaitGraph.end(ConcurrencyCheck.currentThread) }
}

/// The waits of the threads that hold a resource themselves.
private enum WaitGraph {
  struct Wait {
    let resource: WaitResource
    let toShare: Bool
  }

  private struct State {
    var waits: [Int: Wait] = [:]
    /// The threads that share each resource. A thread that shares it twice is listed twice.
    var sharers: [ObjectIdentifier: [Int]] = [:]

    /// The names of the resources on a path from the wait back to the thread; nil if there is no such path.
    func circle(_ wait: Wait, backTo thread: Int, _ seen: inout Set<Int>) -> [String]? {
      var owners = [wait.resource.owner.load(ordering: .relaxed)]
      if !wait.toShare { owners += sharers[ObjectIdentifier(wait.resource)] ?? [] }
      for owner in owners where owner != 0 {
        if owner == thread { return [wait.resource.name] }
        guard seen.insert(owner).inserted, let next = waits[owner],
          let path = circle(next, backTo: thread, &seen)
        else { continue }
        return [wait.resource.name] + path
      }
      return nil
    }
  }

  private static let state = Guarded(State())

  static func share(_ thread: Int, _ resource: WaitResource) {
    state.withLock { $0.sharers[ObjectIdentifier(resource), default: []].append(thread) }
  }

  static func unshare(_ thread: Int, _ resource: WaitResource) {
    state.withLock { state in
      var threads = state.sharers[ObjectIdentifier(resource)] ?? []
      if let place = threads.lastIndex(of: thread) { threads.remove(at: place) }
      state.sharers[ObjectIdentifier(resource)] = threads.isEmpty ? nil : threads
    }
  }

  /// Notes the wait. Returns the names of the resources in the circle that it would close.
  static func begin(_ thread: Int, _ wait: Wait) -> [String]? {
    state.withLock { state in
      state.waits[thread] = wait
      var seen: Set<Int> = []
      return state.circle(wait, backTo: thread, &seen)
    }
  }

  static func end(_ thread: Int) { state.withLock { $0.waits[thread] = nil } }
}

// SPDX-License-Identifier: MIT
import SporadesModel
import Synchronization

/// Something one thread at a time holds, or several share, and others wait for.
///
/// A thread that holds something and waits for something else may close a circle of waits that
/// nothing would ever end. Such a wait traps at once, with a sentence instead of silence.
@usableFromInline
package final class WaitResource: Sendable {
  fileprivate let name: String
  fileprivate let owner = Atomic<UInt>(0)

  package init(_ name: String) { self.name = name }

  package var isHeldByCurrentThread: Bool {
    owner.load(ordering: .relaxed) == ConcurrencyCheck.currentThread
  }

  /// The thread holds or shares something others may wait for.
  package static var currentThreadHoldsAny: Bool { HeldByThread.count > 0 }

  /// Runs `body` as the thread that holds the resource.
  @inlinable
  package func hold<Output, Failure: Error>(
    _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    take()
    defer { giveBack() }
    return try body()
  }

  /// Runs `body` as one of the threads that share the resource.
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

  /// Begins to hold the resource; the calling thread gives it back itself.
  @usableFromInline
  package func take() {
    owner.store(ConcurrencyCheck.currentThread, ordering: .relaxed)
    HeldByThread.count += 1
  }

  /// Gives the resource to the calling thread for ever. Nobody may wait for it, so it counts as no resource
  /// that the thread holds.
  package func belongToCurrentThread() {
    owner.store(ConcurrencyCheck.currentThread, ordering: .relaxed)
  }

  @usableFromInline
  package func giveBack() {
    HeldByThread.count -= 1
    owner.store(0, ordering: .relaxed)
  }

  /// Runs `body`, which blocks until the resource is free; with `toShare`, until nobody holds it
  /// alone.
  @inlinable
  package func wait<Output, Failure: Error>(
    toShare: Bool = false, _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    let isNoted = beginWait(toShare: toShare)
    defer { if isNoted { endWait() } }
    return try body()
  }

  /// Notes the wait of a thread that holds something itself.
  @usableFromInline
  func beginWait(toShare: Bool) -> Bool {
    guard HeldByThread.count > 0 else { return false }
    WaitGraph.begin(
      ConcurrencyCheck.currentThread, WaitGraph.Wait(resource: self, toShare: toShare))
    return true
  }

  @usableFromInline
  func endWait() { WaitGraph.end(ConcurrencyCheck.currentThread) }
}

/// Who waits for what, among threads that hold something.
private enum WaitGraph {
  struct Wait {
    let resource: WaitResource
    let toShare: Bool
  }

  private struct State {
    var waits: [UInt: Wait] = [:]
    /// The threads that share a resource; one that shares it twice is there twice.
    var sharers: [ObjectIdentifier: [UInt]] = [:]

    /// The resources on a way from a wait back to the thread, if there is one.
    func circle(_ wait: Wait, backTo thread: UInt, _ seen: inout Set<UInt>) -> [String]? {
      var owners = [wait.resource.owner.load(ordering: .relaxed)]
      if !wait.toShare { owners += sharers[ObjectIdentifier(wait.resource)] ?? [] }
      for owner in owners where owner != 0 {
        if owner == thread { return [wait.resource.name] }
        guard seen.insert(owner).inserted, let next = waits[owner],
          let rest = circle(next, backTo: thread, &seen)
        else { continue }
        return [wait.resource.name] + rest
      }
      return nil
    }
  }

  private static let state = Guarded(State())

  static func share(_ thread: UInt, _ resource: WaitResource) {
    state.withLock { $0.sharers[ObjectIdentifier(resource), default: []].append(thread) }
  }

  static func unshare(_ thread: UInt, _ resource: WaitResource) {
    state.withLock { state in
      var threads = state.sharers[ObjectIdentifier(resource)] ?? []
      if let place = threads.lastIndex(of: thread) { threads.remove(at: place) }
      state.sharers[ObjectIdentifier(resource)] = threads.isEmpty ? nil : threads
    }
  }

  static func begin(_ thread: UInt, _ wait: Wait) {
    let path = state.withLock { state -> [String]? in
      state.waits[thread] = wait
      var seen: Set<UInt> = []
      return state.circle(wait, backTo: thread, &seen)
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

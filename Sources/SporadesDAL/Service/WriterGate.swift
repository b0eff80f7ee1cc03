// SPDX-License-Identifier: MIT
import Dispatch
import SporadesGraph
import SporadesModel

/// Lets the writes of a service pass one after the other, or all at once where it was asked to.
///
/// Rules:
/// 1. Writes pass in the order they came, whether their callers wait or not.
/// 2. A wait that would never end traps at once.
/// 3. A write that was let in is waited for, whether it has reached the queue or not: to its caller
///    it may succeed at any moment.
/// 4. What passes alone comes after every write that came before, and before those that come later.
final class WriterGate: Sendable {
  private let queue: DispatchQueue
  private let isConcurrent: Bool
  private let state = Guarded(State())
  private let resource = WaitResource("the writes of a service")

  private struct State {
    var queued = 0
    /// Refuses writes, and lets who asks for one wait until nobody is in the group.
    var stopping: DispatchGroup?
    var isClosed = false
    /// What waits, at a gate that lets nobody in, for the writes that were let in before.
    var afterLast: [@Sendable () -> Void] = []
  }

  init(allowsConcurrentWritings: Bool) {
    isConcurrent = allowsConcurrentWritings
    queue = DispatchQueue(
      label: "sporades.writes", qos: .userInitiated,
      attributes: allowsConcurrentWritings ? .concurrent : [])
  }

  /// Writes that wait for their turn or run.
  var queued: Int { state.withLock(\.queued) }

  /// Refuses writes from now on, for a while or for good; those that wait already still pass. Who
  /// asks for one hears of it when nobody is in `flushes` any more, and passes after all where the
  /// gate goes on by then.
  func stop(until flushes: DispatchGroup) { state.withLock { $0.stopping = flushes } }
  func goOn() { state.withLock { $0.stopping = nil } }

  /// False where the gate was closed before.
  func close() -> Bool {
    state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
  }
  func reopen() { state.withLock { $0.isClosed = false } }

  /// Runs `body` on the calling thread when its turn comes, or returns why it may not pass.
  func pass(_ body: () -> Void) -> DALError? {
    if let refusal = enter() {
      refusal.wait()
      if let refusal = enter() { return refusal.error }
    }
    defer { leave() }
    resource.wait(toShare: isConcurrent) {
      queue.sync { if isConcurrent { resource.share(body) } else { resource.hold(body) } }
    }
    return nil
  }

  /// Runs `body` later, when its turn comes, or returns why it may not pass.
  func passLater(_ body: @escaping @Sendable () -> Void) -> Refusal? {
    if let refusal = enter() { return refusal }
    queue.async {
      if self.isConcurrent { self.resource.share(body) } else { self.resource.hold(body) }
      self.leave()
    }
    return nil
  }

  /// Runs `body` while no write runs, after those that came before.
  func passAlone(_ body: () -> Void) {
    resource.wait { queue.sync(flags: .barrier) { resource.hold(body) } }
  }

  /// Calls `body` when every write that came before has passed.
  func whenDrained(_ body: @escaping @Sendable () -> Void) {
    queue.async(flags: .barrier) { [self] in
      let isLate = state.withLock { state in
        guard state.stopping != nil || state.isClosed, state.queued > 0 else { return false }
        state.afterLast.append(body)
        return true
      }
      if !isLate { body() }
    }
  }

  /// Why a write may not pass.
  struct Refusal {
    let error: DALError
    fileprivate let flushes: DispatchGroup?

    /// Returns when the caller may hear of it. A thread that holds what a flush may wait for hears of
    /// it at once.
    func wait() {
      if !WaitResource.currentThreadHoldsAny { flushes?.wait() }
    }

    /// Calls `body` when the caller may hear of it.
    func whenTold(_ body: @escaping @Sendable () -> Void) {
      guard let flushes else { return body() }
      flushes.notify(queue: .global(qos: .userInitiated), execute: body)
    }
  }

  private func enter() -> Refusal? {
    state.withLock { state in
      if state.isClosed {
        return Refusal(error: DALError(.closed, during: .write), flushes: nil)
      }
      if let flushes = state.stopping {
        return Refusal(error: DALError(.stopping, during: .write), flushes: flushes)
      }
      state.queued += 1
      return nil
    }
  }

  private func leave() {
    let waiting = state.withLock { state -> [@Sendable () -> Void] in
      state.queued -= 1
      guard state.queued == 0 else { return [] }
      defer { state.afterLast = [] }
      return state.afterLast
    }
    for body in waiting { queue.async(flags: .barrier, execute: body) }
  }
}

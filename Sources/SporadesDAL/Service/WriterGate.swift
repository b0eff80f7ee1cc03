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
    var isStopping = false
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

  /// Refuses writes from now on, for a while or for good; those that wait already still pass.
  func stop() { state.withLock { $0.isStopping = true } }
  func goOn() { state.withLock { $0.isStopping = false } }

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
    if let refusal = enter() { return refusal }
    defer { leave() }
    resource.wait(toShare: isConcurrent) {
      queue.sync { if isConcurrent { resource.share(body) } else { resource.hold(body) } }
    }
    return nil
  }

  /// Runs `body` later, when its turn comes, or returns why it may not pass.
  func passLater(_ body: @escaping @Sendable () -> Void) -> DALError? {
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
        guard state.isStopping || state.isClosed, state.queued > 0 else { return false }
        state.afterLast.append(body)
        return true
      }
      if !isLate { body() }
    }
  }

  private func enter() -> DALError? {
    state.withLock { state in
      if state.isClosed { return DALError(.closed, during: .write) }
      if state.isStopping { return DALError(.stopping, during: .write) }
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

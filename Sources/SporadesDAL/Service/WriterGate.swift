// SPDX-License-Identifier: MIT
import Dispatch
import SporadesGraph
import SporadesModel

/// Lets the writes of a service pass one after the other, or all at once where it was asked to.
///
/// Rules:
/// 1. Writes pass in the order they came, whether their callers wait or not.
/// 2. A write inside a write belongs to it and does not wait.
/// 3. A wait that would never end traps at once.
/// 4. A write that was let in is waited for, whether it has reached the queue or not: to its caller
///    it may succeed at any moment.
final class WriterGate: Sendable {
  private let queue: DispatchQueue
  private let isConcurrent: Bool
  private let state = Guarded(State())
  private let resource = WaitResource("the writes of a service")

  private struct State {
    var queued = 0
    var isClosed = false
    /// What waits, at a closed gate, for the writes that were let in before.
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

  /// The calling thread is inside a write that passed this gate.
  var isInside: Bool { !isConcurrent && resource.isHeldByCurrentThread }

  var isClosed: Bool { state.withLock(\.isClosed) }

  /// Refuses writes from now on; those that wait already still pass.
  func close() { state.withLock { $0.isClosed = true } }
  func reopen() { state.withLock { $0.isClosed = false } }

  /// Runs `body` on the calling thread when its turn comes; false where the gate is closed.
  func pass(_ body: () -> Void) -> Bool {
    guard enter() else { return false }
    defer { leave() }
    if isConcurrent {
      body()
    } else {
      resource.wait { queue.sync { resource.hold(body) } }
    }
    return true
  }

  /// Runs `body` later, when its turn comes; false where the gate is closed.
  func passLater(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard enter() else { return false }
    queue.async {
      if self.isConcurrent { body() } else { self.resource.hold(body) }
      self.leave()
    }
    return true
  }

  /// Runs `body` while no write runs, after those that came before.
  func passAlone(_ body: () -> Void) {
    resource.wait { queue.sync(flags: .barrier) { resource.hold(body) } }
  }

  /// Calls `body` when every write that came before has passed.
  func whenDrained(_ body: @escaping @Sendable () -> Void) {
    queue.async(flags: .barrier) { [self] in
      let isLate = state.withLock { state in
        guard state.isClosed, state.queued > 0 else { return false }
        state.afterLast.append(body)
        return true
      }
      if !isLate { body() }
    }
  }

  private func enter() -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.queued += 1
      return true
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

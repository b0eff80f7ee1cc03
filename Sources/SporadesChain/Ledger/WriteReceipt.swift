// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel

/// Names one accepted write and knows its state.
///
/// The root tries a failed commit again, so a write that was reported as not durable may be committed later.
/// Read the state before you repeat a write: a repetition while the state is ``State/accepted`` or
/// ``State/committed`` writes twice.
public struct WriteReceipt: Hashable, Sendable {
  private let ledger: CommitLedger
  private let number: Int

  /// The state of an accepted write.
  public enum State: Sendable {
    /// The write is executed and not committed yet. The root tries a failed commit again.
    case accepted
    /// The write is committed. If it asked for `.immediate`, it is on the disk.
    case committed
    /// The store cannot keep the write. No part of it will be committed.
    case lost(LostWrite)
  }

  init(ledger: CommitLedger, number: Int) {
    self.ledger = ledger
    self.number = number
  }

  /// The state of the write now.
  public var state: State { ledger.stateOf(number) }

  /// The state of the write after it was committed or lost. A task that is cancelled before gets the state
  /// at its cancellation.
  public var settled: State {
    get async {
      let promise = StatePromise()
      ledger.whenSettled(number) { promise.fulfil($0) }
      return await withTaskCancellationHandler {
        await withCheckedContinuation { promise.resumeWhenFulfilled($0) }
      } onCancel: {
        promise.fulfil(state)
      }
    }
  }

  /// Blocks until the write is committed or lost, or until the time is up, and returns the state.
  @discardableResult
  public func wait(within time: Duration) -> State {
    let isSettled = DispatchSemaphore(value: 0)
    ledger.whenSettled(number) { _ in isSettled.signal() }
    _ = isSettled.wait(timeout: .now() + max(0, time / .seconds(1)))
    return state
  }

  /// Two receipts are equal if they name the same write.
  public static func == (left: WriteReceipt, right: WriteReceipt) -> Bool {
    left.ledger === right.ledger && left.number == right.number
  }

  /// Hashes the identity of the write.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(ledger))
    hasher.combine(number)
  }

  /// Hands one state to one task, whether the state or the task comes first.
  private final class StatePromise: Sendable {
    private struct Parts {
      var state: State?
      var task: CheckedContinuation<State, Never>?
    }
    private let parts = Guarded(Parts())

    /// Sets the state. Later calls change nothing.
    func fulfil(_ state: State) {
      let task = parts.withLock { parts -> CheckedContinuation<State, Never>? in
        guard parts.state == nil else { return nil }
        parts.state = state
        return parts.task
      }
      task?.resume(returning: state)
    }

    func resumeWhenFulfilled(_ task: CheckedContinuation<State, Never>) {
      let state = parts.withLock { parts in
        if parts.state == nil { parts.task = task }
        return parts.state
      }
      if let state { task.resume(returning: state) }
    }
  }
}

// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel

/// Names one accepted write, and answers what became of it.
///
/// A commit that fails is tried again, so a write that was reported as not durable may be committed later.
/// Whoever wants to write again asks the receipt first: writing again while the state is
/// ``State/accepted`` or ``State/committed`` writes twice.
public struct WriteReceipt: Hashable, Sendable {
  private let ledger: CommitLedger
  private let number: Int

  /// What became of an accepted write.
  public enum State: Sendable {
    /// The write is executed and not committed yet; a failed commit is tried again.
    case accepted
    /// The write is committed, and synced where it asked for that.
    case committed
    /// The write could not be kept, and nothing of it will be committed.
    case lost(LostWrite)
  }

  init(ledger: CommitLedger, number: Int) {
    self.ledger = ledger
    self.number = number
  }

  /// The state of the write now.
  public var state: State { ledger.stateOf(number) }

  /// The state of the write once it is committed or lost. A task that is cancelled meanwhile gets the
  /// state as it is then.
  public var settled: State {
    get async {
      let answer = Answer()
      ledger.whenSettled(number) { answer.give($0) }
      return await withTaskCancellationHandler {
        await withCheckedContinuation { answer.ask($0) }
      } onCancel: {
        answer.give(state)
      }
    }
  }

  /// Blocks until the write is committed or lost, or the time is up, and returns its state.
  @discardableResult
  public func wait(within time: Duration) -> State {
    let isSettled = DispatchSemaphore(value: 0)
    ledger.whenSettled(number) { _ in isSettled.signal() }
    _ = isSettled.wait(timeout: .now() + max(0, time / .seconds(1)))
    return state
  }

  public static func == (left: WriteReceipt, right: WriteReceipt) -> Bool {
    left.ledger === right.ledger && left.number == right.number
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(ledger))
    hasher.combine(number)
  }

  /// A state that is given once and asked for once, in either order.
  private final class Answer: Sendable {
    private struct Parts {
      var given: State?
      var asking: CheckedContinuation<State, Never>?
    }
    private let parts = Guarded(Parts())

    func give(_ state: State) {
      let asking = parts.withLock { parts -> CheckedContinuation<State, Never>? in
        guard parts.given == nil else { return nil }
        parts.given = state
        return parts.asking
      }
      asking?.resume(returning: state)
    }

    func ask(_ continuation: CheckedContinuation<State, Never>) {
      let given = parts.withLock { parts in
        if parts.given == nil { parts.asking = continuation }
        return parts.given
      }
      if let given { continuation.resume(returning: given) }
    }
  }
}

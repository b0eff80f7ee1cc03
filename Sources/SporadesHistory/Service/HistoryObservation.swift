// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Synchronization

/// An observation of a service's history. It ends when it is cancelled or released.
public final class HistoryObservation: Sendable {
  private let task: Task<Void, Never>
  /// The transactions that the observation is done with, for those that come after it.
  let progress: HistoryProgress
  private let isCancelled = Atomic(false)

  init(
    of sequence: HistorySequence, after former: HistoryObservation?,
    _ body: @escaping @Sendable (PersistentHistoryChange) async -> Void
  ) {
    let (stream, earlier) = (sequence.makeStream(), former?.progress)
    progress = stream.progress
    task = Task {
      defer { stream.progress.end() }
      do {
        while let transaction = try await stream.next() {
          await earlier?.wait(for: transaction)
          for change in transaction.changes ?? [] {
            guard !Task.isCancelled else { return }
            await body(change)
          }
        }
      } catch {
        // The stream has reported the error to the service.
      }
    }
  }

  deinit { task.cancel() }

  /// Ends the observation. A call of its body that runs comes to its end. Returns false if it was ended before.
  @discardableResult
  public func cancel() -> Bool {
    let isFirst = !isCancelled.exchange(true, ordering: .acquiringAndReleasing)
    task.cancel()
    return isFirst
  }
}

/// The transactions that a reader of the history is done with.
final class HistoryProgress: Sendable {
  private struct State {
    /// By store, the number up to which all is done.
    var numbers: [String: Int64] = [:]
    var isEnded = false
    var waiting: [Int: Waiter] = [:]
    var last = 0
  }

  private struct Waiter {
    let store: String
    let number: Int64
    let continuation: CheckedContinuation<Void, Never>
  }

  private let state = Guarded(State())

  /// The reader is done with everything up to a transaction.
  func note(_ number: Int64, of store: String) {
    let done = state.withLock { state -> [Waiter] in
      guard number > state.numbers[store] ?? .min else { return [] }
      state.numbers[store] = number
      let done = state.waiting.filter { $0.value.store == store && $0.value.number <= number }
      for place in done.keys { state.waiting[place] = nil }
      return Array(done.values)
    }
    for waiter in done { waiter.continuation.resume() }
  }

  /// The reader reads no more.
  func end() {
    let all = state.withLock { state in
      state.isEnded = true
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for waiter in all { waiter.continuation.resume() }
  }

  /// Waits until the reader is done with a transaction or has ended, or until the task is cancelled.
  func wait(for transaction: PersistentHistoryTransaction) async {
    let (store, number) = (transaction.storeID, transaction.transactionNumber)
    let place = state.withLock { state in
      state.last += 1
      return state.last
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          if state.isEnded || Task.isCancelled || state.numbers[store] ?? .min >= number {
            return true
          }
          state.waiting[place] = Waiter(store: store, number: number, continuation: continuation)
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: place) }?.continuation.resume()
    }
  }
}

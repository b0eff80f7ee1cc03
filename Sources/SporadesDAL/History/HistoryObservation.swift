// SPDX-License-Identifier: MIT
import SporadesStore

/// An observation of a service's history. It ends when it is cancelled or released.
public final class HistoryObservation: Sendable {
  private let task: Task<Void, Never>

  init(
    of sequence: HistorySequence,
    _ body: @escaping @Sendable (PersistentHistoryChange) async -> Void
  ) {
    task = Task {
      var iterator = sequence.makeAsyncIterator()
      do {
        while let transaction = try await iterator.next() {
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

  /// Ends the observation. A call of its body that runs comes to its end.
  public func cancel() { task.cancel() }
}

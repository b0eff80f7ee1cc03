// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesChain
public import SporadesDAL
import SporadesGraph
import SporadesModel
public import SporadesStore

/// The transactions of a service's history, those that are there and those that follow.
///
/// Transactions of one store come in the order of their commits. The sequence waits for the service's next commit when it
/// has told all. It ends with the service and with its task, and throws an error of the store.
///
/// A sequence of a named reader confirms a transaction when it is asked for the next one. A reader that is started again,
/// also after a crash, begins behind the last transaction that it has confirmed: it misses none, and may get the last one
/// twice.
public struct HistorySequence: AsyncSequence, Sendable {
  public typealias Element = PersistentHistoryTransaction
  let makeStream: @Sendable () -> HistoryStream

  /// Returns an iterator, which begins where the sequence begins.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: makeStream()) }

  /// Fetches one transaction after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let stream: HistoryStream

    /// Waits for the next transaction. Nil after the end of the service, and if the task is cancelled.
    public mutating func next() async throws(DALError) -> PersistentHistoryTransaction? {
      try await stream.next()
    }

    /// Waits for the next transaction on behalf of an actor.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(DALError) -> PersistentHistoryTransaction? { try await stream.next() }
  }
}

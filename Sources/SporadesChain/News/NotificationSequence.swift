// SPDX-License-Identifier: MIT

/// The notifications of a context or a stack, in the order of their events.
///
/// The sequence holds the notifications that follow its creation. Ask for one sequence per consumer, because
/// the iterators of one sequence share its elements. A context never waits for a consumer: the sequence keeps
/// the newest 1024 elements, and the `missed` count of an element says how many were dropped right before it.
/// The sequence ends when its source does.
public struct NotificationSequence<Element: Sendable>: AsyncSequence, Sendable {
  private let fetch: @Sendable () async -> Element?

  package init(_ box: Mailbox<Element>) where Element: Posted { fetch = { await box.next() } }

  /// Returns an iterator, which shares the elements with the other iterators of the sequence.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(fetch: fetch) }

  /// Fetches one notification after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let fetch: @Sendable () async -> Element?

    /// Waits for the next notification; returns nil after the last one, or if the task is cancelled.
    public mutating func next() async -> Element? { await fetch() }

    /// Waits for the next notification on behalf of an actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await fetch()
    }
  }
}

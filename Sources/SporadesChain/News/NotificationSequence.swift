// SPDX-License-Identifier: MIT

/// The notifications of a context or a stack, in the order in which they came about.
///
/// The subscription begins when the sequence is made; earlier notifications are not in it. Each consumer
/// asks for its own sequence, because iterators of one sequence share its elements. A context never waits
/// for a consumer: the sequence keeps the newest 1024 elements, and `missed` of an element says how many
/// were dropped right before it. The sequence ends when its source does.
public struct NotificationSequence<Element: Sendable>: AsyncSequence, Sendable {
  private let fetch: @Sendable () async -> Element?

  package init(_ box: Mailbox<Element>) where Element: Posted { fetch = { await box.next() } }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(fetch: fetch) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let fetch: @Sendable () async -> Element?

    public mutating func next() async -> Element? { await fetch() }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await fetch()
    }
  }
}

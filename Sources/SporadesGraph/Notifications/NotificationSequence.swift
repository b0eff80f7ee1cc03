// SPDX-License-Identifier: MIT

/// News of a context or a stack, in the order in which it came about.
///
/// The subscription begins where the sequence is made: what comes later is kept for its consumer, and
/// nothing before. Each consumer asks for a sequence of its own; iterators of the same sequence share
/// its elements. Nobody waits for a consumer: the newest 1024 elements are kept, and where older
/// ones had to go, `missed` of the element after them says how many. The sequence ends with its
/// source.
public struct NotificationSequence<Element: Sendable>: AsyncSequence, Sendable {
  private let fetch: @Sendable () async -> Element?

  init(_ box: Mailbox<Element>) where Element: Posted { fetch = { await box.next() } }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(fetch: fetch) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let fetch: @Sendable () async -> Element?

    public mutating func next() async -> Element? { await fetch() }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await fetch()
    }
  }
}

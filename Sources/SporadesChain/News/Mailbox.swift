// SPDX-License-Identifier: MIT
import SporadesModel

/// An element of a mailbox.
package protocol Posted: Sendable {
  /// The number of elements that the mailbox dropped right before this one.
  var missed: Int { get set }
}

/// The posted elements that one consumer has not fetched yet.
///
/// ``post(_:)`` never waits. A mailbox with more than ``limit`` elements drops the oldest one. The next element
/// counts the dropped ones in ``Posted/missed``.
package final class Mailbox<Element: Posted>: Sendable {
  private struct State {
    var waiting: [Element] = []
    var head = 0
    var fetchers: [(number: Int, continuation: CheckedContinuation<Element?, Never>)] = []
    var lastFetcher = 0
    var isFinished = false

    mutating func append(_ element: Element, limit: Int) {
      waiting.append(element)
      guard waiting.count - head > limit else { return }
      let lost = waiting[head].missed + 1
      head += 1
      waiting[head].missed += lost
      removeTaken()
    }

    mutating func take() -> Element? {
      guard head < waiting.count else { return nil }
      defer { removeTaken() }
      head += 1
      return waiting[head - 1]
    }

    private mutating func removeTaken() {
      guard head == waiting.count || head > 1024 else { return }
      waiting.removeFirst(head)
      head = 0
    }
  }

  static var limit: Int { 1024 }
  private let state = Guarded(State())

  package init() {}

  package func post(_ element: Element) {
    let fetcher = state.withLock { state -> CheckedContinuation<Element?, Never>? in
      guard state.fetchers.isEmpty else { return state.fetchers.removeFirst().continuation }
      state.append(element, limit: Self.limit)
      return nil
    }
    fetcher?.resume(returning: element)
  }

  /// Ends the sequence after the elements that were posted before.
  package func finish() {
    let fetchers = state.withLock { state in
      state.isFinished = true
      defer { state.fetchers = [] }
      return state.fetchers
    }
    for fetcher in fetchers { fetcher.continuation.resume(returning: nil) }
  }

  package func next() async -> Element? {
    let number = state.withLock { state in
      state.lastFetcher += 1
      return state.lastFetcher
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Element?, Never>) in
        let answer = state.withLock { state -> Element?? in
          if let element = state.take() { return element }
          if state.isFinished || Task.isCancelled { return .some(nil) }
          state.fetchers.append((number, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let fetcher = state.withLock { state -> CheckedContinuation<Element?, Never>? in
        guard let place = state.fetchers.firstIndex(where: { $0.number == number }) else {
          return nil
        }
        return state.fetchers.remove(at: place).continuation
      }
      fetcher?.resume(returning: nil)
    }
  }
}

/// The mailboxes of one source's consumers. A mailbox disappears with its consumer's sequence.
package struct Mailboxes<Element: Posted>: Sendable {
  private struct Reference: Sendable {
    weak let box: Mailbox<Element>?
  }

  private var references: [Reference] = []

  package init() {}

  package var isEmpty: Bool { !references.contains { $0.box != nil } }

  package mutating func add(_ box: Mailbox<Element>) {
    references.removeAll { $0.box == nil }
    references.append(Reference(box: box))
  }

  package func post(_ element: Element) {
    for reference in references { reference.box?.post(element) }
  }
  package func finish() { for reference in references { reference.box?.finish() } }
}

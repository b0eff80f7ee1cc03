// SPDX-License-Identifier: MIT
public import Foundation

// Notifications as a sequence for loops that wait.

extension NotificationCenter {
  /// The notifications of a name, for a loop that waits for them: `for await notification in center.notifications(named: .x)`.
  ///
  /// The loop hears what is posted from its beginning on. Notifications that come while its body runs wait for it.
  public func notifications(
    named name: Notification.Name, object: AnyObject? = nil
  ) -> Notifications {
    Notifications(center: self, name: name, object: object)
  }

  /// The notifications of a name, one after the other, without an end.
  public struct Notifications: AsyncSequence, @unchecked Sendable {
    // @unchecked: nobody asks the object anything; the center compares it.
    fileprivate let center: NotificationCenter
    fileprivate let name: Notification.Name
    fileprivate let object: AnyObject?

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Hears notifications until it goes, or until its task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
      private var stream: AsyncStream<Heard>.Iterator

      fileprivate init(_ sequence: Notifications) {
        let heard = AsyncStream<Heard> { continuation in
          let token = Heard(
            sequence.center.addObserver(
              forName: sequence.name, object: sequence.object, queue: nil
            ) { continuation.yield(Heard($0)) })
          let center = sequence.center
          continuation.onTermination = { _ in center.removeObserver(token.content) }
        }
        stream = heard.makeAsyncIterator()
      }

      /// The next notification; nil once the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
        await stream.next(isolation: actor)?.content as? Notification
      }

      /// The next notification; nil once the task is cancelled.
      public mutating func next() async -> Notification? {
        await stream.next(isolation: #isolation)?.content as? Notification
      }
    }
  }
}

/// A notification or a token on its way to another thread.
private struct Heard: @unchecked Sendable {
  // @unchecked: Foundation hands a notification to each observer, on any thread, and nobody writes into it.
  let content: Any

  init(_ content: Any) { self.content = content }
}

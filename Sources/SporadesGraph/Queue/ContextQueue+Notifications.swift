// SPDX-License-Identifier: MIT
public import SporadesChain

extension ContextQueue {
  /// The events of the context from now on, in order.
  public var notifications: NotificationSequence<ContextNotification> {
    let box = Mailbox<ContextNotification>()
    listen(box)
    return NotificationSequence(box)
  }
}

// SPDX-License-Identifier: MIT
public import SporadesChain

extension ContextQueue {
  /// What happens in the context from now on, in order.
  public var notifications: NotificationSequence<ContextNotification> {
    let box = Mailbox<ContextNotification>()
    listen(box)
    return NotificationSequence(box)
  }
}

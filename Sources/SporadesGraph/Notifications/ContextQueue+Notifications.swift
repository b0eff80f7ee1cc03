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

extension DataStack {
  /// The saves the stack's root accepts from now on, exactly in the order in which it does, whichever
  /// context they come from. Their commit may follow a little later.
  public var changes: NotificationSequence<DidSave> { root.feed.sequence }
}

// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Synchronization

/// Posts a stack's saves to its consumers. Without a consumer, a save reads one flag and no more.
package final class SaveFeed: Sendable {
  private let boxes = Guarded(Boxes())
  /// A struct, so that the runtime makes the type of the mailboxes only for a consumer, and not at each start.
  private struct Boxes {
    var all = Mailboxes<DidSave>()
  }
  private let isObserved = Atomic(false)

  deinit { boxes.withLock { $0.all.finish() } }

  package var sequence: NotificationSequence<DidSave> {
    let box = Mailbox<DidSave>()
    boxes.withLock {
      $0.all.add(box)
      isObserved.store(true, ordering: .relaxed)
    }
    return NotificationSequence(box)
  }

  /// Posts a save. The root calls this in the order of the saves, with its lock held.
  func publish(_ changes: ChangeSet, _ scope: StoreScope) {
    guard isObserved.load(ordering: .relaxed) else { return }
    boxes.withLock { boxes in
      guard !boxes.all.isEmpty else { return isObserved.store(false, ordering: .relaxed) }
      boxes.all.post(DidSave(changes, scope, contextName: changes.contextName))
    }
  }
}

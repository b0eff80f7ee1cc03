// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Synchronization

/// Posts a stack's saves to its consumers. Without a consumer, a save reads one flag and no more.
package final class SaveFeed: Sendable {
  private let boxes = Guarded(Mailboxes<DidSave>())
  private let isObserved = Atomic(false)

  deinit { boxes.withLock { $0.finish() } }

  package var sequence: NotificationSequence<DidSave> {
    let box = Mailbox<DidSave>()
    boxes.withLock {
      $0.add(box)
      isObserved.store(true, ordering: .relaxed)
    }
    return NotificationSequence(box)
  }

  /// Posts a save. The root calls this in the order of the saves, with its lock held.
  func publish(_ changes: ChangeSet, _ scope: StoreScope) {
    guard isObserved.load(ordering: .relaxed) else { return }
    boxes.withLock { boxes in
      guard !boxes.isEmpty else { return isObserved.store(false, ordering: .relaxed) }
      boxes.post(DidSave(changes, scope, contextName: changes.contextName))
    }
  }
}

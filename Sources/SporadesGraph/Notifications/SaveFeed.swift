// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Synchronization

/// Tells the consumers of a stack's saves. Where nobody listens, a save costs one look at a flag.
final class SaveFeed: Sendable {
  private let boxes = Guarded(Mailboxes<DidSave>())
  private let isObserved = Atomic(false)

  deinit { boxes.withLock { $0.finish() } }

  var sequence: NotificationSequence<DidSave> {
    let box = Mailbox<DidSave>()
    boxes.withLock {
      $0.add(box)
      isObserved.store(true, ordering: .relaxed)
    }
    return NotificationSequence(box)
  }

  /// Called in the order of the saves, while the root is held.
  func publish(_ changes: ChangeSet, _ scope: StoreScope, contextName: String?) {
    guard isObserved.load(ordering: .relaxed) else { return }
    boxes.withLock { boxes in
      guard !boxes.isEmpty else { return isObserved.store(false, ordering: .relaxed) }
      boxes.post(DidSave(changes, scope, contextName: contextName))
    }
  }
}

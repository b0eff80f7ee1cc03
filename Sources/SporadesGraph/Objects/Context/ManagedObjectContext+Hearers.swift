// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

/// A child that hears of its parent, as long as it lives.
struct Hearer {
  weak let queue: (any ContextOwner)?
  /// The child context, by which it is known as the sender of a save.
  let context: ObjectIdentifier
}

// What a parent context tells its children.
//
// Rules:
// 1. Children hear which rows changed, and read them from the parent: versions tell of saves to the
//    store alone, and the parent may have changes on top of a saved row.
// 2. Children hear of saves into the parent, by the parent, and of saves that the parent has merged, and
//    of changes that the parent gave up. They do not hear of unsaved changes.
extension ManagedObjectContext {
  /// Begins to hear of the parent; a context over the store does from the start.
  func hearParent() {
    guard !hearsParent, let parent = parent.context, let queue else { return }
    hearsParent = true
    let identity = ObjectIdentifier(self)
    parent.inParent { $0.hearers.append(Hearer(queue: queue, context: identity)) }
  }

  func tellChildren(_ arrival: Arrival, except sender: ObjectIdentifier? = nil) {
    guard !hearers.isEmpty else { return }
    hearers.removeAll { $0.queue == nil }
    for hearer in hearers where hearer.context != sender { hearer.queue?.deliver(arrival) }
  }

  func tellChildren(of saved: ChangeSet, except sender: ObjectIdentifier? = nil) {
    guard !hearers.isEmpty else { return }
    var keys = saved.keys + saved.linkedKeys
    // a deletion may have reached more here than where it was made
    if !saved.deleted.isEmpty { keys += changes.listed.map(\.key) }
    tellChildren(.shown(keys), except: sender)
  }

  /// The changes of this context are given up.
  func tellChildrenOfReturn() {
    guard !hearers.isEmpty else { return }
    tellChildren(.shown((changes.listed + changes.linked).map(\.key)))
  }
}

// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

/// A child context that hears of its parent's saves. Its queue is weak, so the child may go away.
struct ChildListener {
  weak let queue: (any ContextOwner)?
  /// The identity of the child context. A save of this child is not sent back to it.
  let context: ObjectIdentifier
}

// Notices from a parent context to its children.
//
// Rules:
// 1. A child hears which rows changed, and reads them from the parent. Row versions change only
//    with saves to the store, and the parent may have changes on top of a saved row.
// 2. A child hears of saves into its parent, by its parent, and of saves that its parent has
//    merged. It also hears of changes that the parent discards, but not of unsaved changes.
extension ManagedObjectContext {
  /// Begins to merge the saves of others. A context that may have missed some reads everything anew in its next block.
  func beginMerging() {
    listenToParent()
    guard hearing.known.hasGaps || maps.contains(where: { ($0?.count ?? 0) > 0 }) else { return }
    (queue ?? thread)?.deliver(.outdated(number: 0))
  }

  /// Begins to hear of the parent's saves. A context over the store hears from the start.
  func listenToParent() {
    guard !hearing.listensToParent, let parent = parent.context, let queue else { return }
    hearing.listensToParent = true
    let identity = ObjectIdentifier(self)
    parent.inParent { $0.hearing.children.append(ChildListener(queue: queue, context: identity)) }
  }

  func notifyChildren(_ arrival: Arrival, except sender: ObjectIdentifier? = nil) {
    guard !hearing.children.isEmpty else { return }
    hearing.children.removeAll { $0.queue == nil }
    for child in hearing.children where child.context != sender { child.queue?.deliver(arrival) }
  }

  func notifyChildren(of saved: ChangeSet, except sender: ObjectIdentifier? = nil) {
    guard !hearing.children.isEmpty else { return }
    var keys = saved.keys + saved.linkedKeys + saved.relinked
    // because a deletion may have reached more objects in this context than in the one that made it
    if !saved.deleted.isEmpty { keys += changes.listed.map(\.key) }
    // because a child may have saved an object that this context then deleted before its own save
    keys += withdrawnKeys
    notifyChildren(.shown(keys, inserted: saved.insertedKeys), except: sender)
  }

  /// Notifies the children of new objects that were deleted before a save.
  func notifyChildrenOfWithdrawn() {
    guard !hearing.children.isEmpty, case let keys = withdrawnKeys, !keys.isEmpty else { return }
    notifyChildren(.shown(keys))
  }

  private var withdrawnKeys: [RowKey] {
    changes.listed.filter { $0.state.isSuperset(of: .withdrawn) && !$0.key.isTemporary }.map(\.key)
  }

  /// Notifies the children of objects whose changes this context takes back. A child may have saved such a change, and
  /// shows it until it reads the row again.
  func notifyChildren(ofTakenBack keys: [RowKey]) {
    guard !hearing.children.isEmpty else { return }
    let saved = keys.filter { !$0.isTemporary }
    if !saved.isEmpty { notifyChildren(.shown(saved)) }
  }

  /// Notifies the children that this context discards its changes.
  func notifyChildrenOfDiscard() {
    guard !hearing.children.isEmpty else { return }
    notifyChildren(.shown(changes.listed.map(\.key)))
  }
}

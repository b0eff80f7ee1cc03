// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

/// A child that hears of its parent, as long as it lives.
struct WeakContextQueue {
  weak let queue: ContextQueue?
  /// The context of the queue, by which it is known as the sender of a save.
  let context: ObjectIdentifier
}

// What a parent context tells its children, and what they make of it.
//
// Rules:
// 1. Children are told which rows changed, and read them from the parent: versions tell of saves to
//    the store alone, and the parent may have changes on top of what was saved.
// 2. Told is what was saved into the parent, by the parent, and by others whom the parent heard, and
//    what the parent gave up. What the parent merely changed is not.
extension ManagedObjectContext {
  /// Begins to hear of the parent; a context over the store does from the start.
  func hearParent() {
    guard !hearsParent, let parent = parent.queue, let queue else { return }
    hearsParent = true
    let identity = ObjectIdentifier(self)
    parent.performAndWait { $0.hearers.append(WeakContextQueue(queue: queue, context: identity)) }
  }

  // MARK: - Telling

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

  // MARK: - Hearing

  /// Takes over rows as the parent, or the store, shows them now.
  func mergeShown(_ keys: [RowKey]) {
    do throws(StoreError) {
      try merge(shown: keys)
    } catch {
      outdateAll()
      observers?.invalidatedAll(self)
    }
  }

  func merge(shown keys: [RowKey], tellsGone: Bool = true) throws(StoreError) {
    var missing = Set(keys.filter { !$0.isTemporary })
    guard !missing.isEmpty else { return }
    var updated: [UpdatedRows] = []
    for (_, keys) in Dictionary(grouping: missing, by: { stack.roots[$0.entity - 1] }) {
      for page in try source.rows(for: keys) where page.count > 0 {
        let words = page.count * page.layout.bitWords
        updated.append(
          UpdatedRows(page: page, changedSlots: Array(repeating: .max, count: words)))
        for index in 0..<page.count { missing.remove(page.key(index)) }
      }
    }
    // what was inserted here is not there yet, and not gone
    let gone = tellsGone ? missing.sorted().filter { registered($0)?.isInserted != true } : []
    for key in keys { registered(key)?.outdateJoins() }
    mergeTelling(
      ChangeSet(updated: updated, deleted: gone.map { DeletedRow(key: $0, version: 0) }),
      asShown: true)
  }
}

extension ManagedObject {
  /// Links are in no row: what may have changed is asked for again.
  fileprivate final func outdateJoins() {
    for links in extras?.toMany ?? [] {
      if case .join = links.relationship.storage { links.outdate() }
    }
  }
}

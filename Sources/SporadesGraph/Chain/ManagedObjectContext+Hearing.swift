// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// A child that hears of its parent, as long as it lives.
struct WeakContextQueue {
  weak let queue: ContextQueue?
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
    guard !hearsParent, let parent = (source as? ParentSource)?.parent, let queue else { return }
    hearsParent = true
    parent.performAndWait { $0.hearers.append(WeakContextQueue(queue: queue)) }
  }

  // MARK: - Telling

  func tellChildren(_ arrival: Arrivals.Arrival, except child: ManagedObjectContext? = nil) {
    guard !hearers.isEmpty else { return }
    hearers.removeAll { $0.queue == nil }
    for hearer in hearers where hearer.queue !== child?.queue { hearer.queue?.deliver(arrival) }
  }

  func tellChildren(of saved: ChangeSet, except child: ManagedObjectContext? = nil) {
    guard !hearers.isEmpty else { return }
    var keys = saved.keys + saved.linkedKeys
    // a deletion may have reached more here than where it was made
    if !saved.deleted.isEmpty { keys += changes.listed.map(\.key) }
    tellChildren(.shown(keys), except: child)
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

extension ChangeSet {
  /// Both ends of the links that changed.
  var linkedKeys: [RowKey] { links.flatMap(\.ends) }
}

extension LinkChange {
  var ends: [RowKey] { [owner] + added.map(\.other) + removed + moved.map(\.other) }
}

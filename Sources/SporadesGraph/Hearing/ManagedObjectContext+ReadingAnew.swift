// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Merging of rows that the parent or the store shows anew.
extension ManagedObjectContext {
  /// Reads the rows with the keys from the parent or the store, and merges them. If that fails,
  /// every object becomes stale.
  func mergeShown(_ keys: [RowKey]) {
    do throws(StoreError) {
      try merge(shown: keys)
    } catch {
      invalidateAll()
      observers?.postInvalidatedAll(self)
    }
  }

  func merge(shown keys: [RowKey], mergesGone: Bool = true) throws(StoreError) {
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
    // because a new object of this context has no row yet, its missing row does not mean a deletion
    let gone = mergesGone ? missing.sorted().filter { registered($0)?.isInserted != true } : []
    for key in keys { registered(key)?.invalidateJoins() }
    mergeAndNotify(
      ChangeSet(updated: updated, deleted: gone.map { DeletedRow(key: $0, version: 0) }),
      asShown: true)
  }
}

extension ManagedObject {
  /// Invalidates the many-to-many relationships, because links lie in no row.
  fileprivate final func invalidateJoins() {
    for links in extras?.toMany ?? [] {
      if case .join = links.relationship.storage { links.invalidate() }
    }
  }
}

// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Merging of rows that the parent or the store shows anew.
extension ManagedObjectContext {
  /// Reads the rows with the keys from the parent or the store, and merges them. If that fails,
  /// every object becomes stale.
  func mergeShown(_ keys: [RowKey], inserted: [RowKey] = []) {
    do throws(StoreError) {
      try merge(shown: keys, inserted: inserted)
    } catch {
      invalidateAll()
      observers?.postInvalidatedAll(self)
    }
  }

  /// The `inserted` keys are among the others. An object in memory is not told as inserted again.
  func merge(
    shown keys: [RowKey], inserted: [RowKey] = [], mergesGone: Bool = true
  ) throws(StoreError) {
    let new = Set(inserted.filter { registered($0) == nil })
    let all = Set(keys.filter { !$0.isTemporary })
    guard !all.isEmpty else { return }
    let insertedPages = try rows(with: all.intersection(new))
    let shownPages = try rows(with: all.subtracting(new))
    var missing = all
    for page in insertedPages + shownPages {
      for index in 0..<page.count { missing.remove(page.key(index)) }
    }
    // because a new object of this context has no row yet, its missing row does not mean a deletion
    let gone = mergesGone ? missing.sorted().filter { registered($0)?.isNew != true } : []
    for key in keys { registered(key)?.invalidateJoins() }
    let updated = shownPages.map { page in
      let words = page.count * page.layout.bitWords
      return UpdatedRows(page: page, changedSlots: Array(repeating: .max, count: words))
    }
    mergeAndNotify(
      ChangeSet(
        inserted: insertedPages, updated: updated,
        deleted: gone.map { DeletedRow(key: $0, version: 0) }),
      asShown: true)
  }

  /// The same changes, with the rows of the objects in memory that the store rewrote. If they can not be read,
  /// every object becomes stale.
  func readingRewritten(_ changes: ChangeSet) -> ChangeSet {
    guard !changes.rewritten.isEmpty else { return changes }
    let known = changes.rewritten.flatMap { rows in rows.keys.filter { registered($0) != nil } }
    var pages: [RowPage] = []
    do throws(StoreError) {
      pages = try rows(with: Set(known))
    } catch {
      invalidateAll()
      observers?.postInvalidatedAll(self)
    }
    return changes.adding(
      pages.map { page in
        let words = page.count * page.layout.bitWords
        return UpdatedRows(page: page, changedSlots: Array(repeating: .max, count: words))
      })
  }

  private func rows(with keys: Set<RowKey>) throws(StoreError) -> [RowPage] {
    if let handed = hearing.handed { return keys.compactMap { handed[$0] } }
    return try source.rows(with: keys, in: stack)
  }
}

extension RowSource {
  /// The rows with keys of any entities.
  func rows(with keys: Set<RowKey>, in stack: BoundModel) throws(StoreError) -> [RowPage] {
    var pages: [RowPage] = []
    for (_, keys) in Dictionary(grouping: keys, by: { stack.roots[$0.entity - 1] }) {
      pages += try rows(for: keys).filter { $0.count > 0 }
    }
    return pages
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

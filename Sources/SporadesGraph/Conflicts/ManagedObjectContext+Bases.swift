// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Optimistic locking between a context and its children. Row versions change only with saves to the
// store, so a parent compares the rows that it shows with the base rows of the child's changes.
extension ManagedObjectContext {
  /// Throws if the child changed objects that differ here from the rows that the child read. Links
  /// lie in no row, and are merged.
  func checkBases(of save: SaveRequest) throws {
    let saved = save.changes
    let keys = saved.updated.flatMap { rows in
      (0..<rows.page.count).filter(rows.changesValues).map(rows.page.key)
    }
    let read = saved.expected.map { object(forKey: $0.key) }
    let objects = (keys + saved.deleted.map(\.key)).map { object(forKey: $0) }
    // because the child's objects may not be in memory here, or others may have saved them since
    try fulfil(objects + read)
    var lost = lostExpectations(save)
    for object in objects {
      guard let base = save.bases[object.key], !object.isRemoved, let place = object.place else {
        continue
      }
      if !base.hasSameValues(as: place) { lost.append(object.objectID) }
    }
    guard lost.isEmpty else {
      throw StoreError(
        .conflict(lost),
        "The parent context changed \(lost) after the child read them. Refresh the child, or set its merge policy."
      )
    }
  }

  /// The base rows of the changes, by key. Their pages do not change any more, because the rows of
  /// changed objects lie in other pages.
  func bases(of saved: ChangeSet) -> [RowKey: RowPlace] {
    var bases = watched.mapValues(\.base)
    for object in changes.listed where object.isRowChanged && !object.isInserted {
      bases[object.key] = object.basePlace
    }
    return bases
  }

  /// Undoes this context's deletion of an object that a child saves as new, and returns true.
  /// Returns false if the object must be made anew.
  func restoreDeleted(_ known: ManagedObject, _ page: RowPage, _ index: Int) -> Bool {
    guard known.isDeleted else {
      unregister(known)
      return false
    }
    undoDeletion(of: known)
    for slot in page.layout.slots.indices where page.layout.slots[slot].kind != .reference {
      known.setSlot(slot, from: page, index)
    }
    return true
  }
}

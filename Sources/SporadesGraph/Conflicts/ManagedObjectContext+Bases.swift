// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Optimistic locking between a context and its children: versions tell of saves alone, so a parent
// compares what it shows with what the child's changes are based on.
extension ManagedObjectContext {
  /// Refuses a child's changes of objects that look otherwise here than when the child read them. Links
  /// are in no row, and are merged.
  func checkBases(of save: SaveRequest) throws {
    let saved = save.changes
    let keys = saved.updated.flatMap { rows in
      (0..<rows.page.count).filter(rows.changesValues).map(rows.page.key)
    }
    let read = saved.expected.map { object(forKey: $0.key) }
    let objects = (keys + saved.deleted.map(\.key)).map { object(forKey: $0) }
    // what a child fetched need not be in memory here, and others may have saved it since
    try fulfil(objects + read)
    var lost = lostExpectations(save)
    for object in objects {
      guard let base = save.bases[object.key], !object.isDeleted, let place = object.place else {
        continue
      }
      if !base.hasSameValues(as: place) { lost.append(object.objectID) }
    }
    guard lost.isEmpty else {
      throw StoreError(
        .conflict(lost), "\(lost) were changed in the parent since they were read.")
    }
  }

  /// The rows that the changes are based on, by key. Their pages must not change any more: the rows of
  /// changed objects are in pages of their own.
  func bases(of saved: ChangeSet) -> [RowKey: RowPlace] {
    var bases = watched.mapValues(\.base)
    for object in changes.listed { bases[object.key] = object.basePlace }
    return bases
  }

  /// Takes an object that a child saved as new though this context deletes it; false where it has to
  /// be made anew.
  func takesBack(_ known: ManagedObject, _ page: RowPage, _ index: Int) -> Bool {
    guard known.isDeleted, !known.isInserted else {
      unregister(known)
      return false
    }
    takeBackDeletion(of: known)
    for slot in page.layout.slots.indices where page.layout.slots[slot].kind != .reference {
      known.takeSlot(slot, from: page, index)
    }
    return true
  }
}

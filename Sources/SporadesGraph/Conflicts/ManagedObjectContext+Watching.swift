// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Optimistic locking of objects that are only read.
//
// Rules:
// 1. What is compared is what the object showed when it was asked for, whatever was merged since.
// 2. An object that is changed, too, is compared with what its changes are based on, as any other.
// 3. A policy may let the save go on; the object then shows what is stored, and is not written.
// 4. A parent goes on watching what its child did.
extension ManagedObjectContext {
  /// Has the next save that succeeds compare the object's row with what the object shows now, though
  /// the object be not changed: where others changed or deleted it, the save meets a conflict.
  ///
  /// A save with nothing else to do compares all the same.
  public func detectConflicts(for object: ManagedObject) {
    checkQueue()
    precondition(
      object.home.context === self,
      "\(object.objectID) lives in another context. Detect its conflicts in its own.")
    guard !object.isInserted else { return }
    if object.isFault && !object.state.contains(.gone) { fulfil(object) }
    guard let base = object.basePlace else { return report(.objectGone(object.objectID)) }
    watched[object.key] = WatchedObject(object: object, base: base)
  }

  /// The rows of the watched objects that the change set does not compare anyway.
  var expectedRows: [RowVersion] {
    watched.values.filter { !$0.object.hasChanges }
      .map { RowVersion(key: $0.base.key, version: $0.base.version) }
      .sorted { $0.key < $1.key }
  }

  /// Brings an object that was only read in line with what is stored.
  func settleWatched(
    _ collision: Collision, _ base: RowPlace, _ resolution: MergePolicy.Resolution
  ) -> Bool {
    let object = collision.object
    if case .refuse = resolution { return false }
    guard let row = collision.persisted else {
      watched[object.key] = nil
      guard case .values = resolution else {
        merge(ChangeSet(deleted: [DeletedRow(key: object.key, version: 0)]))
        return true
      }
      object.show(base.page, base.index)
      object.state.remove(.gone)
      register(object)
      settleGone(object, resolution)
      return true
    }
    watched[object.key]?.base = row
    rest(object, on: row)
    if case .values(let values) = resolution { give(values, to: object) }
    return true
  }

  // MARK: - Children

  /// The watched objects of a child that look otherwise here than when the child read them.
  func lostExpectations(_ save: SaveRequest) -> [ManagedObjectID] {
    save.changes.expected.compactMap { row in
      let object = object(forKey: row.key)
      guard let base = save.bases[row.key] else { return nil }
      guard !object.isDeleted, let place = object.place else { return object.objectID }
      return base.hasSameValues(as: place) ? nil : object.objectID
    }
  }

  func takeExpectations(_ saved: ChangeSet) {
    for row in saved.expected { detectConflicts(for: object(forKey: row.key)) }
  }
}

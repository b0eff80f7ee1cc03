// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Optimistic locking of objects that the context only reads.
//
// Rules:
// 1. The save compares the store with the row that the object showed at the call. Later merges do
//    not change this row.
// 2. A watched object that also has changes is compared with its base row, like any changed object.
// 3. If a policy lets the save go on, the object shows the stored row and is not written.
// 4. A parent watches the objects that its child watched.
extension ManagedObjectContext {
  /// Makes the next successful save compare the object's stored row with the row that the object
  /// shows now, even if the object has no changes. If others changed or deleted it, the save has a
  /// conflict.
  ///
  /// A save without changes makes the comparison too.
  public func detectConflicts(for object: ManagedObject) {
    checkQueue()
    requireOwn(object)
    guard !object.isNew else { return }
    if object.isFault && !object.state.contains(.gone) { fulfil(object) }
    guard let base = object.basePlace else { return report(.objectGone(object.objectID)) }
    watched[object.key] = WatchedObject(object: object, base: base)
  }

  /// The versions of the watched objects that have no changes.
  var expectedRows: [RowVersion] {
    watched.values.filter { !$0.object.writesRow }
      .map { RowVersion(key: $0.base.key, version: $0.base.version) }
      .sorted { $0.key < $1.key }
  }

  /// Resolves the conflict of a watched object.
  func resolveWatched(
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
      resolveGone(object, resolution)
      return true
    }
    watched[object.key]?.base = row
    rebaseOnRow(object, row)
    if case .values(let values) = resolution { setValues(values, of: object) }
    return true
  }

  // MARK: - Children

  /// The child's watched objects that differ here from the rows that the child read.
  func lostExpectations(_ save: SaveRequest) -> [ManagedObjectID] {
    save.changes.expected.compactMap { row in
      let object = object(forKey: row.key)
      guard let base = save.bases[row.key] else { return nil }
      guard !object.isRemoved, let place = object.place else { return object.objectID }
      return base.hasSameValues(as: place) ? nil : object.objectID
    }
  }

  func watchExpected(_ saved: ChangeSet) {
    for row in saved.expected { detectConflicts(for: object(forKey: row.key)) }
  }
}

// SPDX-License-Identifier: MIT
import SporadesModel

/// The state of changed objects at the last change notification.
struct SeenChanges {
  private struct Look: Equatable {
    let isDeleted: Bool
    let isInserted: Bool
    let content: [UInt8]
    /// The changed to-many relationships: each, its added and removed members, and its order if that
    /// was changed. The context's changes keep all of them alive.
    let links: [[ObjectIdentifier]]

    init(_ object: ManagedObject) {
      isDeleted = object.isDeleted
      isInserted = object.isInserted
      // The content leaves out the version, because an object does not show it.
      // It leaves out an unchanged row too, because reading that is no change.
      let row = unsafe object.isRowChanged ? object.row : nil
      content = unsafe row.flatMap { unsafe object.page?.content(of: $0) } ?? []
      links = (object.extras?.toMany ?? []).filter(\.isChanged).map {
        let order = $0.isReordered ? $0.members : []
        return [ObjectIdentifier($0.relationship)]
          + ($0.added + [object] + $0.removed + $0.droppedDeleted + [object] + order)
          .map { ObjectIdentifier($0) }
      }
    }
  }

  private var looks: [ManagedObject: Look] = [:]
  /// The objects whose values a refresh dropped since the last notification.
  private var invalidated: Set<ManagedObject> = []
  /// The unchanged objects that read their rows anew since the last notification.
  private var reread: Set<ManagedObject> = []

  mutating func clear() { looks = [:] }

  mutating func noteInvalidated(_ object: ManagedObject) { invalidated.insert(object) }

  mutating func noteRefreshed(_ object: ManagedObject) { reread.insert(object) }

  /// The changes since the last notification; nil if there are none.
  mutating func takeChanges(of context: ManagedObjectContext) -> ContextChange? {
    var (inserted, updated, deleted, refreshed) =
      (Set<ManagedObject>(), Set<ManagedObject>(), Set<ManagedObject>(), Set<ManagedObject>())
    var current: [ManagedObject: Look] = [:]
    for object in context.changes.listed where object.hasChanges {
      let former = looks.removeValue(forKey: object)
      let look = Look(object)
      current[object] = look
      guard look != former else { continue }
      if object.isDeleted {
        if former?.isDeleted != true { deleted.insert(object) }
      } else if object.isInserted && former == nil {
        inserted.insert(object)
      } else {
        updated.insert(object)
      }
    }
    // The rest has no changes any more. A merge that took an object's row has told of it.
    for (object, look) in looks {
      if look.isInserted {
        deleted.insert(object)
      } else if !object.state.contains(.gone) {
        refreshed.insert(object)
      }
    }
    looks = current
    defer { (invalidated, reread) = ([], []) }
    refreshed.formUnion(reread.filter { current[$0] == nil })
    refreshed.subtract(invalidated)
    if inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
      && invalidated.isEmpty
    {
      return nil
    }
    return ContextChange(
      .objectsDidChange, in: context, inserted: inserted, updated: updated, deleted: deleted,
      refreshed: refreshed, invalidated: invalidated)
  }
}

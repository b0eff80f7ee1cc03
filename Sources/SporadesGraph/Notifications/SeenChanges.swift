// SPDX-License-Identifier: MIT
import SporadesModel

/// The state of changed objects at the last change notification.
struct SeenChanges {
  private struct Look: Equatable {
    let isDeleted: Bool
    let isInserted: Bool
    let content: [UInt8]
    /// The changed to-many relationships: the number of each, and the counts of added and removed
    /// members.
    let links: [[Int]]

    init(_ object: ManagedObject) {
      isDeleted = object.isDeleted
      isInserted = object.isInserted
      // The content leaves out the version, because an object does not show it.
      content = unsafe object.row.flatMap { unsafe object.page?.content(of: $0) } ?? []
      links = (object.extras?.toMany ?? []).filter(\.hasChanges).map {
        [$0.relationship.number, $0.added.count, $0.removed.count]
      }
    }
  }

  private var looks: [ManagedObject: Look] = [:]
  /// The objects whose values a refresh dropped since the last notification.
  private var invalidated: Set<ManagedObject> = []

  mutating func clear() { looks = [:] }

  mutating func noteInvalidated(_ object: ManagedObject) { invalidated.insert(object) }

  /// The changes since the last notification; nil if there are none.
  mutating func takeChanges(of context: ManagedObjectContext) -> ContextChange? {
    var (inserted, updated, deleted, refreshed) =
      (Set<ManagedObject>(), Set<ManagedObject>(), Set<ManagedObject>(), Set<ManagedObject>())
    var current: [ManagedObject: Look] = [:]
    for object in context.changes.listed where object.hasChanges {
      let former = looks.removeValue(forKey: object)
      // because an object that came and went between two notifications was never visible
      if former == nil && object.isDeleted && object.isInserted { continue }
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
    for (object, look) in looks {
      if look.isInserted { deleted.insert(object) } else { refreshed.insert(object) }
    }
    looks = current
    defer { invalidated = [] }
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

// SPDX-License-Identifier: MIT
import SporadesModel

/// The state of changed objects at the last change notification.
struct SeenChanges {
  private struct Look {
    let object: ManagedObject
    let isDeleted: Bool
    let isInserted: Bool
    let content: [UInt8]
    /// The changed to-many relationships: each, its added and removed members, and its order if that
    /// was changed. The context's changes keep all of them alive.
    let links: [[ObjectIdentifier]]

    init(_ object: ManagedObject) {
      self.object = object
      isDeleted = object.isDeleted
      isInserted = object.isInserted
      content = unsafe Self.row(of: object).flatMap { unsafe object.page?.content(of: $0) } ?? []
      links = Self.links(of: object)
    }

    /// Whether the object still looks like this. The comparison copies no content.
    var isCurrent: Bool {
      guard isDeleted == object.isDeleted, isInserted == object.isInserted else { return false }
      guard let row = unsafe Self.row(of: object), let page = object.page else {
        return content.isEmpty && links == Self.links(of: object)
      }
      return unsafe page.hasContent(content, row) && links == Self.links(of: object)
    }

    /// The row whose content counts. The content leaves out the version, because an object does not show it.
    /// It leaves out an unchanged row too, because reading that is no change.
    private static func row(of object: ManagedObject) -> PackedRow? {
      unsafe object.isRowChanged ? object.row : nil
    }

    private static func links(of object: ManagedObject) -> [[ObjectIdentifier]] {
      (object.extras?.toMany ?? []).filter(\.isChanged).map {
        let order = $0.isReordered ? $0.members : []
        return [ObjectIdentifier($0.relationship)]
          + ($0.added + [object] + $0.removed + $0.droppedDeleted + [object] + order)
          .map { ObjectIdentifier($0) }
      }
    }
  }

  /// The looks of the changed objects, in the order in which the context lists them.
  private var looks: [Look] = []
  /// The objects whose values a refresh dropped since the last notification.
  private var invalidated: Set<ManagedObject> = []
  /// The unchanged objects that read their rows anew since the last notification.
  private var reread: Set<ManagedObject> = []

  mutating func clear() { looks = [] }

  mutating func noteInvalidated(_ object: ManagedObject) { invalidated.insert(object) }

  mutating func noteRefreshed(_ object: ManagedObject) { reread.insert(object) }

  /// The changes since the last notification, with or without their ids; nil if there are none.
  mutating func takeChanges(of context: ManagedObjectContext, withIDs: Bool) -> ContextChange? {
    var (inserted, updated, deleted, refreshed) =
      (Set<ManagedObject>(), Set<ManagedObject>(), Set<ManagedObject>(), Set<ManagedObject>())
    renewLooks(of: context.changes.changed) { object, former in
      if object.isDeleted {
        if former?.isDeleted != true { deleted.insert(object) }
      } else if object.isInserted && former == nil {
        inserted.insert(object)
      } else {
        updated.insert(object)
      }
    } onGone: { look in
      // The object has no changes any more. A merge that took an object's row has told of it.
      if look.isInserted {
        deleted.insert(look.object)
      } else if !look.object.state.contains(.gone) {
        refreshed.insert(look.object)
      }
    }
    defer { (invalidated, reread) = ([], []) }
    if !reread.isEmpty { refreshed.formUnion(reread.subtracting(looks.map(\.object))) }
    refreshed.subtract(invalidated)
    if inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
      && invalidated.isEmpty
    {
      return nil
    }
    return ContextChange(
      .objectsDidChange, in: context, inserted: inserted, updated: updated, deleted: deleted,
      refreshed: refreshed, invalidated: invalidated, withIDs: withIDs)
  }

  /// Looks at the changed objects anew, and calls `onNews` for each that looks otherwise than before.
  ///
  /// A context lists its objects in one order until a save, so that most looks are found without a search.
  private mutating func renewLooks(
    of changed: [ManagedObject], onNews: (ManagedObject, Look?) -> Void, onGone: (Look) -> Void
  ) {
    let formerCount = looks.count
    var place = 0
    var others: [ManagedObject: Look]?
    looks.reserveCapacity(changed.count)
    for object in changed {
      if others == nil, place < formerCount {
        if looks[place].object === object {
          if !looks[place].isCurrent {
            let former = looks[place]
            looks[place] = Look(object)
            onNews(object, former)
          }
          place += 1
          continue
        }
        others = Dictionary(uniqueKeysWithValues: looks[place...].map { ($0.object, $0) })
        looks.removeSubrange(place...)
      }
      let former = others?.removeValue(forKey: object)
      if let former, former.isCurrent {
        looks.append(former)
      } else {
        looks.append(Look(object))
        onNews(object, former)
      }
    }
    if others == nil, place < formerCount {
      looks[place...].forEach(onGone)
      looks.removeSubrange(place...)
    }
    others?.values.forEach(onGone)
  }
}

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
    var news = News()
    renewLooks(of: context.changes.changed, &news)
    defer { (invalidated, reread) = ([], []) }
    if !reread.isEmpty { news.refreshed.formUnion(reread.subtracting(looks.map(\.object))) }
    news.refreshed.subtract(invalidated)
    if news.inserted.isEmpty && news.updated.isEmpty && news.deleted.isEmpty
      && news.refreshed.isEmpty && invalidated.isEmpty
    {
      return nil
    }
    return ContextChange(
      .objectsDidChange, in: context, inserted: news.inserted, updated: news.updated,
      deleted: news.deleted, refreshed: news.refreshed, invalidated: invalidated, withIDs: withIDs)
  }

  private struct News {
    var inserted: Set<ManagedObject> = []
    var updated: Set<ManagedObject> = []
    var deleted: Set<ManagedObject> = []
    var refreshed: Set<ManagedObject> = []
  }

  /// Looks at the changed objects anew, and notes each that looks otherwise than before.
  ///
  /// A context lists its objects in one order until a save, so that most looks are found without a search.
  private mutating func renewLooks(of changed: [ManagedObject], _ news: inout News) {
    let former = looks
    var (place, others) = (0, [ManagedObject: Look]())
    looks = []
    looks.reserveCapacity(changed.count)
    for object in changed {
      var look: Look?
      if place < former.count, former[place].object === object {
        look = former[place]
        place += 1
      } else {
        while place < former.count {
          others[former[place].object] = former[place]
          place += 1
        }
        if !others.isEmpty { look = others.removeValue(forKey: object) }
      }
      if let look, look.isCurrent {
        looks.append(look)
        continue
      }
      looks.append(Look(object))
      if object.isDeleted {
        if look?.isDeleted != true { news.deleted.insert(object) }
      } else if object.isInserted && look == nil {
        news.inserted.insert(object)
      } else {
        news.updated.insert(object)
      }
    }
    for look in former[place...] { others[look.object] = look }
    // The rest has no changes any more. A merge that took an object's row has told of it.
    for (object, look) in others {
      if look.isInserted {
        news.deleted.insert(object)
      } else if !object.state.contains(.gone) {
        news.refreshed.insert(object)
      }
    }
  }
}

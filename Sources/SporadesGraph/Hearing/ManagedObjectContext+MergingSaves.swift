// SPDX-License-Identifier: MIT
public import SporadesChain
import SporadesModel
import SporadesStore

// Merging of the saves of others, with notices to observers and children.
extension ManagedObjectContext {
  /// Reports objects with changed values or to-one relationships whose rows others deleted; the next
  /// save throws the report. Links to the deleted objects end without a report, one-to-one links
  /// among them, and so does the loss of a link that ended here, too.
  private func reportLostChanges(among deleted: [DeletedRow]) {
    for row in deleted {
      guard let object = registered(row.key), object.isUpdated, let place = object.place else {
        continue
      }
      let slots = place.page.layout.slots
      let isSet = object.changedSlots.contains {
        guard slots[$0].kind == .reference else { return slots[$0].isOfItsOwn }
        return !place.page.isNull(place.index, slot: $0) && !isOneToOne($0, of: object)
      }
      if isSet { report(.objectGone(object.objectID)) }
    }
  }

  private func isOneToOne(_ slot: Int, of object: ManagedObject) -> Bool {
    object.home.binding.toOneRelationships.contains {
      guard case .reference(slot, _) = $0.storage,
        case .reference? = $0.inverse(in: object.home)?.storage
      else { return false }
      return true
    }
  }

  /// Merges the changes of others, and notifies observers and children. With `asShown`, the rows
  /// come from the parent and replace rows of any version.
  func mergeAndNotify(_ changes: ChangeSet, asShown: Bool = false) {
    let changes = readingRewritten(changes)
    defer { notifyChildren(of: changes) }
    if !changes.deleted.isEmpty && !self.changes.isEmpty {
      reportLostChanges(among: changes.deleted)
    }
    guard let observers, observers.isActive else { return merge(changes, asShown: asShown) }
    observers.postChanges(in: self)
    let deleted = Set(changes.deleted.compactMap { registered($0.key) })
    merge(changes, asShown: asShown, announcing: observers.hearsOfObjects)
    var ids = DidSave(changes, stack.scope, contextName: nil).changes
    let refreshed = Set(ids.updatedObjectIDs.compactMap { registered($0.key) })
    ids.refreshedObjectIDs = Set(refreshed.map(\.objectID))
    var change = ContextChange(
      ContextNotification(.didMergeChanges, contextName: name, ids: ids), in: self)
    change.changesLinks = !changes.links.isEmpty
    change.deletedObjects = deleted
    change.insertedObjects = insertedObjects(changes, observers)
    change.refreshedObjects = refreshed
    change.departing = Array(deleted)
    postMergedObjects(change, observers)
    observers.post(change)
  }

  /// The objects that merged changes inserted. They come into memory only for an observer that hears of
  /// objects.
  private func insertedObjects(
    _ changes: ChangeSet, _ observers: ContextObservers
  ) -> Set<ManagedObject> {
    var inserted: Set<ManagedObject> = []
    guard observers.hearsOfObjects else { return inserted }
    for page in changes.inserted {
      for index in 0..<page.count { inserted.insert(object(showing: page, index)) }
    }
    return inserted
  }

  /// Posts the objects that merged changes inserted, refreshed and deleted.
  private func postMergedObjects(_ merged: ContextChange, _ observers: ContextObservers) {
    let (refreshed, deleted) = (merged.refreshedObjects, merged.deletedObjects)
    let inserted = merged.ids.insertedObjectIDs
    guard !inserted.isEmpty || !refreshed.isEmpty || !deleted.isEmpty else { return }
    let shown = ObjectIDChanges(
      inserted: inserted, deleted: Set(deleted.map(\.objectID)),
      refreshed: Set(refreshed.map(\.objectID)))
    var change = ContextChange(
      ContextNotification(.objectsDidChange, contextName: name, ids: shown), in: self)
    change.insertedObjects = merged.insertedObjects
    change.deletedObjects = deleted
    change.refreshedObjects = refreshed
    change.isPartOfMerge = true
    observers.post(change)
  }

  /// Merges a save of another context of the stack: a parent, a child or a sibling. Changes of this
  /// context stay on top of it.
  ///
  /// A context that merges by itself has merged the save already, and ignores it. A save that has
  /// reached only a parent context shows only in the contexts over that parent. The context of a
  /// task's read keeps its state, and shows nothing of later saves.
  public func mergeChanges(from save: DidSave) throws(ContextError) {
    checkQueue()
    if save.scope != stack.scope, let id = save.changeSet.keys.first {
      throw .foreignObject(ManagedObjectID(key: id, scope: save.scope))
    }
    let changes = save.changeSet
    atNewestState {
      withoutUndo {
        if save.isInStore && parent.root != nil {
          mergeAndNotify(changes)
        } else {
          mergeShown(
            changes.keys + changes.linkedKeys + changes.relinked, inserted: changes.insertedKeys)
        }
      }
    }
  }

  /// Merges changes that another process or a batch made in the store. The ids are enough, because
  /// the context reads the rows from the store.
  package func mergeChanges(fromRemote ids: ObjectIDChanges) throws {
    let all = ids.insertedObjectIDs.union(ids.updatedObjectIDs).union(ids.refreshedObjectIDs)
    if let foreign = all.union(ids.deletedObjectIDs).first(where: { $0.scope != stack.scope }) {
      throw ContextError.foreignObject(foreign)
    }
    var failure: StoreError?
    atNewestState {
      withoutUndo {
        do throws(StoreError) {
          try merge(
            shown: all.union(ids.deletedObjectIDs).map(\.key),
            inserted: ids.insertedObjectIDs.map(\.key))
        } catch { failure = error }
      }
    }
    if let failure { throw failure }
  }
}

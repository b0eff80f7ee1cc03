// SPDX-License-Identifier: MIT
public import SporadesChain
import SporadesModel
import SporadesStore

// How a context takes over saves of others, with its observers and children.
extension ManagedObjectContext {
  /// Values that were set in objects whose rows others deleted are lost; the next save says so. Links to
  /// and from these objects go with them, as if the deletion had come after.
  private func reportChanged(among deleted: [DeletedRow]) {
    for row in deleted {
      guard let object = registered(row.key), object.isUpdated, let place = object.place else {
        continue
      }
      let slots = place.page.layout.slots
      let isSet = object.changedSlots.contains {
        slots[$0].kind != .reference && slots[$0].isOfItsOwn
      }
      if isSet { report(.objectGone(object.objectID)) }
    }
  }

  /// Takes over what others saved, and tells observers and children. With `asShown`, the rows are
  /// those the parent shows now, whatever their versions say.
  func mergeTelling(_ changes: ChangeSet, asShown: Bool = false) {
    defer { tellChildren(of: changes) }
    if !changes.deleted.isEmpty && !self.changes.isEmpty { reportChanged(among: changes.deleted) }
    guard let observers, observers.isActive else { return merge(changes, asShown: asShown) }
    observers.objectsMayHaveChanged(in: self)
    let deleted = Set(changes.deleted.compactMap { registered($0.key) })
    merge(changes, asShown: asShown)
    let news = DidSave(changes, stack.scope, contextName: nil)
    let shown = (changes.inserted + changes.updated.map(\.page)).flatMap { page in
      (0..<page.count).compactMap { registered(page.key($0)) }
    }
    if !shown.isEmpty || !deleted.isEmpty {
      observers.post(
        ContextChange(.objectsDidChange, in: self, deleted: deleted, refreshed: Set(shown)))
    }
    let notification = ContextNotification(.didMergeChanges, contextName: name, ids: news.changes)
    observers.post(ContextChange(notification, in: self))
  }

  /// Takes over a save of another context of the stack, be it the parent, a child, or a sibling.
  /// Changes made here stay, on top of it.
  ///
  /// Contexts that merge by themselves have taken it over already, and merge nothing twice. What was
  /// saved into a context that has not saved it itself shows in the contexts over that one alone.
  public func mergeChanges(from save: DidSave) throws(ContextError) {
    checkQueue()
    if save.scope != stack.scope, let id = save.changeSet.keys.first {
      throw .foreignObject(ManagedObjectID(key: id, scope: save.scope))
    }
    let changes = save.changeSet
    atNewestState {
      asideOfUndo {
        if save.isInStore && parent.root != nil {
          mergeTelling(changes)
        } else {
          mergeShown(changes.keys + changes.linkedKeys)
        }
      }
    }
  }

  /// Takes over what someone else did to the store, who told nothing but the ids: another process, a
  /// batch. The rows are read from the store.
  func mergeChanges(fromRemote ids: ObjectIDChanges) throws {
    let all = ids.insertedObjectIDs.union(ids.updatedObjectIDs).union(ids.refreshedObjectIDs)
    if let foreign = all.union(ids.deletedObjectIDs).first(where: { $0.scope != stack.scope }) {
      throw ContextError.foreignObject(foreign)
    }
    var failure: StoreError?
    atNewestState {
      asideOfUndo {
        do throws(StoreError) {
          try merge(shown: all.union(ids.deletedObjectIDs).map(\.key))
        } catch { failure = error }
      }
    }
    if let failure { throw failure }
  }
}

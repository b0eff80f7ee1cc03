// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// The steps after the parent has accepted a save.
extension ManagedObjectContext {
  /// Notifies observers and children, while the objects still have their changed state.
  func publish(_ changeSet: ChangeSet) {
    observers?.noteAccepted(changeSet, self)
    notifyChildren(of: changeSet)
  }

  /// Clears the changes that were saved, and calls the objects' `didSave`. `isLast` says that
  /// nobody uses the context afterwards.
  func finishSave(_ saved: [ManagedObject], isLast: Bool) {
    if isLast { unregistered = changes.listed }
    if saving.callsHooks { saved.forEachHeld { $0.announceSave() } }
    let deleted = clearSavedChanges(isLast: isLast)
    if saving.callsHooks {
      saved.forEachHeld { $0.didSave() }
      saved.forEachHeld { $0.endAnnouncement() }
    }
    if observers?.keep(deleted) != true { release(deleted) }
  }

  /// Clears the changes, and returns the objects that the save deleted. They keep their values.
  private func clearSavedChanges(isLast: Bool) -> [ManagedObject] {
    var deleted: [ManagedObject] = []
    changes.listed.forEachHeld { object in
      if object.state.contains(.linked) {
        for links in object.extras?.toMany ?? [] { links.didSave() }
      }
      if object.isRemoved || object.state.contains(.gone) {
        // The maps of a context that nobody uses afterwards go away as a whole.
        if !isLast { unregister(object) }
        if object.isNew || !object.isRemoved {
          object.becomeFault()
          object.state.insert(.gone)
        } else {
          object.announceDeletion()
          deleted.append(object)
        }
      } else {
        object.state.subtract([.inserted, .updated, .deleted, .open])
        if !isLast { register(object) }
      }
    }
    clearChanges()
    if !watched.isEmpty { watched = [:] }
    events?.clear()
    return deleted
  }
}

extension ManagedObject {
  fileprivate final func announceSave() {
    state.formUnion(isNew ? .announcedNew : .announced)
  }

  /// Ends the announcement of the save. A deleted object may have observers that are still to hear of it.
  fileprivate final func endAnnouncement() {
    if !state.contains(.gone) { state.subtract(.announcedNew) }
  }
}

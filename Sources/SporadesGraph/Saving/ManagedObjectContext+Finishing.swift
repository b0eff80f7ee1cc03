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
    changes.listed.forEachHeld { object in
      if object.state.contains(.linked) {
        for links in object.extras?.toMany ?? [] { links.didSave() }
      }
      let isGone = object.isRemoved || object.state.contains(.gone)
      object.state.subtract([.inserted, .updated, .deleted, .open])
      if isGone {
        // The maps of a context that nobody uses afterwards go away as a whole.
        if !isLast { unregister(object) }
        object.becomeFault()
        object.state.insert(.gone)
      } else {
        if !isLast { register(object) }
      }
    }
    clearChanges()
    if !watched.isEmpty { watched = [:] }
    events?.clear()
    if callsHooks { saved.forEachHeld { $0.didSave() } }
  }
}

// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Rollback and reset of a context.
extension ManagedObjectContext {
  /// Reverts every change since the last save.
  public func rollback() {
    checkQueue()
    notifyChildrenOfDiscard()
    for object in changes.listed {
      if object.isNew {
        unregister(object)
        object.becomeFault()
        object.state.insert(.gone)
      } else if let (page, index) = object.base {
        object.dropExtras()
        object.show(page, index)
        object.state.subtract([.open, .updated, .deleted])
      } else if object.isRowChanged {
        object.dropExtras()
        object.state.subtract([.updated, .deleted])
      } else {
        object.extras?.toMany.removeAll()
      }
    }
    let restored = changes.listed.filter { !$0.state.contains(.gone) }
    clearChanges()
    dropFailures()
    events?.clear()
    undoManager?.removeAllActions()
    if let coordinator = stack.coordinator {
      for object in restored where !coordinator.hasStore(object.key.store) { detach(object) }
    }
    for object in restored where !object.state.contains(.gone) {
      callHook { object.awake(fromSnapshotEvents: .rollback) }
    }
  }

  /// Forgets all objects and changes.
  ///
  /// In the block of a service's write, an object from before can neither change nor lead to others, as after the block.
  public final func reset() {
    checkQueue()
    if case .write = saving.place { resetObjects(atEndOfBlock: true) } else { resetObjects() }
    dropFailures()
    pinToNewestState()
    observers?.postInvalidatedAll(self)
  }

  private func resetObjects(atEndOfBlock: Bool = false) {
    notifyChildrenOfDiscard()
    dropObjects(atEndOfBlock: atEndOfBlock)
    events?.clear()
    undoManager?.removeAllActions()
  }

  /// Drops the failures of discarded changes. In a service's block they stay, so that the service
  /// hears of them.
  private func dropFailures() {
    if case .parent = saving.place { _ = takeFailures() }
  }

  /// Forgets everything after the store was emptied. Objects that others still hold are gone.
  func detachAll() {
    for object in objectsInMaps {
      object.becomeFault()
      object.state.insert(.gone)
    }
    resetObjects()
  }

  /// Detaches the objects of a removed store. Changed objects keep their changes until these are
  /// discarded, but no save accepts them.
  func detachStore(_ number: Int) {
    defer { dropMaps(ofStore: number) }
    let all = objectsInMaps.filter { $0.key.store == number && !$0.state.contains(.listed) }
    guard !all.isEmpty else { return }
    observers?.postChanges(in: self)
    for object in all { detach(object) }
    observers?.post(
      ContextChange(.objectsDidChange, in: self, deleted: Set(all), invalidated: Set(all)))
  }
}

// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// How a context gives up its changes, or all its objects.
extension ManagedObjectContext {
  /// Undoes every change since the last save.
  public func rollback() {
    checkQueue()
    tellChildrenOfReturn()
    for object in changes.linked { object.extras?.toMany.removeAll() }
    for object in changes.listed {
      if object.isInserted {
        unregister(object)
        object.becomeFault()
        object.state.insert(.gone)
      } else if let (page, index) = object.base {
        object.forgetExtras()
        object.show(page, index)
        object.state.subtract([.open, .updated, .deleted])
      } else {
        object.forgetExtras()
        object.state.subtract([.updated, .deleted])
      }
    }
    let restored = changes.listed.filter { !$0.state.contains(.gone) }
    clearChanges()
    forgetFailures()
    events?.forget()
    undoManager?.removeAllActions()
    if let coordinator = stack.coordinator {
      for object in restored where !coordinator.hasStore(object.key.store) { leave(object) }
    }
    for object in restored where !object.state.contains(.gone) {
      object.awake(fromSnapshotEvents: .rollback)
    }
  }

  /// Forgets all objects and changes.
  public final func reset() {
    checkQueue()
    forgetObjects()
    forgetFailures()
    moveOn()
  }

  private func forgetObjects() {
    tellChildrenOfReturn()
    dropObjects()
    events?.forget()
    undoManager?.removeAllActions()
  }

  /// Drops the failures of changes that were given up. The block of a service hears of its own all the
  /// same.
  private func forgetFailures() {
    if case .parent = savePlace { _ = takeFailures() }
  }

  /// The store was emptied: objects still held by someone are gone.
  func forgetAll() {
    for object in objectsInMaps {
      object.becomeFault()
      object.state.insert(.gone)
    }
    forgetObjects()
  }

  /// A store was removed: its objects are gone. Those with changes keep them until they are given
  /// up, and no save takes them.
  func forgetStore(_ number: Int) {
    defer { forgetMaps(ofStore: number) }
    let all = objectsInMaps.filter { $0.key.store == number && !$0.state.contains(.listed) }
    guard !all.isEmpty else { return }
    observers?.objectsMayHaveChanged(in: self)
    for object in all { leave(object) }
    observers?.post(
      ContextChange(.objectsDidChange, in: self, deleted: Set(all), invalidated: Set(all)))
  }
}

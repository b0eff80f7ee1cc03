// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// How an object forgets its values, or is read anew.
extension ManagedObjectContext {
  /// Forgets the values of an object, and its changes unless they are to be kept; the next access
  /// reads them again. Changes that are kept are put on the row as it is read now; where that fails, the
  /// object stays as it is, and the next save throws the failure.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    checkQueue()
    guard !object.isInserted, !object.isDeleted else { return }
    pendingIndex = nil
    if !mergeChanges {
      if !object.isFault { observers?.invalidated(object) }
      undo(object)
    }
    guard mergeChanges && object.state.contains(.open) else { return forgetRow(of: object) }
    do throws(StoreError) {
      try reapply(object)
    } catch {
      report(.unfulfilled(object.objectID, error))
    }
  }

  /// Makes a fault of an object; what was added to its relationships from their other sides is not the
  /// object's own to forget.
  func forgetRow(of object: ManagedObject) {
    let links = object.extras?.toMany.filter(\.hasChanges) ?? []
    for links in links { links.outdate() }
    object.becomeFault()
    noteFault(object.key, root: object.home.shape.rootNumber)
    guard !links.isEmpty else { return }
    object.extras = ObjectExtras()
    object.extras?.toMany = links
  }

  /// Takes back what was changed in the object's relationships, on their other sides too.
  private func undo(_ object: ManagedObject) {
    for relationship in object.home.binding.toOneRelationships {
      guard case .reference(let slot, _) = relationship.storage, let base = object.base else {
        continue
      }
      let former = base.page.reference(base.index, slot: slot)
      if object.reference(slot) != former {
        object.setToOne(relationship, former.map(self.object(forKey:)))
      }
    }
    for relationship in object.home.binding.toManyRelationships {
      guard let links = object.knownToMany(relationship), links.hasChanges,
        case .join = relationship.storage
      else { continue }
      for other in links.added { object.unlink(other, relationship) }
      for other in links.removed { object.link(other, relationship) }
      links.forgetChanges()
    }
  }

  /// Refreshes every object, keeping changes.
  public func refreshAllObjects() {
    checkQueue()
    for object in registeredObjects { refresh(object, mergeChanges: true) }
  }

  /// Reads the row anew and sets the changed slots again. Where it can not be read, the object stays as it
  /// is; where it is gone, the save meets a conflict.
  private func reapply(_ object: ManagedObject) throws(StoreError) {
    let pages = try source.rows(for: [object.key])
    for links in object.extras?.toMany ?? [] { links.outdate() }
    guard let fresh = pages.first, fresh.count > 0 else { return }
    rebase(object, on: fresh, 0)
    object.awake(fromSnapshotEvents: .refresh)
  }
}

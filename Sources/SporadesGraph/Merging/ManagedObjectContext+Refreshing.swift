// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Refreshing of objects.
extension ManagedObjectContext {
  /// Drops the values of an object. The next access reads them again. With `mergeChanges`, the row
  /// is read now and the changes stay on top of it. If that fails, the object stays as it is, and
  /// the next save throws the failure.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    checkQueue()
    guard !object.isNew, !object.isDeleted else { return }
    pendingIndex = nil
    if !mergeChanges {
      if !object.isFault { observers?.noteInvalidated(object) }
      if object.hasChanges { notifyChildren(ofTakenBack: [object.key]) }
      undo(object)
    }
    guard mergeChanges && object.state.contains(.open) else {
      if mergeChanges && !object.isFault { observers?.noteRefreshed(object) }
      return dropRow(of: object)
    }
    do throws(StoreError) {
      try reapply(object)
    } catch {
      report(.unfulfilled(object.objectID, error))
    }
  }

  /// Reverts the object's changed relationships, on both sides.
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
      // Both lists are taken first, because each change of a link changes them.
      let (added, removed) = (links.added, links.removed)
      for other in added { object.unlink(other, relationship) }
      for other in removed { object.link(other, relationship) }
      links.clearChanges()
    }
  }

  /// Refreshes every object and keeps the changes.
  public func refreshAllObjects() {
    checkQueue()
    var seen: Set<ManagedObject> = []
    for object in objectsInMaps + changes.changed where seen.insert(object).inserted {
      refresh(object, mergeChanges: true)
    }
  }

  /// Reads the row again and moves the changes onto it, likewise those of one-to-one partners that
  /// others gave the object. If the row is gone, the object stays as it is, and the save has a
  /// conflict.
  private func reapply(_ object: ManagedObject) throws(StoreError) {
    var rebased: [ManagedObject] = []
    var open = [object]
    while let next = open.popLast() {
      guard try rebaseOnStoredRow(next) else { continue }
      rebased.append(next)
      for (partner, _) in savedPartners(of: next) where !partner.isNew && !partner.isDeleted {
        if !partner.state.contains(.open) {
          dropRow(of: partner)
        } else if !rebased.contains(where: { $0 === partner }) {
          open.append(partner)
        }
      }
    }
    unlinkSavedPartners(of: rebased)
    if rebased.first === object { callHook { object.awake(fromSnapshotEvents: .refresh) } }
  }

  /// Returns false if the row is gone.
  private func rebaseOnStoredRow(_ object: ManagedObject) throws(StoreError) -> Bool {
    let pages = try source.rows(for: [object.key])
    for links in object.extras?.toMany ?? [] { links.invalidate() }
    guard let fresh = pages.first, fresh.count > 0 else { return false }
    rebase(object, on: fresh, 0)
    return true
  }
}

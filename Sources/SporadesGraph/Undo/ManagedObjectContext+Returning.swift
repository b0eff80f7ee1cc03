// SPDX-License-Identifier: MIT
import SporadesModel

// Objects that undo brings back, or takes away again.
extension ManagedObjectContext {
  /// Removes a new object and the links to it. Its own hooks and delete rules do not run.
  final func removeInserted(_ object: ManagedObject) {
    markDeleted(object)
    unlinkAll(object)
  }

  /// Inserts an object whose deletion was saved, under a new id.
  final func reinsert(_ object: ManagedObject, as row: RowPage) {
    let key = RowKey(
      entity: object.home.shape.number, primaryKey: nextTemporaryKey.primaryKey)
    let open = object.home.insertPage
    unsafe _ = open.openRow(key, version: 1)
    if stack.coordinator != nil { assignments[ObjectIdentifier(object)] = object.key.store }
    object.key = key
    object.dropExtras()
    object.show(open, open.count - 1)
    object.state.remove(.gone)
    object.state.formUnion([.inserted, .open])
    changes.list(object)
    for slot in row.layout.slots.indices where row.layout.slots[slot].kind != .reference {
      object.setSlot(slot, from: row, 0)
    }
  }

  /// Restores the many-to-many links of an object that is back.
  final func relink(_ object: ManagedObject, _ links: ObjectSnapshot.Links) {
    let relationship = links.relationship
    let inverse = relationship.inverse(in: object.home)
    if !object.isInserted {
      // because the store still has the links, members that dropped them read them again
      if let inverse {
        let removed = Set(links.removed)
        for member in object.members(relationship) {
          guard !removed.contains(member), let back = member.knownToMany(inverse)
          else { continue }
          back.invalidate()
          if back.isLoaded && !back.isKnown(object) { back.add(object) }
        }
      }
      for other in links.removed {
        let back = inverse.flatMap { other.knownToMany($0) }
        guard back?.removed.contains(where: { $0 === object }) == true else {
          object.unlink(other, relationship)
          continue
        }
        // because the other side still remembers that it was left
        object.toManyForChange(relationship).remove(other)
        object.noteChange(mayBeGone: true)
      }
    }
    let members = object.isInserted ? links.members : links.added
    for other in members where !other.isDeleted && !other.state.contains(.gone) {
      // because a file may have links to rows that it lacks, and these cannot be linked again
      guard unsafe other.loadRow() != nil else { continue }
      object.link(other, relationship)
    }
  }

  /// Marks an object as unchanged if it has the values of its last save.
  final func clearRevertedChange(of object: ManagedObject) {
    // because a parent context may have another order than the rows
    if parent.root != nil {
      for links in object.extras?.toMany ?? [] { links.clearRestoredOrder() }
    }
    guard !object.isInserted, !object.isDeleted, let base = object.base, let page = object.page,
      object.extras?.toMany.contains(where: \.hasChanges) != true
    else { return }
    for slot in page.layout.slots.indices {
      guard page.holds(object.rowIndex, slot: slot, sameAs: base.page, base.index) else {
        return
      }
    }
    object.show(base.page, base.index)
    object.state.subtract([.open, .updated])
  }
}

// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// Resolution of one object's conflict with its stored row.
//
// Rules:
// 1. Afterwards the object's changes start from the stored row, or the object is new again, or it
//    is gone.
// 2. A reference changes on both its sides.
// 3. Undoing a deletion restores the references that it nullified. Objects that it deleted by
//    cascade stay deleted.
extension ManagedObjectContext {
  func resolveCollision(_ collision: Collision, _ resolution: MergePolicy.Resolution) throws -> Bool
  {
    let object = collision.object
    if let base = collision.watched { return resolveWatched(collision, base, resolution) }
    guard let row = collision.persisted else {
      resolveGone(object, resolution)
      return true
    }
    switch resolution {
    case .refuse: return false
    case .objectTrump:
      rebaseOnRow(object, row)
      updatePartners(of: object, storedAs: row)
      extendDeletion(of: object)
    case .overwrite:
      let former = object.place
      rebaseOnRow(object, row)
      if let former, !object.isDeleted { setAllValues(object, from: former) }
      updatePartners(of: object, storedAs: row)
      extendDeletion(of: object)
    case .values(let values):
      if object.isDeleted { undoDeletion(of: object) }
      rebaseOnRow(object, row)
      updatePartners(of: object, storedAs: row)
      setValues(values, of: object)
    case .storeTrump:
      if object.isDeleted {
        undoDeletion(of: object)
      } else {
        revertConflictingSlots(of: object, to: row)
      }
      rebaseOnRow(object, row)
      clearEmptyChange(of: object)
    case .rollback:
      if object.isDeleted { undoDeletion(of: object) }
      refresh(object, mergeChanges: false)
      rebaseOnRow(object, row)
    }
    return true
  }

  /// Moves changes onto the stored row if there is no conflict. Only one side changed each
  /// reference, and both its ends are consistent. Partners are not read again, because that would
  /// hide their own conflicts.
  func combineChanges(_ collision: Collision) {
    if let base = collision.watched {
      _ = resolveWatched(collision, base, .storeTrump)
      return
    }
    guard let row = collision.persisted else { return resolveGone(collision.object, .storeTrump) }
    rebaseOnRow(collision.object, row)
    extendDeletion(of: collision.object)
  }

  /// Resolves the conflict of an object whose row is gone.
  func resolveGone(_ object: ManagedObject, _ resolution: MergePolicy.Resolution) {
    switch resolution {
    case .objectTrump where !object.isDeleted, .overwrite where !object.isDeleted:
      insertAgain(object)
    case .values(let values):
      if object.isDeleted { undoDeletion(of: object) }
      insertAgain(object)
      setValues(values, of: object)
    default: merge(ChangeSet(deleted: [DeletedRow(key: object.key, version: 0)]))
    }
  }

  // MARK: - Rows

  /// Sets the values that a policy decided on.
  func setValues(_ values: [String: Value], of object: ManagedObject) {
    for (name, value) in values.inOrder {
      switch object.home.shape[name] {
      case .attribute(let attribute)?: object.set(value, of: attribute)
      case .relationship(let relationship)? where !relationship.isToMany:
        var target: ManagedObject?
        if case .objectID(let id) = value { target = self.object(forKey: permanentID(of: id).key) }
        object.setToOne(relationship, target)
      default:
        trap(
          "A merge policy gave \(object.home.shape.name).\(name) a value, but it is no attribute and "
            + "no to-one relationship.")
      }
    }
  }

  /// Moves the object's changes onto the row, and invalidates the to-many relationships that the
  /// row's references belong to.
  func rebaseOnRow(_ object: ManagedObject, _ row: RowPlace) {
    let former = object.basePlace
    for links in object.extras?.toMany ?? [] { links.invalidate() }
    for slot in row.page.layout.referenceSlots {
      let (old, new) = (former?.reference(slot), row.reference(slot))
      guard old != new || former == nil else { continue }
      for owner in [old, new] {
        if let owner { invalidate(owner: owner, row.page.layout, slot) }
      }
    }
    if object.state.contains(.open) || object.isDeleted {
      rebase(object, on: row.page, row.index)
    } else {
      object.show(row.page, row.index)
      object.state.remove(.gone)
    }
    unlinkGivenPartners(of: object)
  }

  /// Changes every value of the object to that of a former row. References are left out, because
  /// both their sides are consistent.
  private func setAllValues(_ object: ManagedObject, from former: RowPlace) {
    for slot in former.page.layout.slots.indices where former.page.layout.slots[slot].isOfItsOwn {
      object.setSlot(slot, from: former.page, former.index)
    }
  }

  /// Updates the rows of one-to-one partners: the stored partner loses the link, and the partner in
  /// this context gets it.
  private func updatePartners(of object: ManagedObject, storedAs row: RowPlace) {
    guard !object.isDeleted else { return }
    for relationship in object.home.binding.toOneRelationships {
      guard case .reference(let slot, _) = relationship.storage,
        case .reference(let back, _)? = relationship.inverse(in: object.home)?.storage
      else { continue }
      let (kept, lost) = (object.reference(slot), row.reference(slot))
      guard kept != lost else { continue }
      if let lost = lost.map({ self.object(forKey: $0) }) {
        refresh(lost, mergeChanges: true)
        if !lost.isRemoved && lost.reference(back) == object.key { lost.setNull(back) }
      }
      if let kept = kept.map({ self.object(forKey: $0) }) {
        refresh(kept, mergeChanges: true)
        if !kept.isRemoved { kept.setWord(back, object.key.rawValue) }
      }
    }
  }

  /// Takes the store's values of the slots that both sides changed.
  private func revertConflictingSlots(of object: ManagedObject, to row: RowPlace) {
    guard let base = object.basePlace else { return }
    for slot in object.changedSlots where !base.agrees(with: row, slot: slot) {
      if row.page.layout.slots[slot].kind == .reference {
        setReference(slot, of: object, row.reference(slot).map { self.object(forKey: $0) })
      } else {
        object.setSlot(slot, from: row.page, row.index)
      }
    }
  }

  /// Marks an object as unchanged if its values are those of its base row.
  func clearEmptyChange(of object: ManagedObject) {
    guard object.state.contains(.open), let base = object.basePlace, let place = object.place,
      object.changedSlots.allSatisfy({ base.agrees(with: place, slot: $0) }),
      object.extras?.toMany.contains(where: \.hasChanges) != true
    else { return }
    object.show(base.page, base.index)
    object.state.subtract([.open, .updated])
  }

  // MARK: - Gone and back

  /// Turns the object into a new one with the same key, for the next save to insert.
  private func insertAgain(_ object: ManagedObject) {
    guard let former = object.place else { return }
    let layout = former.page.layout
    let open = object.home.insertPage
    let row = unsafe open.openRow(object.key, version: 1)
    for slot in layout.slots.indices {
      unsafe open.copySlot(slot, to: row, from: former.page, former.index)
    }
    object.show(open, open.count - 1)
    object.state.subtract([.updated, .gone])
    object.state.formUnion([.inserted, .open])
    changes.list(object)
    for slot in layout.referenceSlots {
      guard let key = object.reference(slot), !key.isTemporary else { continue }
      let target = self.object(forKey: key)
      if target.isFault { fulfil(target) }
      if target.state.contains(.gone) || target.isDeleted {
        object.setNull(slot)
      } else if let relationship = relationship(of: target, slot, layout) {
        // because the store does not have the member any more
        let links = target.toManyForChange(relationship)
        links.forget(object)
        links.add(object)
      }
    }
  }

  /// Undoes the deletion of the object, and restores the references that the deletion nullified.
  func undoDeletion(of object: ManagedObject) {
    object.state.subtract([.deleted, .gone])
    for other in changes.listed where other !== object && !other.isDeleted {
      guard let base = other.basePlace, other.state.contains(.open) else { continue }
      for slot in base.page.layout.referenceSlots
      where base.reference(slot) == object.key && other.referenceInMemory(slot) == nil {
        setReference(slot, of: other, object)
        restorePosition(of: other, from: base, object, slot)
      }
    }
    let layout = object.home.shape.layout
    for slot in layout.referenceSlots {
      guard let owner = object.related(slot),
        let relationship = relationship(of: owner, slot, layout),
        let links = owner.knownToMany(relationship)
      else { continue }
      if object.basePlace?.reference(slot) == owner.key {
        links.forget(object)
      } else if !(links.isLoaded && links.isKnown(object)) {
        links.add(object)
      }
    }
    object.extras?.toMany.removeAll()
    for relationship in object.home.binding.toManyRelationships {
      guard let inverse = relationship.inverse(in: object.home), case .join = inverse.storage
      else { continue }
      // The members are read again, because others may have moved this one meanwhile.
      for map in maps(ofRoot: stack.roots[relationship.destination - 1]) {
        map.visit { owner in
          guard let links = owner.knownToMany(inverse) else { return }
          if links.hasDropped(object) { links.forget(object) } else { links.invalidate() }
        }
      }
    }
  }

  /// Restores the place of a member whose reference to its owner was restored.
  private func restorePosition(
    of member: ManagedObject, from base: RowPlace, _ owner: ManagedObject, _ slot: Int
  ) {
    guard let relationship = relationship(of: owner, slot, base.page.layout),
      case .inverseReference(_, let position?) = relationship.storage
    else { return }
    member.setSlot(position, from: base.page, base.index)
  }
}

// SPDX-License-Identifier: MIT
import SporadesModel

extension ManagedObjectContext {
  /// Marks an object for deletion by the next save, with what its delete rules say of others.
  ///
  /// Cascades and nullified links happen now; what a deny rule forbids is refused by the save.
  public func delete(_ object: ManagedObject) {
    checkQueue()
    precondition(
      object.home.context === self,
      "\(object.objectID) lives in another context. Find it in this one first: inContext(_:).")
    guard object.home.binding.hasCascades else {
      _ = deleteOne(object)
      return
    }
    var open = [object]
    while let next = open.popLast() { open += deleteOne(next) }
  }

  /// Deletes one object and returns those its delete rules want deleted with it.
  private func deleteOne(_ object: ManagedObject) -> [ManagedObject] {
    guard !object.isDeleted, !object.state.contains(.gone) else { return [] }
    guard unsafe object.loadRow() != nil else { return [] }
    // because an object may ask for its own deletion while it hears of it
    guard !object.state.contains(.leaving) else { return [] }
    object.state.insert(.leaving)
    object.prepareForDeletion()
    object.state.remove(.leaving)
    let others = cascaded(object)
    mark(object)
    unlinkAll(object)
    return others
  }

  func mark(_ object: ManagedObject) {
    object.state.insert(.deleted)
    if object.isInserted { object.state.insert(.gone) }
    changes.list(object)
    changes.hasDeletions = true
  }

  /// The objects that an object's delete rules want deleted with it.
  func cascaded(_ object: ManagedObject) -> [ManagedObject] {
    guard object.home.binding.hasCascades else { return [] }
    var all: [ManagedObject] = []
    for relationship in object.home.binding.toOneRelationships
    where relationship.description.deleteRule == .cascade {
      all += object.objects(of: relationship)
    }
    for relationship in object.home.binding.toManyRelationships
    where relationship.description.deleteRule == .cascade {
      let members = object.members(relationship)
      guard case .inverseReference(let slot, _) = relationship.storage else {
        all += members
        continue
      }
      all += members.filter { $0.leads(to: object, slot) }
    }
    return all
  }

  /// Takes a deleted object out of the relationships that lead to it.
  func unlinkAll(_ object: ManagedObject) {
    for relationship in object.home.binding.toOneRelationships
    where relationship.description.deleteRule != .noAction {
      guard case .reference(let slot, _) = relationship.storage,
        let key = object.reference(slot), let inverse = relationship.inverse(in: object.home)
      else { continue }
      leave(key, inverse, object)
    }
    leaveOwners(object)
    for relationship in object.home.binding.toManyRelationships {
      switch (relationship.storage, relationship.description.deleteRule) {
      case (.inverseReference(let slot, let position), .nullify):
        for member in object.members(relationship)
        where !member.isDeleted && member.leads(to: object, slot) {
          member.setReference(slot, position, nil)
        }
      case (.join, .nullify), (.join, .cascade):
        // The store removes the links; only what is in memory must hear of it.
        guard let inverse = relationship.inverse(in: object.home) else { continue }
        // What the object itself knows stays, for undo.
        for member in object.memberFaults(relationship) where member !== object {
          member.changingKnown(inverse)?.forget(object)
        }
      default: break
      }
    }
  }

  /// Takes a deleted object out of relationships without inverse that have it among their members.
  private func leaveOwners(_ object: ManagedObject) {
    let layout = object.home.shape.layout
    for slot in layout.referenceSlots {
      guard case .owner(_, let description) = layout.slots[slot].role,
        let key = object.reference(slot),
        case .relationship(let relationship)? =
          model.shape(numbered: key.entity)[description.name]
      else { continue }
      owner(key, of: relationship)?.changingKnown(relationship)?.remove(object)
    }
  }

  /// Takes `object` out of what the object with `key` knows of its relationship, loading nothing
  /// but a row that holds the deleted object's key.
  private func leave(_ key: RowKey, _ inverse: RelationshipShape, _ object: ManagedObject) {
    switch inverse.storage {
    case .reference(let slot, _):
      let partner = self.object(forKey: key)
      if !partner.isDeleted && partner.reference(slot) == object.key { partner.setNull(slot) }
    case .inverseReference:
      owner(key, of: inverse)?.changingKnown(inverse)?.remove(object)
    // What is kept in memory is not shown while it is deleted.
    case .join, .memory: break
    }
  }

  /// The owner of a relationship that is about to lose a member; one that nobody has in memory is
  /// needed only where the save asks for its count.
  private func owner(_ key: RowKey, of relationship: RelationshipShape) -> ManagedObject? {
    relationship.hasCountToKeep ? object(forKey: key) : registered(key)
  }
}

extension ManagedObject {
  /// Whether a reference slot holds the other object's key. A deleted object still knows members that
  /// have left it since.
  fileprivate final func leads(to object: ManagedObject, _ slot: Int) -> Bool {
    reference(slot)?.primaryKey == object.key.primaryKey
  }
}

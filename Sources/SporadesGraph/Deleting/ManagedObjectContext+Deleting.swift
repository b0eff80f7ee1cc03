// SPDX-License-Identifier: MIT
import SporadesModel

extension ManagedObjectContext {
  /// Marks an object for deletion by the next save, and applies its delete rules.
  ///
  /// Cascaded deletions and nullified links happen now. The save throws if a rule denies the
  /// deletion.
  public func delete(_ object: ManagedObject) {
    checkQueue()
    requireOwn(object)
    guard object.home.binding.hasCascades else {
      _ = deleteOne(object)
      return
    }
    var open = [object]
    while let next = open.popLast() { open += deleteOne(next) }
  }

  /// Deletes one object, and returns the objects that its cascades delete.
  private func deleteOne(_ object: ManagedObject) -> [ManagedObject] {
    guard !object.isDeleted, !object.state.contains(.gone) else { return [] }
    guard unsafe object.loadRow() != nil else { return [] }
    // because an object may delete itself in its own `prepareForDeletion`
    guard !object.state.contains(.preparingDeletion) else { return [] }
    object.state.insert(.preparingDeletion)
    if saving.callsHooks { callHook { object.prepareForDeletion() } }
    object.state.remove(.preparingDeletion)
    let others = cascaded(object)
    markDeleted(object)
    unlinkAll(object)
    return others
  }

  /// Marks an object for deletion, or withdraws it if it was never saved.
  func markDeleted(_ object: ManagedObject) {
    object.state.insert(.deleted)
    if object.isNew { object.state.insert(.gone) }
    changes.list(object)
    changes.hasDeletions = true
  }

  /// The objects that the object's cascades delete.
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

  /// Removes a deleted object from the relationships that lead to it.
  func unlinkAll(_ object: ManagedObject) {
    // By index, and not at all over an empty list, because a loop over the elements counts references.
    for index in object.home.binding.toOneRelationships.indices {
      unlinkFromPartner(object, object.home.binding.toOneRelationships[index])
    }
    if !object.home.binding.ownerSlots.isEmpty { unlinkFromOwners(object) }
    if !object.home.binding.toManyRelationships.isEmpty { unlinkMembers(object) }
  }

  private func unlinkMembers(_ object: ManagedObject) {
    for relationship in object.home.binding.toManyRelationships {
      switch (relationship.storage, relationship.description.deleteRule) {
      case (.inverseReference(let slot, let position), .nullify):
        for member in object.members(relationship)
        where !member.isRemoved && member.leads(to: object, slot) {
          member.setReference(slot, position, nil)
        }
      case (.join, .nullify), (.join, .cascade):
        // because the store removes the links itself, only relationships in memory change here
        guard let inverse = relationship.inverse(in: object.home) else { continue }
        // The object's own members stay, for undo.
        for member in object.memberFaults(relationship) where member !== object {
          member.toManyLosing(object, inverse)?.dropDeleted(object)
        }
      default: break
      }
    }
  }

  /// Removes a deleted object from relationships without inverse that have it as a member.
  private func unlinkFromOwners(_ object: ManagedObject) {
    let layout = object.home.shape.layout
    for slot in object.home.binding.ownerSlots {
      guard case .owner(_, let description) = layout.slots[slot].role,
        let key = object.reference(slot),
        case .relationship(let relationship)? =
          model.shape(numbered: key.entity)[description.name]
      else { continue }
      self.object(forKey: key).toManyLosing(object, relationship)?.remove(object)
    }
  }

  /// Removes a deleted object from the relationship of the object that it leads to. It loads nothing but
  /// a row that refers to the deleted object: an owner of a to-many relationship may stay a fault.
  private func unlinkFromPartner(_ object: ManagedObject, _ relationship: RelationshipShape) {
    guard relationship.description.deleteRule != .noAction,
      case .reference(let slot, _) = relationship.storage, let key = object.reference(slot),
      let inverse = relationship.inverse(in: object.home)
    else { return }
    switch inverse.storage {
    case .reference(let slot, _):
      let partner = self.object(forKey: key)
      if !partner.isRemoved { partner.endLink(from: slot, to: object) }
    case .inverseReference:
      self.object(forKey: key).toManyLosing(object, inverse)?.remove(object)
    // A transient relationship hides its deleted members.
    case .join, .memory: break
    }
  }

  /// Forgets withdrawn objects if there are no changes and no undo that could bring them back.
  func forgetWithdrawn() {
    guard !changes.listed.isEmpty, events == nil, changes.isEmpty else { return }
    notifyChildrenOfWithdrawn()
    for object in changes.listed where object.isRemoved {
      unregister(object)
      object.becomeFault()
      object.state.insert(.gone)
    }
    clearChanges()
  }
}

extension ManagedObject {
  /// The to-many relationship that loses a deleted member. An owner that is deleted too has no
  /// change to note, so only a relationship in memory matters.
  fileprivate final func toManyLosing(
    _ member: ManagedObject, _ relationship: RelationshipShape
  ) -> ToMany? {
    if isGoneOwner(of: relationship) { return nil }
    return isRemoved ? knownToMany(relationship) : toManyForChange(relationship)
  }

  /// Whether a reference slot refers to the other object. A deleted object still lists members that
  /// have left it since.
  fileprivate final func leads(to object: ManagedObject, _ slot: Int) -> Bool {
    reference(slot)?.primaryKey == object.key.primaryKey
  }
}

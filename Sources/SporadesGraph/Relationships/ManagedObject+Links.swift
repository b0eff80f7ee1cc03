// SPDX-License-Identifier: MIT
import SporadesChain
package import SporadesModel
import SporadesStore

// Setting one side of a relationship changes the other side too, and fails the save where the row of one of them is gone.
//
// Rules:
// 1. Both sides of a link change before any other code can read them.
// 2. A change loads no objects, except a row that holds the other side's key.
// 3. A link never leads to an object of another context, nor to an object whose row is gone.
extension ManagedObject {
  // MARK: - To one

  /// The object that a reference slot leads to, as a fault if it is not in memory.
  final func related(_ slot: Int) -> ManagedObject? {
    guard let key = reference(slot) else { return nil }
    guard let context = home.context else {
      refuseReading(home.shape.layout.slots[slot].name)
      return nil
    }
    return context.registered(key) ?? context.fault(key, referredToBy: self, slot)
  }

  /// The objects of a relationship, to-one or to-many.
  final func objects(of relationship: RelationshipShape) -> [ManagedObject] {
    guard case .reference(let slot, _) = relationship.storage else { return members(relationship) }
    return related(slot).map { [$0] } ?? []
  }

  /// The object of a to-one relationship.
  package final func target(of relationship: RelationshipShape) -> ManagedObject? {
    guard case .reference(let slot, _) = relationship.storage else {
      return transientMembers(relationship).first
    }
    return related(slot)
  }

  package final func setToOne(_ relationship: RelationshipShape, _ object: ManagedObject?) {
    guard case .reference(let slot, let position) = relationship.storage else {
      return setTransientMembers(relationship, object.map { [$0] } ?? [])
    }
    guard home.contextToken != nil, !state.contains(.gone) else { return refuseChange() }
    let object = object.map { checkedDestination($0, relationship) }
    if let object {
      if object.state.contains(.gone) {
        home.context?.report(.objectGone(object.objectID))
        return
      }
    }
    let former = reference(slot).flatMap { home.context?.object(forKey: $0) }
    guard former !== object else { return }
    let inverse = relationship.inverse(in: home)
    if let former, let inverse { former.removeLink(to: self, inverse) }
    setReference(slot, position, object)
    if let object, let inverse { object.addLink(to: self, inverse) }
  }

  /// Sets a reference. It clears the position, because the old position counts among the former
  /// owner's members.
  final func setReference(_ slot: Int, _ position: Int?, _ object: ManagedObject?) {
    if let object {
      home.onContext { context in
        context.register(object)
        if object.isFault { context.hasLinksToFaults = true }
      }
      setWord(slot, object.key.rawValue)
    } else {
      setNull(slot)
    }
    if let position { setNull(position) }
  }

  // MARK: - To many

  final func members(_ relationship: RelationshipShape) -> [ManagedObject] {
    guard relationship.isStored else { return transientMembers(relationship) }
    if home.context == nil { refuseReading(relationship.name) }
    let links = toMany(relationship)
    guard let context = home.context else { return links.members }
    if !links.isLoaded { context.load(links, of: relationship, for: self) }
    links.dropFormerMembers(of: self, upTo: context.hearing.memberMerges)
    return links.members
  }

  /// The members. Those that are not in memory come as faults.
  package final func memberFaults(_ relationship: RelationshipShape) -> [ManagedObject] {
    guard relationship.isStored else { return transientMembers(relationship) }
    if home.context == nil { refuseReading(relationship.name) }
    let links = toMany(relationship)
    guard let context = home.context else { return links.members }
    if !links.isLoaded {
      do throws(StoreError) {
        try context.loadIDs(relationship, of: self)
      } catch {
        context.report(.unloaded(objectID, relationship: relationship.name, error))
      }
    }
    links.dropFormerMembers(of: self, upTo: context.hearing.memberMerges)
    return links.members
  }

  /// The to-many relationship, for a change. The context lists the object as changed, holds it until
  /// the save, and reads nothing.
  final func toManyForChange(_ relationship: RelationshipShape) -> ToMany {
    home.onContext { $0.changes.noteLinks(self) }
    return toMany(relationship)
  }

  /// The to-many relationship if the context has it in memory.
  final func knownToMany(_ relationship: RelationshipShape) -> ToMany? {
    guard let extras else { return nil }
    // By index, because a loop over the elements counts references to each.
    let place = extras.toMany.indices.first { extras.toMany[$0].relationship === relationship }
    return place.map { extras.toMany[$0] }
  }

  final func toMany(_ relationship: RelationshipShape) -> ToMany {
    if let known = knownToMany(relationship) { return known }
    let links = ToMany(relationship, isLoaded: isNew || state.contains(.gone))
    if extras == nil { extras = ObjectExtras() }
    extras?.toMany.append(links)
    return links
  }

  private static let repeatedMember = Hint(
    " was set to a list in which an object occurs more than once. A member has one place, and takes the first. For an object "
      + "at several places, link an entity of places in between.")

  package final func setMembers(_ relationship: RelationshipShape, _ objects: [ManagedObject]) {
    if home.context == nil { return refuseChange() }
    guard relationship.isStored else { return setTransientMembers(relationship, objects) }
    let objects = objects.map { checkedDestination($0, relationship) }
    let current = memberFaults(relationship)
    let wanted = Set(objects)
    let leaving = current.filter { !wanted.contains($0) }
    // because each object that could not be read has reported its failure, the error adds nothing
    try? home.context?.fulfil(faultsAmong: leaving)
    for object in leaving { unlink(object, relationship) }
    let present = Set(current)
    for object in objects where !present.contains(object) {
      link(object, relationship)
    }
    if relationship.isOrdered {
      if wanted.count < objects.count, home.checksQueue {
        Self.repeatedMember.give(about: "\(home.shape.name).\(relationship.name)")
      }
      var seen: Set<ObjectIdentifier> = []
      reorder(relationship, objects.filter { seen.insert(ObjectIdentifier($0)).inserted })
    }
  }

  /// Changes the order of the members. The members must stay the same.
  final func reorder(_ relationship: RelationshipShape, _ members: [ManagedObject]) {
    if home.context == nil { return refuseChange() }
    guard relationship.isStored else { return replaceTransients(members, relationship) }
    let links = toManyForChange(relationship)
    links.reorder(members)
    if links.hasChanges { noteChange() }
  }

  final func link(_ object: ManagedObject, _ relationship: RelationshipShape) {
    guard let context = home.context else { return refuseChange() }
    if object.state.contains(.gone) { return context.report(.objectGone(object.objectID)) }
    guard !state.contains(.gone) else { return refuseChange() }
    switch relationship.storage {
    case .reference: setToOne(relationship, object)
    case .inverseReference(let slot, let position):
      let former = object.related(slot)
      guard former !== self else { return }
      former?.toManyForChange(relationship).remove(object)
      object.setReference(slot, position, self)
      toManyForChange(relationship).add(object)
      updateTransientInverse(of: relationship, object, former: former, isMember: true)
    case .memory: linkTransient(object, relationship)
    case .join:
      guard unsafe object.loadRow() != nil else {
        return context.report(.objectGone(object.objectID))
      }
      let links = toManyForChange(relationship)
      if links.isKnown(object) { return }
      links.add(object)
      noteChange()
      if let inverse = relationship.inverse(in: home),
        !(object === self && inverse === relationship)
      {
        object.toManyForChange(inverse).add(self)
        object.noteChange()
      }
    }
  }

  final func unlink(_ object: ManagedObject, _ relationship: RelationshipShape) {
    if home.context == nil { return refuseChange() }
    switch relationship.storage {
    case .reference: setToOne(relationship, nil)
    case .inverseReference(let slot, let position):
      guard object.related(slot) === self else { return }
      object.setReference(slot, position, nil)
      toManyForChange(relationship).remove(object)
      updateTransientInverse(of: relationship, object, former: self, isMember: false)
    case .memory: unlinkTransient(object, relationship)
    case .join:
      let links = toManyForChange(relationship)
      if links.isLoaded && !links.isKnown(object) { return }
      links.remove(object)
      noteChange()
      if let inverse = relationship.inverse(in: home),
        !(object === self && inverse === relationship)
      {
        object.toManyForChange(inverse).remove(self)
        object.noteChange(mayBeGone: true)
      }
    }
  }

  // MARK: - The other side

  /// Takes `object` out of this side, while the caller changes the other side.
  final func removeLink(to object: ManagedObject, _ relationship: RelationshipShape) {
    switch relationship.storage {
    case .reference(let slot, _): endLink(from: slot, to: object)
    case .inverseReference:
      if !isGoneOwner(of: relationship) { toManyForChange(relationship).remove(object) }
    case .memory: removeTransient(object, relationship)
    case .join: break
    }
  }

  /// Whether the object is gone and has left members that lead to it. Only a rule that leaves them alone
  /// does that, so no other owner is read here.
  final func isGoneOwner(of relationship: RelationshipShape) -> Bool {
    guard relationship.description.deleteRule == .noAction else { return false }
    return unsafe loadRow() == nil
  }

  /// Puts `object` into this side, while the caller changes the other side.
  final func addLink(to object: ManagedObject, _ relationship: RelationshipShape) {
    switch relationship.storage {
    case .reference(let slot, _):
      if let former = related(slot), former !== object {
        former.endLink(to: self, relationship)
      }
      setReference(slot, nil, object)
    case .inverseReference: toManyForChange(relationship).add(object)
    case .memory: addTransient(object, relationship)
    case .join: break
    }
  }

  /// Ends this object's side of the one-to-one link to `partner`.
  private final func endLink(to partner: ManagedObject, _ relationship: RelationshipShape) {
    guard let back = relationship.inverse(in: partner.home),
      case .reference(let slot, _) = back.storage
    else { return }
    endLink(from: slot, to: partner)
  }

  /// Ends the link of a slot to a partner that leads here. Where the slot leads elsewhere, the partner's row is newer: others
  /// made the link, and their side of it must end, too. So the object is read again, or compared by the save if it has
  /// changes.
  final func endLink(from slot: Int, to partner: ManagedObject) {
    if reference(slot) != partner.key {
      guard let context = home.context, let base = basePlace, !isDeleted else { return }
      guard !state.contains(.open) else {
        if context.watched[key] == nil {
          context.watched[key] = WatchedObject(object: self, base: base)
        }
        return
      }
      context.dropRow(of: self)
      guard reference(slot) == partner.key else { return }
    }
    setNull(slot)
  }

  /// The object, which a relationship may lead to. For an object of a batch, one of the context that executes the batch
  /// becomes the batch's own with the same id. Every other object of another context traps.
  final func checkedDestination(
    _ object: ManagedObject, _ relationship: RelationshipShape
  ) -> ManagedObject {
    if object.home.contextToken != home.contextToken,
      let own = home.context?.batchObject(for: object)
    {
      checkDestination(own, relationship)
      return own
    }
    checkDestination(object, relationship)
    return object
  }

  final func checkDestination(_ object: ManagedObject, _ relationship: RelationshipShape) {
    trap(
      unless: object.home.contextToken == home.contextToken,
      home.context?.saving.sender == nil
        ? "\(home.shape.name).\(relationship.name) was set to an object of another context. Find it in this one first: object.inContext(context)."
        : "\(home.shape.name).\(relationship.name) was set in a batch to an object of another context, or to one that is not saved. Set an object that the context which executes the batch has saved, or its id: setValue(object.objectID, forKey: \"\(relationship.name)\")."
    )
    trap(
      unless: relationship.destinationFamily.contains(object.home.shape.number),
      "\(home.shape.name).\(relationship.name) leads to \(relationship.description.destinationEntityName) and was set to a \(object.home.shape.name). Set an object of \(relationship.description.destinationEntityName) or of an entity that inherits from it."
    )
  }

  /// Lists the object as changed although no slot of its row changed. If its row is gone, it
  /// refuses the change, unless `mayBeGone` says that it is the far end of a link that ends.
  final func noteChange(mayBeGone: Bool = false) {
    guard !isRowChanged, let context = home.context else { return }
    guard !state.isSuperset(of: .announcedGone), unsafe loadRow() != nil else {
      return mayBeGone ? () : refuseChange()
    }
    context.openRow(of: self)
  }
}

extension ManagedObjectContext {
  /// The object of this context with the id of another one, which belongs to the context that executes a batch. Nil if
  /// this context is of no batch, or the object is of another context.
  func batchObject(for object: ManagedObject) -> ManagedObject? {
    guard let sender = saving.sender, object.home.contextToken == sender else { return nil }
    // `try?`, because without its row the object can not be linked, as no object of another context can.
    return try? self.object(with: object.objectID)
  }
}

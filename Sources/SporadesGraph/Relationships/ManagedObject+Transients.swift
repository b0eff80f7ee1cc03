// SPDX-License-Identifier: MIT
import SporadesModel

// Transient relationships. The objects on both sides hold the links.
//
// Rules:
// 1. Setting a link is no change, as with transient attributes: no save writes the link, no child
//    context passes it to its parent, and undo does not touch it.
// 2. A deleted object is not shown. Undoing its deletion shows it again.
// 3. An object that drops its values also ends its links.
// 4. If the other side is stored, setting either side sets the stored side, and the transient side
//    follows.
extension ManagedObject {
  /// The objects of the transient relationship.
  final func transientMembers(_ relationship: RelationshipShape) -> [ManagedObject] {
    if home.context == nil { refuseReading(relationship.name) }
    guard let held = extras?.transientLinks[relationship.number]?.objects else { return [] }
    let shown = held.filter { !$0.isDeleted && !$0.state.contains(.gone) }
    if shown.count < held.count {
      // because an undo can revert a deletion until a save makes it final
      replaceTransients(held.filter { $0.isRemoved || !$0.state.contains(.gone) }, relationship)
    }
    return shown
  }

  final func setTransientMembers(_ relationship: RelationshipShape, _ objects: [ManagedObject]) {
    if home.context == nil { return refuseChange() }
    for object in objects { checkDestination(object, relationship) }
    if let gone = objects.first(where: { $0.state.contains(.gone) }) {
      home.context?.report(.objectGone(gone.objectID))
      return
    }
    let wanted = Set(objects)
    for object in transientMembers(relationship) where !wanted.contains(object) {
      unlinkTransient(object, relationship)
    }
    for object in objects { linkTransient(object, relationship) }
    if relationship.isOrdered {
      var seen: Set<ManagedObject> = []
      replaceTransients(objects.filter { seen.insert($0).inserted }, relationship)
    }
  }

  /// Links both sides. A to-one side ends its former link.
  final func linkTransient(_ object: ManagedObject, _ relationship: RelationshipShape) {
    guard !state.contains(.gone) else {
      home.context?.report(.objectGone(objectID))
      return
    }
    let inverse = relationship.inverse(in: home)
    if let inverse, inverse.isStored { return object.link(self, inverse) }
    addTransient(object, relationship)
    if let inverse { object.addTransient(self, inverse) }
  }

  final func unlinkTransient(_ object: ManagedObject, _ relationship: RelationshipShape) {
    let inverse = relationship.inverse(in: home)
    if let inverse, inverse.isStored { return object.unlink(self, inverse) }
    removeTransient(object, relationship)
    if let inverse { object.removeTransient(self, inverse) }
  }

  // MARK: - One side

  /// Adds the object to this side only.
  final func addTransient(_ object: ManagedObject, _ relationship: RelationshipShape) {
    if extras == nil { extras = ObjectExtras() }
    if !relationship.isToMany {
      for former in transientMembers(relationship) where former !== object {
        unlinkTransient(former, relationship)
      }
    }
    var list = extras?.transientLinks.removeValue(forKey: relationship.number) ?? MemberList()
    if !list.contains(object) { list.append(object) }
    extras?.transientLinks[relationship.number] = list
  }

  /// Sets the objects of this side only, in their order.
  final func replaceTransients(_ objects: [ManagedObject], _ relationship: RelationshipShape) {
    if extras == nil { extras = ObjectExtras() }
    extras?.transientLinks[relationship.number] = MemberList(objects)
  }

  // MARK: - Where the other side is stored

  /// Updates the transient inverse of a stored to-many relationship: `object` becomes a member of
  /// this object's relationship or leaves it, and leaves that of `former`.
  final func updateTransientInverse(
    of relationship: RelationshipShape, _ object: ManagedObject, former: ManagedObject?,
    isMember: Bool
  ) {
    guard relationship.hasTransientInverse, let inverse = relationship.inverse(in: home) else {
      return
    }
    if let former { object.removeTransient(former, inverse) }
    if isMember { object.addTransient(self, inverse) }
  }
}

// SPDX-License-Identifier: MIT
import SporadesModel

// Ordered relationships by index. Members that are not in memory stay faults: their ids and places are
// read, and the rows of those alone that join, leave or get a new place.
extension ManagedObject {
  /// Puts an object into an ordered relationship, before the member at the index; a member is moved
  /// there. The number of the other members is the index behind all of them.
  public final func insert(_ object: ManagedObject, into name: String, at index: Int) {
    change(name, putting: object) { members in
      members.removeAll { $0 === object }
      precondition(
        members.indices.contains(index) || index == members.count, outOfBounds(index, name))
      members.insert(object, at: index)
    }
  }

  /// Takes the member at the index out of an ordered relationship.
  public final func remove(at index: Int, from name: String) {
    let relationship = orderedRelationship(name)
    let members = memberFaults(relationship)
    precondition(members.indices.contains(index), outOfBounds(index, name))
    unlinkAlone(members[index], relationship)
  }

  /// Puts an object into an ordered relationship, in the place of the member at the index, which leaves
  /// it. An object that is a member already is moved.
  public final func replace(at index: Int, in name: String, with object: ManagedObject) {
    let relationship = orderedRelationship(name)
    let former = memberFaults(relationship)
    precondition(former.indices.contains(index), outOfBounds(index, name))
    let leaving = former[index]
    guard leaving !== object else { return }
    let next = former[..<index].filter { $0 !== object }.count
    unlinkAlone(leaving, relationship)
    insert(object, into: name, at: next)
  }

  /// Moves the member at an index of an ordered relationship, so that it has the other index
  /// afterwards.
  public final func move(from index: Int, to newIndex: Int, in name: String) {
    change(name, putting: nil) { members in
      for index in [index, newIndex] {
        precondition(members.indices.contains(index), outOfBounds(index, name))
      }
      members.insert(members.remove(at: index), at: newIndex)
    }
  }

  /// Unlinks a member and reads none but it.
  private final func unlinkAlone(_ member: ManagedObject, _ relationship: RelationshipShape) {
    // because a failure is reported by the unlinking, which tries again
    try? home.context?.fulfil(faultsAmong: [member])
    unlink(member, relationship)
  }

  /// Links the object, and puts the members in the order that `body` makes.
  private final func change(
    _ name: String, putting object: ManagedObject?, _ body: (inout [ManagedObject]) -> Void
  ) {
    let relationship = orderedRelationship(name)
    var members = memberFaults(relationship)
    if let object {
      checkDestination(object, relationship)
      // because a row that is gone takes no changes, and says so when one is tried
      guard unsafe object.loadRow() != nil else {
        home.context?.report(.objectGone(object.objectID))
        return
      }
      if !members.contains(where: { $0 === object }) { link(object, relationship) }
    }
    body(&members)
    reorder(relationship, members)
  }

  private final func orderedRelationship(_ name: String) -> RelationshipShape {
    if home.checksQueue { home.checkQueue() }
    let relationship = toManyRelationship(name)
    precondition(
      relationship.isOrdered, "\(home.shape.name).\(name) has no order, and so no indices.")
    return relationship
  }

  private final func outOfBounds(_ index: Int, _ name: String) -> String {
    "\(home.shape.name).\(name) has no member at \(index). Ask count(forRelationshipNamed:)."
  }
}

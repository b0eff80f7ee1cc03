// SPDX-License-Identifier: MIT
import SporadesModel

// Ordered relationships by index. Members that are not in memory stay faults: the context reads
// their ids and positions. It reads the rows only of members that join, leave or get a new
// position.
extension ManagedObject {
  /// Inserts an object before the member at the index, or moves it there if it is a member already.
  /// The index that equals the number of the other members is the end.
  public final func insert(_ object: ManagedObject, into name: String, at index: Int) {
    change(name, putting: object) { members in
      members.removeAll { $0 === object }
      trap(
        unless: members.indices.contains(index) || index == members.count, outOfBounds(index, name))
      members.insert(object, at: index)
    }
  }

  /// Removes the member at the index from an ordered relationship.
  public final func remove(at index: Int, from name: String) {
    let relationship = orderedRelationship(name)
    let members = memberFaults(relationship)
    trap(unless: members.indices.contains(index), outOfBounds(index, name))
    unlinkAlone(members[index], relationship)
  }

  /// Replaces the member at the index by the object. If the object is a member already, it moves.
  public final func replace(at index: Int, in name: String, with object: ManagedObject) {
    let relationship = orderedRelationship(name)
    let former = memberFaults(relationship)
    trap(unless: former.indices.contains(index), outOfBounds(index, name))
    let leaving = former[index]
    guard leaving !== object else { return }
    let next = former[..<index].filter { $0 !== object }.count
    unlinkAlone(leaving, relationship)
    insert(object, into: name, at: next)
  }

  /// Moves a member of an ordered relationship. `newIndex` is its index afterwards.
  public final func move(from index: Int, to newIndex: Int, in name: String) {
    change(name, putting: nil) { members in
      for index in [index, newIndex] {
        trap(unless: members.indices.contains(index), outOfBounds(index, name))
      }
      members.insert(members.remove(at: index), at: newIndex)
    }
  }

  /// Unlinks one member and reads only its row.
  private final func unlinkAlone(_ member: ManagedObject, _ relationship: RelationshipShape) {
    // because the unlinking below tries again and reports the failure
    try? home.context?.fulfil(faultsAmong: [member])
    unlink(member, relationship)
  }

  /// Links the object, then gives the members the order that `body` makes.
  private final func change(
    _ name: String, putting object: ManagedObject?, _ body: (inout [ManagedObject]) -> Void
  ) {
    let relationship = orderedRelationship(name)
    var members = memberFaults(relationship)
    if let object {
      let object = checkedDestination(object, relationship)
      // because an object whose row is gone takes no changes, and reports each attempt
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
    if home.checksQueue { home.checkQueue(self, name) }
    let relationship = toManyRelationship(name)
    trap(
      unless: relationship.isOrdered,
      "\(home.shape.name).\(name) is not ordered, so it has no indices.")
    return relationship
  }

  private final func outOfBounds(_ index: Int, _ name: String) -> String {
    "\(home.shape.name).\(name) has no member at \(index). Ask count(forRelationshipNamed:)."
  }
}

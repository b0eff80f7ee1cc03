// SPDX-License-Identifier: MIT
import SporadesModel

// One member more or less, without loading the others.
extension ManagedObject {
  /// Adds an object to a to-many relationship without loading the other members.
  public final func add(_ object: ManagedObject, to name: String) {
    if home.checksQueue { home.checkQueue(self, name) }
    let relationship = toManyRelationship(name)
    link(checkedDestination(object, relationship), relationship)
  }

  /// Removes an object from a to-many relationship without loading the other members.
  public final func remove(_ object: ManagedObject, from name: String) {
    if home.checksQueue { home.checkQueue(self, name) }
    let relationship = toManyRelationship(name)
    unlink(checkedDestination(object, relationship), relationship)
  }

  final func toManyRelationship(_ name: String) -> RelationshipShape {
    guard case .relationship(let relationship)? = home.shape[name], relationship.isToMany else {
      refuseAccess(to: name)
    }
    return relationship
  }
}

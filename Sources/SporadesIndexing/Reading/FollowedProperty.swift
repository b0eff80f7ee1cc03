// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore

/// A property of other objects that is a part of an object's attributes.
///
/// The history notes a change of a link on both of its sides. So inserted and deleted objects need no search for the objects
/// that lead to them, and neither do moved ones.
struct FollowedProperty: Sendable {
  /// The entity whose objects lead to the others.
  let owner: String
  /// The relationships that lead to the others.
  let path: [String]
  /// The numbers of the entities of the others.
  let family: ClosedRange<Int>
  let property: String
  let isToMany: Bool

  /// The properties on a key path behind its first relationship.
  static func all(
    on path: String, of owner: EntityShape, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) -> [FollowedProperty] {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let shape = try KeyPathShape(names, in: owner, model)
    guard let first = shape.relationships.first, names.count > 1 else {
      throw FetchPredicateError(
        .unknownKeyPath,
        "The followed key path \(owner.name).\(path) leads to no property of another object. Leave it out: the index "
          + "follows the changes of its own objects.")
    }
    var isToMany = first.isToMany
    var all: [FollowedProperty] = []
    for (place, relationship) in shape.relationships.enumerated() where place + 1 < names.count {
      isToMany = isToMany || relationship.isToMany
      all.append(
        FollowedProperty(
          owner: owner.name, path: Array(names[...place]), family: relationship.destinationFamily,
          property: names[place + 1], isToMany: isToMany))
    }
    return all
  }

  /// The change is one of the property.
  func isChanged(by change: PersistentHistoryChange) -> Bool {
    guard change.changeType == .update, family.contains(change.changedObjectID.key.entity) else {
      return false
    }
    // A history that does not tell the properties may mean any.
    return change.updatedProperties?.contains(property) ?? true
  }

  /// The ids of the objects that lead to changed ones.
  func owners(
    of changed: [ManagedObjectID], in context: ManagedObjectContext
  ) throws -> [ManagedObjectID] {
    let ids = FetchExpression.constant(.list(changed.map { .objectID($0) }))
    return try context.fetchIDs(
      FetchRequest(
        owner,
        where: .comparison(
          FetchPredicate.Comparison(
            .keyPath(path), .isIn, ids, quantifier: isToMany ? .any : .direct))))
  }
}

// SPDX-License-Identifier: MIT

/// A link from the objects of one entity to those of another.
public struct RelationshipDescription: Hashable, Sendable {
  public var name: String
  public var destinationEntityName: String
  /// The relationship of the destination that is this link seen from the other side.
  public var inverseName: String?
  /// An inverse a model file names although it answers to another relationship; it counts in the
  /// version hash, as it does in stores that were written with such a model, and nowhere else.
  public var unansweredInverseName: String?
  public var isOptional: Bool
  /// The links live in objects and are not saved.
  public var isTransient: Bool
  public var isOrdered: Bool
  /// The least number of linked objects. It alone says whether a to-many relationship may be empty;
  /// ``isOptional`` says it of a to-one.
  public var minCount: Int
  /// The largest number of linked objects; 1 makes the relationship to-one, 0 or less means no bound.
  public var maxCount: Int
  public var deleteRule: DeleteRule
  public var userInfo: [String: String]
  public var versionHashModifier: String?
  public var renamingIdentifier: String?

  public var isToMany: Bool { maxCount != 1 }

  private init(
    name: String, destination: String, inverse: String?, isOptional: Bool, isOrdered: Bool,
    maxCount: Int, deleteRule: DeleteRule
  ) {
    self.name = name
    destinationEntityName = destination
    inverseName = inverse
    self.isOptional = isOptional
    isTransient = false
    self.isOrdered = isOrdered
    minCount = 0
    self.maxCount = maxCount
    self.deleteRule = deleteRule
    userInfo = [:]
  }

  public static func toOne(
    _ name: String, _ destination: String, inverse: String? = nil, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify
  ) -> Self {
    Self(
      name: name, destination: destination, inverse: inverse, isOptional: isOptional,
      isOrdered: false, maxCount: 1, deleteRule: deleteRule)
  }

  public static func toMany(
    _ name: String, _ destination: String, inverse: String? = nil, isOptional: Bool = true,
    isOrdered: Bool = false, deleteRule: DeleteRule = .nullify
  ) -> Self {
    Self(
      name: name, destination: destination, inverse: inverse, isOptional: isOptional,
      isOrdered: isOrdered, maxCount: 0, deleteRule: deleteRule)
  }
}

/// What deleting an object does to the objects a relationship leads to.
public enum DeleteRule: Int, Hashable, Sendable {
  /// Leaves the linked objects as they are.
  case noAction
  /// Takes the deleted object out of the inverse relationship.
  case nullify
  /// Deletes the linked objects too.
  case cascade
  /// Refuses the deletion while there are linked objects.
  case deny
}

// SPDX-License-Identifier: MIT

/// A link from the objects of one entity to those of another.
public struct RelationshipDescription: Hashable, Sendable {
  /// The name by which code, predicates and stores refer to the relationship.
  public var name: String
  /// The name of the entity whose objects the relationship leads to.
  public var destinationEntityName: String
  /// The name of the destination's relationship that sees the same link from the other side.
  public var inverseName: String?
  /// The inverse that a model file names, although that inverse names another relationship.
  ///
  /// The name counts in the version hash alone, as it does in the stores that Core Data writes with
  /// such a model.
  public var unansweredInverseName: String?
  /// A save accepts an object whose to-one relationship is nil.
  public var isOptional: Bool
  /// The links live in objects alone; no store keeps them.
  public var isTransient: Bool
  /// The linked objects of a to-many relationship have an order that the store keeps.
  public var isOrdered: Bool
  /// The smallest number of linked objects.
  ///
  /// A to-many relationship may be empty exactly where this is 0. For a to-one relationship,
  /// ``isOptional`` decides.
  public var minCount: Int
  /// The largest number of linked objects; 1 makes the relationship to-one, 0 or less means no bound.
  public var maxCount: Int
  /// The effect that deleting an object has on the linked objects.
  public var deleteRule: DeleteRule
  /// Notes of the model's author, which the library keeps and does not read.
  public var userInfo: [String: String]
  /// A text that changes the version hash where nothing else in the relationship changed.
  public var versionHashModifier: String?
  /// The name of the relationship in the earlier model version that a migration reads.
  public var renamingIdentifier: String?

  /// The relationship may lead to several objects.
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

  /// Describes a link to one object or none.
  public static func toOne(
    _ name: String, _ destination: String, inverse: String? = nil, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify
  ) -> Self {
    Self(
      name: name, destination: destination, inverse: inverse, isOptional: isOptional,
      isOrdered: false, maxCount: 1, deleteRule: deleteRule)
  }

  /// Describes a link to any number of objects.
  public static func toMany(
    _ name: String, _ destination: String, inverse: String? = nil, isOptional: Bool = true,
    isOrdered: Bool = false, deleteRule: DeleteRule = .nullify
  ) -> Self {
    Self(
      name: name, destination: destination, inverse: inverse, isOptional: isOptional,
      isOrdered: isOrdered, maxCount: 0, deleteRule: deleteRule)
  }
}

/// The effect that deleting an object has on the objects that a relationship leads to.
public enum DeleteRule: Int, Hashable, Sendable {
  /// Leaves the linked objects as they are.
  case noAction
  /// Takes the deleted object out of the inverse relationship.
  case nullify
  /// Deletes the linked objects too.
  case cascade
  /// Refuses the deletion while there are linked objects.
  case deny

  /// The name that SQL and other libraries give to ``nullify``.
  @available(*, unavailable, renamed: "nullify")
  public static var setNull: DeleteRule { .nullify }

  /// The name that SQL and other libraries give to ``deny``.
  @available(*, unavailable, renamed: "deny")
  public static var restrict: DeleteRule { .deny }

  /// The name that other libraries give to ``cascade``.
  @available(*, unavailable, renamed: "cascade")
  public static var delete: DeleteRule { .cascade }
}

// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// The effect that the deletion of an object has on the objects that it leads to.
public enum NSDeleteRule: UInt, Sendable {
  /// The others stay as they are.
  case noActionDeleteRule = 0
  /// The others lose their links to the object.
  case nullifyDeleteRule = 1
  /// The others are deleted, too.
  case cascadeDeleteRule = 2
  /// The deletion is refused while there are others.
  case denyDeleteRule = 3
}

/// A property that leads to other objects.
open class NSRelationshipDescription: NSPropertyDescription {
  /// The entity that the relationship leads to.
  public weak var destinationEntity: NSEntityDescription? { didSet { refuseChange() } }
  /// The relationship of the destination that leads back.
  public weak var inverseRelationship: NSRelationshipDescription? { didSet { refuseChange() } }
  /// The largest number of linked objects; 1 makes the relationship to-one, and 0 sets no limit.
  public var maxCount = 0 { didSet { refuseChange() } }
  /// The smallest number of linked objects.
  public var minCount = 0 { didSet { refuseChange() } }
  /// The effect that the deletion of an object has.
  public var deleteRule = NSDeleteRule.nullifyDeleteRule { didSet { refuseChange() } }
  /// The linked objects have an order.
  public var isOrdered = false { didSet { refuseChange() } }
  /// The relationship may lead to several objects.
  public var isToMany: Bool { maxCount != 1 }

  /// The names of a copy, which has no objects to lead to until it is in a model.
  private var destinationName: String?
  private var inverseName: String?

  override class func fresh() -> Self {
    guard let new = NSRelationshipDescription() as? Self else { return super.fresh() }
    return new
  }

  override func copyParts(of other: NSPropertyDescription) {
    super.copyParts(of: other)
    guard let other = other as? NSRelationshipDescription else { return }
    destinationName = other.destinationEntity?.name ?? other.destinationName
    inverseName = other.inverseRelationship?.name ?? other.inverseName
    maxCount = other.maxCount
    minCount = other.minCount
    deleteRule = other.deleteRule
    isOrdered = other.isOrdered
  }

  override func add(to entity: inout EntityDescription) throws {
    guard let destination = destinationEntity?.name ?? destinationName else {
      throw NSError.coreData(
        .general,
        "\(description) has no destination. Set destinationEntity to an entity that the model has.")
    }
    var relationship =
      isToMany
      ? RelationshipDescription.toMany(name, destination, isOrdered: isOrdered)
      : RelationshipDescription.toOne(name, destination)
    relationship.isOrdered = isOrdered
    relationship.inverseName = inverseRelationship?.name ?? inverseName
    relationship.isOptional = isOptional
    relationship.isTransient = isTransient
    relationship.minCount = minCount
    relationship.maxCount = maxCount
    guard let rule = DeleteRule(rawValue: Int(deleteRule.rawValue)) else {
      trap("The delete rule \(deleteRule) is none that the library knows.")
    }
    relationship.deleteRule = rule
    relationship.userInfo = texts(of: userInfo)
    relationship.versionHashModifier = versionHashModifier
    relationship.renamingIdentifier = formerName
    entity.relationships.append(relationship)
  }

  /// The relationship of the library's description, which leads nowhere yet.
  static func reading(_ relationship: RelationshipDescription) -> NSRelationshipDescription {
    let new = NSRelationshipDescription()
    new.name = relationship.name
    new.destinationName = relationship.destinationEntityName
    new.inverseName = relationship.inverseName
    new.isOptional = relationship.isOptional
    new.isTransient = relationship.isTransient
    new.isOrdered = relationship.isOrdered
    new.minCount = relationship.minCount
    new.maxCount = relationship.maxCount
    guard let rule = NSDeleteRule(rawValue: UInt(relationship.deleteRule.rawValue)) else {
      trap("The delete rule \(relationship.deleteRule) is none that Core Data knows.")
    }
    new.deleteRule = rule
    new.userInfo = relationship.userInfo
    new.versionHashModifier = relationship.versionHashModifier
    new.formerName = relationship.renamingIdentifier
    return new
  }
}

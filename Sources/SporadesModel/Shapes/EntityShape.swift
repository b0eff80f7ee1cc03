// SPDX-License-Identifier: MIT

/// An entity as rows see it: compiled once per model, inherited properties included.
public final class EntityShape: Sendable {
  public let description: EntityDescription
  /// The entity's number: 1 and up, depth first over the inheritance forest, siblings by name
  /// without regard to case.
  public let number: Int
  /// The number of the direct superentity, 0 where there is none.
  public let superNumber: Int
  /// The number of the entity at the top of the inheritance tree.
  public let rootNumber: Int
  /// The numbers of the entity and all entities below it, which are consecutive.
  public let family: ClosedRange<Int>
  /// Shared with all entities of the inheritance tree.
  public let layout: RowLayout
  /// Inherited properties first, each group in the order of its declaration.
  public let properties: [PropertyShape]
  private let indexes: [String: Int]

  public var name: String { description.name }
  public var isAbstract: Bool { description.isAbstract }
  public var hasSubentities: Bool { family.count > 1 }

  init(
    description: EntityDescription, number: Int, superNumber: Int, rootNumber: Int,
    family: ClosedRange<Int>, layout: RowLayout, properties: [PropertyShape]
  ) {
    self.description = description
    self.number = number
    self.superNumber = superNumber
    self.rootNumber = rootNumber
    self.family = family
    self.layout = layout
    self.properties = properties
    indexes = Dictionary(uniqueKeysWithValues: properties.enumerated().map { ($1.name, $0) })
  }

  /// The place of a property in ``properties``.
  public func index(of name: String) -> Int? { indexes[name] }

  public subscript(name: String) -> PropertyShape? { indexes[name].map { properties[$0] } }

  public var attributes: [AttributeShape] {
    properties.compactMap { if case .attribute(let attribute) = $0 { attribute } else { nil } }
  }
  public var relationships: [RelationshipShape] {
    properties.compactMap { if case .relationship(let some) = $0 { some } else { nil } }
  }
}

public enum PropertyShape: Sendable {
  case attribute(AttributeShape)
  case relationship(RelationshipShape)
  case fetched(FetchedPropertyDescription)

  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    case .fetched(let fetched): fetched.name
    }
  }
}

/// An attribute and the slot its values lie in.
public struct AttributeShape: Sendable {
  public let description: AttributeDescription
  /// Nil for what no store keeps: transient, undefined and composite attributes.
  public let slot: Int?
  /// The members of a composite.
  public let elements: [AttributeShape]
  /// The number of the entity that declares the attribute.
  public let entity: Int

  public var name: String { description.name }
  public var type: AttributeType { description.type }
}

/// A relationship and the way its links are kept.
public final class RelationshipShape: Sendable {
  /// Tells the relationships of a model apart: 0 and up. An inherited one keeps its number.
  public let number: Int
  public let description: RelationshipDescription
  /// The number of the entity that declares the relationship.
  public let entity: Int
  /// The number of the entity it leads to.
  public let destination: Int
  /// The numbers of that entity and all below it.
  public let destinationFamily: ClosedRange<Int>
  public let inverseName: String?
  public let storage: Storage

  public enum Storage: Hashable, Sendable {
    /// To-one: the key of the linked row lies in `slot` of the own row. `position` is the slot that
    /// orders the own row among its siblings, where the inverse is ordered.
    case reference(slot: Int, position: Int?)
    /// To-many: the linked rows hold the key of the own row in `slot`, and their place in the
    /// order, if there is one, in `position`. Both are slots of the destination's layout.
    case inverseReference(slot: Int, position: Int?)
    /// Many-to-many: the links are rows of a join of ``ManagedObjectModel/joins``; the own key is
    /// in its first place or its second.
    case join(Int, isFirst: Bool)
    /// Transient: the links live in objects, and no store has them.
    case memory
  }

  public var name: String { description.name }
  public var isToMany: Bool { description.isToMany }
  public var isOrdered: Bool { description.isOrdered }
  /// Whether a store keeps the links; it does not where the relationship is transient.
  public var isStored: Bool { !description.isTransient }

  init(
    number: Int, description: RelationshipDescription, entity: Int,
    destinationFamily: ClosedRange<Int>, inverseName: String?,
    storage: Storage
  ) {
    self.number = number
    self.description = description
    self.entity = entity
    self.destinationFamily = destinationFamily
    destination = destinationFamily.lowerBound
    self.inverseName = inverseName
    self.storage = storage
  }
}

/// The links of a many-to-many relationship, seen from both its sides.
public struct JoinShape: Hashable, Sendable {
  /// One side of a join: the entity that declares the relationship, and the relationship.
  public struct Side: Hashable, Sendable {
    public let entity: Int
    public let relationship: RelationshipDescription
  }
  public let index: Int
  /// The side that gives the join its name in Core Data's layout.
  public let first: Side
  public let second: Side
  /// The relationship is its own inverse: each link is stored once per direction.
  public var isReflexive: Bool { first == second }
}

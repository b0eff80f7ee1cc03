// SPDX-License-Identifier: MIT

/// The form of an entity's rows. A model compiles it once, with the inherited properties.
public final class EntityShape: Sendable {
  /// The entity as the model declares it.
  public let description: EntityDescription
  /// The number of the entity, from 1. A model numbers its inheritance trees depth first, and siblings
  /// by name without regard to case.
  public let number: Int
  /// The number of the direct superentity; 0 if there is none.
  public let superNumber: Int
  /// The number of the entity at the top of the inheritance tree.
  public let rootNumber: Int
  /// The numbers of the entity and of all entities below it, which are consecutive.
  public let family: ClosedRange<Int>
  /// The arrangement of rows, which all entities of the inheritance tree share.
  public let layout: RowLayout
  /// All properties: inherited ones first, each group in the order of its declaration.
  public let properties: [PropertyShape]
  private let indexes: [String: Int]

  /// The name of the entity.
  public var name: String { description.name }
  /// No object is of this entity itself.
  public var isAbstract: Bool { description.isAbstract }
  /// Other entities inherit from the entity.
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

  /// Finds the index of a property in ``properties``.
  public func index(of name: String) -> Int? { indexes[name] }

  /// Finds a property by its name.
  public subscript(name: String) -> PropertyShape? { indexes[name].map { properties[$0] } }

  /// The properties that are attributes.
  public var attributes: [AttributeShape] {
    properties.compactMap { if case .attribute(let attribute) = $0 { attribute } else { nil } }
  }
  /// The properties that are relationships.
  public var relationships: [RelationshipShape] {
    properties.compactMap { if case .relationship(let some) = $0 { some } else { nil } }
  }
}

extension EntityShape {
  /// Whether a composite around the attribute with a path may be nil, so that the attribute needs no value.
  package func mayBeAbsent(around path: String) -> Bool {
    let names = path.split(separator: ".").map(String.init)
    guard names.count > 1, case .attribute(var composite)? = self[names[0]] else { return false }
    for name in names.dropFirst() {
      if composite.description.isOptional { return true }
      guard let element = composite.elements.first(where: { $0.name == name }) else { return false }
      composite = element
    }
    return false
  }
}

/// One property of an entity, and the form of its values in rows.
public enum PropertyShape: Sendable {
  /// A value.
  case attribute(AttributeShape)
  /// A link.
  case relationship(RelationshipShape)
  /// The result of a fetch.
  case fetched(FetchedPropertyDescription)

  /// The name of the property.
  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    case .fetched(let fetched): fetched.name
    }
  }
}

/// An attribute and the slot of its values.
public final class AttributeShape: Sendable {
  /// The attribute as the model declares it.
  public let description: AttributeDescription
  /// The number of the slot; nil for a transient, undefined or composite attribute, which has no stored value.
  public let slot: Int?
  /// The members of a composite attribute.
  public let elements: [AttributeShape]
  /// The number of the entity that declares the attribute.
  public let entity: Int

  init(
    _ description: AttributeDescription, slot: Int?, elements: [AttributeShape], entity: Int
  ) {
    self.description = description
    self.slot = slot
    self.elements = elements
    self.entity = entity
  }

  /// The name of the attribute.
  public var name: String { description.name }
  /// The kind of value that the attribute holds.
  public var type: AttributeType { description.type }
  /// The history keeps the values before and after each change: the model asks for it, and the value lies in the row.
  package var keepsValuesInHistory: Bool {
    description.keepsValuesInHistory && slot != nil && !description.isDerived
      && !description.allowsExternalBinaryDataStorage
  }
}

/// A relationship and the form in which stores keep its links.
public final class RelationshipShape: Sendable {
  /// The number of the relationship within its model, from 0. An inherited relationship keeps its number.
  public let number: Int
  /// The relationship as the model declares it.
  public let description: RelationshipDescription
  /// The number of the entity that declares the relationship.
  public let entity: Int
  /// The number of the destination, the entity that the relationship leads to.
  public let destination: Int
  /// The numbers of the destination and of all entities below it.
  public let destinationFamily: ClosedRange<Int>
  /// The name of the relationship that sees the same links from the other side.
  public let inverseName: String?
  /// The place where a store keeps the links.
  public let storage: Storage
  /// A store keeps the links. This is false for a transient relationship.
  public let isStored: Bool
  /// No store keeps the inverse.
  public let hasTransientInverse: Bool

  /// The place where a store keeps the links of a relationship.
  public enum Storage: Hashable, Sendable {
    /// To-one: the object's own row holds the key of the linked row in `slot`. If the inverse is
    /// ordered, `position` is the slot of the object's position among the objects with the same link.
    case reference(slot: Int, position: Int?)
    /// To-many: each linked row holds the key of the object's own row in `slot`. If the relationship is
    /// ordered, each linked row holds its position in `position`. Both slots belong to the
    /// destination's layout.
    case inverseReference(slot: Int, position: Int?)
    /// Many-to-many: each link is a row of a join, which has this index in ``ManagedObjectModel/joins``.
    /// The object's own key is the first or the second key of that row.
    case join(Int, isFirst: Bool)
    /// Transient: the links live in objects alone.
    case memory
  }

  /// The name of the relationship.
  public var name: String { description.name }
  /// The relationship may lead to several objects.
  public var isToMany: Bool { description.isToMany }
  /// The linked objects have an order.
  public var isOrdered: Bool { description.isOrdered }

  init(
    number: Int, description: RelationshipDescription, entity: Int,
    destinationFamily: ClosedRange<Int>, inverse: RelationshipDescription?, storage: Storage
  ) {
    self.number = number
    self.description = description
    self.entity = entity
    self.destinationFamily = destinationFamily
    destination = destinationFamily.lowerBound
    inverseName = inverse?.name
    hasTransientInverse = inverse?.isTransient ?? false
    isStored = !description.isTransient
    self.storage = storage
  }
}

/// The table of links between the two sides of a many-to-many relationship.
public struct JoinShape: Hashable, Sendable {
  /// One side of a join.
  public struct Side: Hashable, Sendable {
    /// The number of the entity that declares the relationship.
    public let entity: Int
    /// The relationship as the model declares it.
    public let relationship: RelationshipDescription
  }
  /// The index of the join in ``ManagedObjectModel/joins``.
  public let index: Int
  /// The side that gives the join its name in Core Data's layout.
  public let first: Side
  /// The other side.
  public let second: Side
  /// The relationship is its own inverse. The join holds each link twice, once per direction.
  public var isReflexive: Bool { first == second }
}

// SPDX-License-Identifier: MIT

/// A kind of object: its own properties, its place in the inheritance tree, its indexes.
///
/// The description lists the entity's own properties. Its superentity lists the inherited ones.
/// ``ManagedObjectModel/shape(named:)`` gives all of them together.
public struct EntityDescription: Hashable, Sendable {
  /// The name by which code, requests and stores refer to the entity.
  public var name: String
  /// The name of the class of the entity's objects.
  public var managedObjectClassName: String?
  /// No object is of this entity itself, only of entities that inherit from it.
  public var isAbstract: Bool
  /// The name of the entity that this entity inherits from.
  public var superentityName: String?
  /// The stored and transient values that the entity itself declares.
  public var attributes: [AttributeDescription]
  /// The links that the entity itself declares.
  public var relationships: [RelationshipDescription]
  /// The properties of the entity itself whose values are results of fetches.
  public var fetchedProperties: [FetchedPropertyDescription]
  /// The indexes that the store keeps for the entity's rows.
  public var indexes: [FetchIndexDescription]
  /// Groups of properties. No two objects may have the same values in all properties of a group.
  public var uniquenessConstraints: [[String]]
  /// Constraints of a model file that no store can enforce. They count in the version hash alone.
  public var unenforcedConstraints: [[String]]
  /// Notes of the model's author, which the library keeps and does not read.
  public var userInfo: [String: String]
  /// A text that changes the version hash where nothing else in the entity changed.
  public var versionHashModifier: String?
  /// The name of the entity in the earlier model version that a migration reads.
  public var renamingIdentifier: String?

  /// Describes an entity without fetched properties.
  public init(
    _ name: String, attributes: [AttributeDescription] = [],
    relationships: [RelationshipDescription] = [], superentityName: String? = nil,
    isAbstract: Bool = false, uniquenessConstraints: [[String]] = [],
    indexes: [FetchIndexDescription] = []
  ) {
    self.name = name
    self.attributes = attributes
    self.relationships = relationships
    self.superentityName = superentityName
    self.isAbstract = isAbstract
    self.uniquenessConstraints = uniquenessConstraints
    unenforcedConstraints = []
    self.indexes = indexes
    fetchedProperties = []
    userInfo = [:]
  }

  /// The names of the properties that the entity itself declares.
  public var propertyNames: [String] {
    attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
  }
}

/// A property whose value is the result of a fetch. The object fetches when code reads the property.
public struct FetchedPropertyDescription: Hashable, Sendable {
  /// The name by which code refers to the property.
  public var name: String
  /// The mark of the model file, which has no effect on fetches.
  public var isOptional: Bool
  /// The fetch behind the property.
  public var request: FetchRequest
  /// Notes of the model's author, which the library keeps and does not read.
  public var userInfo: [String: String]

  /// Describes a property by its name and its fetch.
  public init(_ name: String, _ request: FetchRequest, isOptional: Bool = true) {
    self.name = name
    self.request = request
    self.isOptional = isOptional
    userInfo = [:]
  }
}

/// An index that the store keeps so that fetches need not read every row.
public struct FetchIndexDescription: Hashable, Sendable {
  /// One property of an index, with its direction and kind.
  public struct Element: Hashable, Sendable {
    /// The name of an attribute or to-one relationship, or an expression over them.
    public var property: String
    /// The index lists smaller values first.
    public var isAscending: Bool
    /// The way in which the index arranges the values.
    public var collation: Collation

    /// Describes one property of an index.
    public init(_ property: String, isAscending: Bool = true, collation: Collation = .binary) {
      self.property = property
      self.isAscending = isAscending
      self.collation = collation
    }
  }
  /// The way in which an index arranges values.
  public enum Collation: Hashable, Sendable {
    /// By the order of the values.
    case binary
    /// By ranges of several numbers, for searches in space.
    case rTree
  }

  /// The name of the index, unique within its entity.
  public var name: String
  /// The properties of the index, the most significant first.
  public var elements: [Element]
  /// The index holds only the rows that satisfy this condition.
  public var partialIndexPredicate: FetchPredicate?

  /// Describes an index by its elements.
  public init(_ name: String, _ elements: [Element], where predicate: FetchPredicate? = nil) {
    self.name = name
    self.elements = elements
    partialIndexPredicate = predicate
  }

  /// Describes an ascending index over properties.
  public init(_ name: String, on properties: String...) {
    self.init(name, properties.map { Element($0) })
  }
}

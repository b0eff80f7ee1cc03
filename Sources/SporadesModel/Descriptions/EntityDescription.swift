// SPDX-License-Identifier: MIT

/// A kind of object: its own properties, its place in the inheritance tree, its indexes.
///
/// The properties are the entity's own; what it inherits stands in its superentity. Ask
/// ``ManagedObjectModel/shape(named:)`` for all of them together.
public struct EntityDescription: Hashable, Sendable {
  public var name: String
  public var managedObjectClassName: String?
  public var isAbstract: Bool
  public var superentityName: String?
  public var attributes: [AttributeDescription]
  public var relationships: [RelationshipDescription]
  public var fetchedProperties: [FetchedPropertyDescription]
  public var indexes: [FetchIndexDescription]
  /// Groups of attributes no two objects may agree on.
  public var uniquenessConstraints: [[String]]
  /// Constraints of a model file that no store can keep. They count in the version hash alone.
  public var unenforcedConstraints: [[String]]
  public var userInfo: [String: String]
  public var versionHashModifier: String?
  public var renamingIdentifier: String?

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

  /// The names of the entity's own properties.
  public var propertyNames: [String] {
    attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
  }
}

/// A property whose value is the result of a fetch, made anew when it is asked for.
public struct FetchedPropertyDescription: Hashable, Sendable {
  public var name: String
  public var isOptional: Bool
  public var request: FetchRequest
  public var userInfo: [String: String]

  public init(_ name: String, _ request: FetchRequest, isOptional: Bool = true) {
    self.name = name
    self.request = request
    self.isOptional = isOptional
    userInfo = [:]
  }
}

/// An index the store keeps so that fetches need not read every row.
public struct FetchIndexDescription: Hashable, Sendable {
  public struct Element: Hashable, Sendable {
    /// An attribute, a to-one relationship, or an expression over them.
    public var property: String
    public var isAscending: Bool
    public var collation: Collation

    public init(_ property: String, isAscending: Bool = true, collation: Collation = .binary) {
      self.property = property
      self.isAscending = isAscending
      self.collation = collation
    }
  }
  public enum Collation: Hashable, Sendable { case binary, rTree }

  public var name: String
  public var elements: [Element]
  /// Only rows that satisfy it are in the index.
  public var partialIndexPredicate: FetchPredicate?

  public init(_ name: String, _ elements: [Element], where predicate: FetchPredicate? = nil) {
    self.name = name
    self.elements = elements
    partialIndexPredicate = predicate
  }

  public init(_ name: String, on properties: String...) {
    self.init(name, properties.map { Element($0) })
  }
}

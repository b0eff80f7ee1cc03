// SPDX-License-Identifier: MIT
import SporadesModel

/// Says which objects of the older version become objects of an entity of the newer one.
public struct EntityMapping: Hashable, Sendable {
  /// The work of a mapping. The raw values are Core Data's.
  public enum Kind: Int, Hashable, Sendable {
    /// Nothing is said; the two entities decide.
    case undefined = 0
    /// A policy makes the objects.
    case custom = 1
    /// The entity is new and begins without objects.
    case add = 2
    /// The older objects are dropped.
    case remove = 3
    /// The objects stay as they are.
    case copy = 4
    /// The objects get other properties.
    case transform = 5
  }

  /// The name, unique within the mapping model.
  public var name: String
  /// The work of the mapping.
  public var kind: Kind
  /// The name of the older entity; nil if the mapping reads no objects.
  public var sourceEntityName: String?
  /// The version hash of the older entity; nil if any version fits.
  public var sourceEntityVersionHash: [UInt8]?
  /// The name of the newer entity; nil if the mapping makes no objects.
  public var destinationEntityName: String?
  /// The version hash of the newer entity; nil if any version fits.
  public var destinationEntityVersionHash: [UInt8]?
  /// The values of attributes, in the order in which they are set.
  public var attributeMappings: [PropertyMapping]
  /// The values of relationships, in the order in which they are set.
  public var relationshipMappings: [PropertyMapping]
  /// The objects of the older version. Nil means all objects of the older entity, without those of its subentities.
  public var sourceExpression: MappingExpression?
  /// Notes for the policy.
  public var userInfo: [String: String]
  /// The name of the class of the policy; nil for the usual one.
  public var entityMigrationPolicyClassName: String?

  /// Describes a mapping. Without a name it is called `SourceToDestination`.
  public init(
    _ name: String? = nil, from source: String?, to destination: String?,
    kind: Kind = .undefined, attributes: [PropertyMapping] = [],
    relationships: [PropertyMapping] = [], sourceExpression: MappingExpression? = nil,
    policy: String? = nil
  ) {
    self.name = name ?? Self.name(from: source, to: destination)
    self.kind = kind
    sourceEntityName = source
    destinationEntityName = destination
    attributeMappings = attributes
    relationshipMappings = relationships
    self.sourceExpression = sourceExpression
    userInfo = [:]
    entityMigrationPolicyClassName = policy
  }

  /// The name that Xcode gives a mapping between two entities.
  package static func name(from source: String?, to destination: String?) -> String {
    guard let source else { return destination ?? "" }
    return destination.map { "\(source)To\($0)" } ?? source
  }

  /// The mapping of an attribute by its name. Setting it replaces the mapping or adds one.
  public subscript(attribute name: String) -> PropertyMapping? {
    get { attributeMappings.first { $0.name == name } }
    set { attributeMappings.replace(name, with: newValue) }
  }

  /// The mapping of a relationship by its name. Setting it replaces the mapping or adds one.
  public subscript(relationship name: String) -> PropertyMapping? {
    get { relationshipMappings.first { $0.name == name } }
    set { relationshipMappings.replace(name, with: newValue) }
  }
}

extension [PropertyMapping] {
  fileprivate mutating func replace(_ name: String, with mapping: PropertyMapping?) {
    guard let place = firstIndex(where: { $0.name == name }) else {
      if let mapping { append(mapping) }
      return
    }
    if let mapping { self[place] = mapping } else { remove(at: place) }
  }
}

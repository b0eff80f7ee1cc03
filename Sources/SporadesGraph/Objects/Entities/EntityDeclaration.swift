// SPDX-License-Identifier: MIT
public import SporadesModel

/// An entity as its class declares it, with the properties in the order of their places.
public struct EntityDeclaration {
  /// The class.
  public let type: ManagedObject.Type
  /// The superclass; nil if it is `ManagedObject` itself.
  public let superclass: ManagedObject.Type?
  /// The class's own properties, without inherited ones.
  public let properties: [PropertyDeclaration]
  private var entity: EntityDescription

  /// Declares an entity. The `@Entity` macro writes the call.
  public init(
    _ type: ManagedObject.Type, name: String, superclass: ManagedObject.Type? = nil,
    isAbstract: Bool = false, properties: [PropertyDeclaration],
    uniquenessConstraints: [[String]] = [], indexes: [FetchIndexDescription] = [],
    renamedFrom: String? = nil, versionHashModifier: String? = nil
  ) {
    self.type = type
    self.superclass = superclass
    self.properties = properties
    var constraints: [[String]] = []
    for group in uniquenessConstraints + properties.filter(\.isUnique).map({ [$0.name] })
    where !constraints.contains(group) {
      constraints.append(group)
    }
    entity = EntityDescription(
      name, superentityName: superclass?.declaration.name, isAbstract: isAbstract,
      uniquenessConstraints: constraints,
      indexes: indexes
        + properties.filter(\.isIndexed).map { FetchIndexDescription($0.name, on: $0.name) })
    entity.managedObjectClassName = "\(type)"
    entity.renamingIdentifier = renamedFrom
    entity.versionHashModifier = versionHashModifier
  }

  /// The name of the entity.
  public var name: String { entity.name }
  /// The number of properties, inherited ones included. The first own property of a subclass has
  /// this place.
  public var propertyCount: Int { allPropertyNames.count }

  /// The names of all properties by place, inherited ones first.
  var allPropertyNames: [String] {
    (superclass?.declaration.allPropertyNames ?? []) + properties.map(\.name)
  }

  /// The checks of enum attributes, by path: whether a raw value belongs to a case. Inherited ones
  /// are included.
  var enumChecks: [[String]: (Value) -> Bool] {
    var checks = superclass?.declaration.enumChecks ?? [:]
    for property in properties {
      for (path, check) in property.enumChecks { checks[[property.name] + path] = check }
    }
    return checks
  }

  /// The entity's description. Inverses of its relationships may be missing.
  var description: EntityDescription {
    var entity = entity
    entity.attributes = properties.compactMap(\.attribute)
    entity.relationships = properties.compactMap(\.relationship)
    return entity
  }
}

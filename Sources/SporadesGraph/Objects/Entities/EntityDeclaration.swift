// SPDX-License-Identifier: MIT
public import SporadesModel

/// An entity as its class tells it: the properties in the order of their places.
public struct EntityDeclaration {
  public let type: ManagedObject.Type
  public let superclass: ManagedObject.Type?
  /// The class's own properties; those it inherits stand in its superclass.
  public let properties: [PropertyDeclaration]
  private var entity: EntityDescription

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

  public var name: String { entity.name }
  /// The number of own and inherited properties, which is the place of a subclass's first.
  public var propertyCount: Int { allPropertyNames.count }

  /// The names of all properties by place, inherited ones first.
  var allPropertyNames: [String] {
    (superclass?.declaration.allPropertyNames ?? []) + properties.map(\.name)
  }

  /// Tell which values are those of a case, by the names that lead to an enum; inherited ones too.
  var enumChecks: [[String]: (Value) -> Bool] {
    var checks = superclass?.declaration.enumChecks ?? [:]
    for property in properties {
      for (path, check) in property.enumChecks { checks[[property.name] + path] = check }
    }
    return checks
  }

  /// The entity with relationships to the named entities, whose inverses may still be open.
  var description: EntityDescription {
    var entity = entity
    entity.attributes = properties.compactMap(\.attribute)
    entity.relationships = properties.compactMap(\.relationship)
    return entity
  }
}

// SPDX-License-Identifier: MIT
public import SporadesModel

/// An entity as its class declares it, with the properties in the order of their places.
public struct EntityDeclaration {
  /// The class.
  public let type: ManagedObject.Type
  /// The class of the superentity; nil if no class above declares an entity.
  public let superclass: ManagedObject.Type?
  /// The class's own properties, without inherited ones.
  public let properties: [PropertyDeclaration]
  /// Whether the class or a class above it declares an entity.
  let isDeclared: Bool
  private var entity: EntityDescription

  /// Declares an entity. The `@Entity` macro writes the call. The superclass may be one without an
  /// entity: the superentity then is the nearest one above it.
  public init(
    _ type: ManagedObject.Type, name: String, superclass: ManagedObject.Type? = nil,
    isAbstract: Bool = false, properties: [PropertyDeclaration],
    uniquenessConstraints: [[String]] = [], indexes: [FetchIndexDescription] = [],
    renamedFrom: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.type = type
    let above = superclass?.declaration
    self.superclass = above?.entityClass
    isDeclared = true
    self.properties = properties
    // A loop over lists of lists would have the runtime look for the conformance of their iterator, which takes longer than
    // all else here.
    let unique = properties.filter(\.isUnique).map { [$0.name] }
    let constraints = (uniquenessConstraints + unique).reduce(into: [[String]]()) { all, group in
      if !all.contains(group) { all.append(group) }
    }
    entity = EntityDescription(
      name, superentityName: above.flatMap { $0.isDeclared ? $0.name : nil },
      isAbstract: isAbstract,
      uniquenessConstraints: constraints,
      indexes: indexes
        + properties.filter(\.isIndexed).map { FetchIndexDescription($0.name, on: $0.name) })
    entity.managedObjectClassName = "\(type)"
    entity.renamingIdentifier = renamedFrom
    entity.versionHashModifier = versionHashModifier
    entity.userInfo = userInfo
  }

  /// The answer of a class that has no entity, and inherits none.
  init(without type: ManagedObject.Type) {
    self.type = type
    superclass = nil
    properties = []
    entity = EntityDescription("")
    isDeclared = false
  }

  /// The class that declares the entity; nil if there is none.
  var entityClass: ManagedObject.Type? { isDeclared ? type : nil }

  /// The name of the entity.
  public var name: String {
    guard isDeclared else {
      trap(
        "\(type) declares no entity. Put @Entity before the class, or override `declaration`.")
    }
    return entity.name
  }
  /// The number of properties, inherited ones included. The first own property of a subclass has
  /// this place.
  public var propertyCount: Int { allProperties.count }

  /// All properties by place, inherited ones first.
  var allProperties: [PropertyDeclaration] {
    (superclass?.declaration.allProperties ?? []) + properties
  }

  /// The cases of enum attributes, by path. Inherited attributes are included.
  var enumChecks: [[String]: EnumCases] {
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

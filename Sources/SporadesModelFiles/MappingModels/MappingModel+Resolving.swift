// SPDX-License-Identifier: MIT
public import SporadesModel

extension MappingModel {
  /// The same mappings with an expression in place of each ``MappingExpression/automatic``, as Xcode makes them when
  /// it compiles a mapping model, and with the kind of each mapping.
  ///
  /// An attribute gets the value of the source's attribute of its name. A relationship gets what the mapping of its
  /// destination made of the objects that the source's relationship of its name leads to.
  public func resolved(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> MappingModel {
    let resolver = MappingResolver(mappings: entityMappings, source: source, new: destination)
    return MappingModel(entityMappings.map(resolver.resolve))
  }
}

private struct MappingResolver {
  let mappings: [EntityMapping]
  let source: ManagedObjectModel
  let new: ManagedObjectModel

  func resolve(_ mapping: EntityMapping) -> EntityMapping {
    var mapping = mapping
    if mapping.kind == .undefined { mapping.kind = kind(of: mapping) }
    let old = mapping.sourceEntityName.flatMap(source.shape(named:))
    let shape = mapping.destinationEntityName.flatMap(new.shape(named:))
    mapping.attributeMappings = mapping.attributeMappings.map { property in
      replace(property) { Self.attribute($0, old) }
    }
    mapping.relationshipMappings = mapping.relationshipMappings.map { property in
      replace(property) { relationship($0, old, shape) }
    }
    return mapping
  }

  private func replace(
    _ property: PropertyMapping, _ expression: (String) -> MappingExpression?
  ) -> PropertyMapping {
    guard property.valueExpression == .automatic else { return property }
    var property = property
    property.valueExpression = expression(property.name)
    return property
  }

  private func kind(of mapping: EntityMapping) -> EntityMapping.Kind {
    if mapping.entityMigrationPolicyClassName != nil { return .custom }
    guard let old = mapping.sourceEntityName else { return .add }
    guard let name = mapping.destinationEntityName else { return .remove }
    let isSame =
      source.entityVersionHashesByName[old] == new.entityVersionHashesByName[name] && old == name
    return isSame ? .copy : .transform
  }

  private static func attribute(_ path: String, _ old: EntityShape?) -> MappingExpression? {
    guard let old, MappingModel.leaves(of: old.attributes).contains(path) else { return nil }
    return .source(path)
  }

  private func relationship(
    _ name: String, _ old: EntityShape?, _ shape: EntityShape?
  ) -> MappingExpression? {
    guard case .relationship(let former)? = old?[name],
      case .relationship(let relationship)? = shape?[name]
    else { return nil }
    let family = Set(relationship.destinationFamily.map { new.shape(numbered: $0).name })
    let sources = Set(former.destinationFamily.map { source.shape(numbered: $0).name })
    let fitting = mappings.filter { mapping in
      mapping.destinationEntityName.map(family.contains) == true
        && mapping.sourceEntityName.map(sources.contains) == true
    }
    guard fitting.count == 1 else {
      return fitting.isEmpty ? nil : .destinationInstances(forSourceRelationshipNamed: name)
    }
    return .destinationInstances(forEntityMappingNamed: fitting[0].name, of: .source(name))
  }
}

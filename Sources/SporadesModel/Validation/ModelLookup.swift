// SPDX-License-Identifier: MIT

/// Finds entities and properties by name in a model that may be wrong.
///
/// Of entities with the same name the first is found. Walks along superentities end where they
/// would begin anew, and after ``deepestInheritance`` steps.
package struct ModelLookup {
  /// So many superentities may stand above an entity; real models have three or four.
  static let deepestInheritance = 250

  private let byName: [String: EntityDescription]

  package init(_ entities: [EntityDescription]) {
    byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
  }

  package func entity(_ name: String) -> EntityDescription? { byName[name] }

  /// The entity and what it inherits from, nearest first.
  func lineage(_ entity: EntityDescription) -> [EntityDescription] {
    var line = [entity]
    var seen: Set<String> = [entity.name]
    while line.count <= Self.deepestInheritance,
      let above = line[line.count - 1].superentityName.flatMap({ byName[$0] }),
      seen.insert(above.name).inserted
    {
      line.append(above)
    }
    return line
  }

  /// One of the entities inherits from the other, or they are the same.
  func areRelated(_ one: EntityDescription, _ other: EntityDescription) -> Bool {
    lineage(one).contains { $0.name == other.name }
      || lineage(other).contains { $0.name == one.name }
  }

  /// A relationship of the entity, own or inherited, and the entity that declares it.
  package func relationship(
    _ name: String, of entity: EntityDescription
  ) -> (entity: EntityDescription, relationship: RelationshipDescription)? {
    for candidate in lineage(entity) {
      if let found = candidate.relationships.first(where: { $0.name == name }) {
        return (candidate, found)
      }
    }
    return nil
  }

  func attribute(_ name: String, of entity: EntityDescription) -> AttributeDescription? {
    for candidate in lineage(entity) {
      if let found = candidate.attributes.first(where: { $0.name == name }) { return found }
    }
    return nil
  }

  /// What a key path leads to from an entity on; nothing lies beyond a transient relationship for a
  /// store.
  func target(of path: [String], from entity: EntityDescription) -> PathTarget? {
    var entity = entity
    var crossesToMany = false
    for (index, name) in path.enumerated() {
      let rest = Array(path.dropFirst(index + 1))
      if let found = attribute(name, of: entity) {
        return element(rest, of: found).map { .attribute($0, crossesToMany: crossesToMany) }
      }
      guard let (_, relationship) = relationship(name, of: entity) else { return nil }
      if rest.isEmpty { return .relationship(relationship, crossesToMany: crossesToMany) }
      guard !relationship.isTransient else { return nil }
      crossesToMany = crossesToMany || relationship.isToMany
      guard let destination = byName[relationship.destinationEntityName] else { return nil }
      entity = destination
    }
    return nil
  }

  /// The member of a composite that a path leads to, or the attribute itself.
  private func element(
    _ path: [String], of attribute: AttributeDescription
  ) -> AttributeDescription? {
    var attribute = attribute
    for name in path {
      guard let member = attribute.elements.first(where: { $0.name == name }) else { return nil }
      attribute = member
    }
    return attribute
  }

  enum PathTarget {
    case attribute(AttributeDescription, crossesToMany: Bool)
    case relationship(RelationshipDescription, crossesToMany: Bool)

    /// One value per object, which the store keeps.
    var isSingleStoredValue: Bool {
      switch self {
      case .attribute(let attribute, let crossesToMany):
        !crossesToMany && !attribute.isTransient && attribute.type.slotKind != nil
      case .relationship(let relationship, let crossesToMany):
        !crossesToMany && !relationship.isToMany && !relationship.isTransient
      }
    }
  }
}

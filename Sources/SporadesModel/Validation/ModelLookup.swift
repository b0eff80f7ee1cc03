// SPDX-License-Identifier: MIT

/// Finds entities and properties by name in a model that may have mistakes.
///
/// If two entities have the same name, the lookup finds the first. A walk along superentities ends
/// before it repeats an entity, and after ``deepestInheritance`` steps.
package struct ModelLookup {
  /// The largest number of superentities above an entity. Real models have three or four.
  package static let deepestInheritance = 250

  private let byName: [String: EntityDescription]

  package init(_ entities: [EntityDescription]) {
    byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
  }

  package func entity(_ name: String) -> EntityDescription? { byName[name] }

  /// The entity and the entities that it inherits from, the nearest first.
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

  /// One of the entities inherits from the other, or both are the same.
  func areRelated(_ one: EntityDescription, _ other: EntityDescription) -> Bool {
    lineage(one).contains { $0.name == other.name }
      || lineage(other).contains { $0.name == one.name }
  }

  /// Finds an own or inherited relationship of an entity, and the entity that declares it.
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

  /// Finds the property at the end of a key path. A path that crosses a transient relationship has no
  /// end, because no store can follow it.
  func target(of path: [String], from entity: EntityDescription) -> PathTarget? {
    var entity = entity
    var crossesToMany = false
    for (index, name) in path.enumerated() {
      let remaining = Array(path.dropFirst(index + 1))
      if let found = attribute(name, of: entity) {
        return element(remaining, of: found).map { .attribute($0, crossesToMany: crossesToMany) }
      }
      guard let (_, relationship) = relationship(name, of: entity) else { return nil }
      if remaining.isEmpty { return .relationship(relationship, crossesToMany: crossesToMany) }
      guard !relationship.isTransient else { return nil }
      crossesToMany = crossesToMany || relationship.isToMany
      guard let destination = byName[relationship.destinationEntityName] else { return nil }
      entity = destination
    }
    return nil
  }

  /// The sentence about the first name in a path that does not exist, with names that do; empty if every
  /// name of the path exists.
  func hint(for path: [String], from entity: EntityDescription) -> String {
    var entity = entity
    for (index, name) in path.enumerated() {
      if let found = attribute(name, of: entity) {
        return hint(for: path.dropFirst(index + 1), in: found)
      }
      guard let (_, relationship) = relationship(name, of: entity) else {
        let names = lineage(entity).flatMap(\.propertyNames)
        return " \(entity.name) has no property \(name).\(NearNames(name, among: names).hint)"
      }
      guard let destination = byName[relationship.destinationEntityName] else { return "" }
      entity = destination
    }
    return ""
  }

  private func hint(
    for path: ArraySlice<String>, in attribute: AttributeDescription
  ) -> String {
    var attribute = attribute
    for name in path {
      guard let member = attribute.elements.first(where: { $0.name == name }) else {
        let names = attribute.elements.map(\.name)
        return " \(attribute.name) has no member \(name).\(NearNames(name, among: names).hint)"
      }
      attribute = member
    }
    return ""
  }

  /// The sentence about a name that no relationship of the destination has.
  func hint(forInverse name: String, _ destination: EntityDescription) -> String {
    if attribute(name, of: destination) != nil {
      return " \(destination.name).\(name) is an attribute."
    }
    let names = lineage(destination).flatMap(\.relationships).map(\.name)
    return NearNames(name, among: names).hint
  }

  /// The sentence with names of entities in place of one that does not exist.
  func hint(forEntity name: String) -> String { NearNames(name, among: byName.keys).hint }

  /// Finds the member of a composite at the end of a path; an empty path gives the attribute itself.
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

  /// The property at the end of a key path.
  enum PathTarget {
    case attribute(AttributeDescription, crossesToMany: Bool)
    case relationship(RelationshipDescription, crossesToMany: Bool)

    /// The store keeps one value of the property per object.
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

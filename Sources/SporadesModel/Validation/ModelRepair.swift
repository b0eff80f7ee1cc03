// SPDX-License-Identifier: MIT

/// Makes a valid model of contents that Xcode accepts and ``ModelValidation`` refuses.
///
/// Rules:
/// 1. The repair leaves out only parts that no version hash contains: defaults, bounds, indexes, fetched
///    properties, templates, members of configurations. It keeps the name of an unanswered inverse and
///    the unenforceable constraints for the hash.
/// 2. ``ModelValidation`` alone decides which parts are sound.
/// 3. The repair reports each part that it leaves out as a warning.
package struct ModelRepair {
  package private(set) var entities: [EntityDescription]
  package private(set) var configurations: [String: [String]]
  package private(set) var templates: [String: FetchRequest]
  package private(set) var warnings: [ModelWarning] = []
  private var validation: ModelValidation

  package init(
    entities: [EntityDescription], configurations: [String: [String]],
    templates: [String: FetchRequest]
  ) {
    self.entities = entities
    self.configurations = configurations
    self.templates = templates
    validation = ModelValidation(
      ModelContents(
        entities: entities, configurations: configurations, fetchRequestTemplates: templates,
        versionIdentifiers: []))
    for index in entities.indices { repair(entityAt: index) }
    repairConfigurations()
    repairTemplates()
  }

  /// Runs a check and turns its problems into warnings. Each warning ends with the remedy that the
  /// repair applies.
  private mutating func isSound(
    _ remedy: String, _ check: (inout ModelValidation) -> Void
  ) -> Bool {
    validation.problems = []
    check(&validation)
    warnings += validation.problems.map {
      ModelWarning(
        $0.code, entity: $0.entity, property: $0.property, "\($0.detail) \(remedy)")
    }
    return validation.problems.isEmpty
  }

  // MARK: - Entities

  private mutating func repair(entityAt index: Int) {
    let entity = entities[index]
    entities[index].attributes = entity.attributes.map { repaired($0, path: $0.name, entity) }
    entities[index].relationships = entity.relationships.map { repaired($0, entity) }
    entities[index].fetchedProperties = entity.fetchedProperties.filter { fetched in
      isSound("The fetched property is left out.") { $0.check(fetched, of: entity) }
    }
    entities[index].uniquenessConstraints = entity.uniquenessConstraints.filter { constraint in
      guard constraint.isEmpty else { return true }
      return isSound("It is left out.") {
        $0.report(.unknownProperty, entity, nil, "has a uniqueness constraint without properties.")
      }
    }
    repairConstraints(entityAt: index)
    entities[index].indexes = repairedIndexes(of: entity)
  }

  /// Moves constraints that no store can enforce to the constraints that count in the hash alone.
  private mutating func repairConstraints(entityAt index: Int) {
    let entity = entities[index]
    var kept: [[String]] = []
    for constraint in entity.uniquenessConstraints {
      let isKept = isSound("Until then the constraint is not enforced.") {
        $0.checkSizes(in: constraint, of: entity)
      }
      if isKept {
        kept.append(constraint)
      } else {
        entities[index].unenforcedConstraints.append(constraint)
      }
    }
    entities[index].uniquenessConstraints = kept
  }

  private mutating func repairedIndexes(
    of entity: EntityDescription
  ) -> [FetchIndexDescription] {
    var names: Set<String> = []
    return entity.indexes.filter { index in
      guard isSound("The index is left out.", { $0.check(index, of: entity) }) else { return false }
      if names.insert(index.name).inserted { return true }
      return isSound("The later one is left out.") {
        $0.report(.duplicateName, entity, nil, "has two indexes named \(index.name).")
      }
    }
  }

  private mutating func repaired(
    _ attribute: AttributeDescription, path: String, _ entity: EntityDescription
  ) -> AttributeDescription {
    var copy = attribute
    let hasDefault = isSound("The default is left out.") {
      $0.checkDefault(of: attribute, path: path, entity)
    }
    if !hasDefault { copy.defaultValue = .null }
    let hasBounds = isSound("The bounds are left out.") {
      $0.checkBounds(of: attribute, path: path, entity)
    }
    if !hasBounds {
      copy.validation = AttributeValidation()
      copy.validation.predicates = attribute.validation.predicates
    }
    copy.elements = attribute.elements.map { repaired($0, path: "\(path).\($0.name)", entity) }
    return copy
  }

  private mutating func repaired(
    _ relationship: RelationshipDescription, _ entity: EntityDescription
  ) -> RelationshipDescription {
    guard let name = relationship.inverseName,
      let destination = validation.lookup.entity(relationship.destinationEntityName)
    else { return relationship }
    var copy = relationship
    let isAnswered = isSound("The relationship is read as one without inverse.") {
      $0.checkInverse(name, of: relationship, entity, destination)
    }
    if !isAnswered {
      copy.inverseName = nil
      copy.unansweredInverseName = name
    }
    return copy
  }

  // MARK: - Configurations and templates

  private mutating func repairConfigurations() {
    for (name, members) in configurations.inOrder {
      if name.isEmpty {
        if !isSound("It is left out.", { $0.checkConfiguration(name, []) }) {
          configurations[name] = nil
        }
        continue
      }
      configurations[name] = members.filter { member in
        isSound("The name is left out.") { $0.checkConfiguration(name, [member]) }
      }
    }
  }

  private mutating func repairTemplates() {
    for (name, request) in templates.inOrder
    where !isSound("The template is left out.", { $0.checkTemplate(name, request) }) {
      templates[name] = nil
    }
  }
}

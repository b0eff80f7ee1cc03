// SPDX-License-Identifier: MIT

// The names of properties and entities that other parts of the model refer to.
extension ModelValidation {
  mutating func checkConstraints(of entity: EntityDescription) {
    for constraint in entity.uniquenessConstraints {
      if constraint.isEmpty {
        report(
          .unknownProperty, entity, nil,
          "has a uniqueness constraint without properties; name one or remove the constraint.")
      }
      for path in constraint where !isStored(path, of: entity, throughRelationships: false) {
        report(
          .unknownProperty, entity, path,
          "is part of a uniqueness constraint, but is not a stored attribute or to-one relationship"
            + " of \(entity.name); correct the constraint.",
          hint: { $0.hint(for: path.split(separator: ".").map(String.init), from: entity) })
      }
      checkSizes(in: constraint, of: entity)
      if Set(constraint).count != constraint.count {
        report(
          .duplicateName, entity, nil,
          "has a uniqueness constraint that names a property twice; name it once.")
      }
    }
  }

  /// Refuses large values in a constraint. A store compares the contents of rows, and a row holds only
  /// the name of a large value's file.
  mutating func checkSizes(in constraint: [String], of entity: EntityDescription) {
    for path in constraint where isLarge(path, of: entity) {
      report(
        .misplacedOption, entity, path,
        "is part of a uniqueness constraint, but its values may lie in separate files, which no"
          + " store compares; remove external storage, or make a digest of the value unique.")
    }
    for path in constraint where type(of: path, entity) == .transformable {
      report(
        .misplacedOption, entity, path,
        "is part of a uniqueness constraint, but its values are encoded, and no store compares what they mean;"
          + " make an attribute unique that tells them apart.")
    }
  }

  private func type(of path: String, _ entity: EntityDescription) -> AttributeType? {
    guard
      case .attribute(let attribute, _)? = lookup.target(of: path.propertyNames, from: entity)
    else { return nil }
    return attribute.type
  }

  private func isLarge(_ path: String, of entity: EntityDescription) -> Bool {
    let names = path.split(separator: ".").map(String.init)
    guard case .attribute(let attribute, _)? = lookup.target(of: names, from: entity) else {
      return false
    }
    return attribute.isLarge
  }

  mutating func checkIndexes(of entity: EntityDescription) {
    var names: Set<String> = []
    for index in entity.indexes {
      check(index, of: entity)
      if !index.name.isEmpty, !names.insert(index.name).inserted {
        report(
          .duplicateName, entity, nil,
          "has two indexes named \(index.name); rename one of them.")
      }
    }
  }

  mutating func check(_ index: FetchIndexDescription, of entity: EntityDescription) {
    if index.name.isEmpty {
      report(.invalidName, entity, nil, "has an index without a name; give it one.")
    }
    if index.elements.isEmpty {
      report(
        .unknownProperty, entity, nil,
        "has an index named \(index.name) without elements; add one or remove the index.")
    }
    for element in index.elements where !canBeIndexed(element.property, of: entity) {
      report(
        .unknownProperty, entity, element.property,
        "is part of the index \(index.name), but is not a stored attribute or to-one relationship"
          + " of \(entity.name); correct the index.",
        hint: { $0.hint(for: Derivation(element.property)?.path ?? [], from: entity) })
    }
  }

  mutating func check(_ fetched: FetchedPropertyDescription, of entity: EntityDescription) {
    guard lookup.entity(fetched.request.entityName) == nil else { return }
    report(
      .unknownEntity, entity, fetched.name,
      "fetches \(fetched.request.entityName), which the model does not have; add it or correct the"
        + " request.", hint: { $0.hint(forEntity: fetched.request.entityName) })
  }

  mutating func checkConfiguration(_ name: String, _ members: [String]) {
    if name.isEmpty {
      report(.invalidName, "A configuration has no name; give it one.")
    }
    for member in members where lookup.entity(member) == nil {
      report(
        .unknownEntity,
        "The configuration \(name) names \(member), which the model does not have; add it or remove"
          + " the name.", hint: { $0.hint(forEntity: member) })
    }
  }

  mutating func checkTemplate(_ name: String, _ request: FetchRequest) {
    if name.isEmpty {
      report(.invalidName, "A fetch request template has no name; give it one.")
    }
    if lookup.entity(request.entityName) == nil {
      report(
        .unknownEntity,
        "The fetch request template \(name) fetches \(request.entityName), which the model does not"
          + " have; add it or correct the template.",
        hint: { $0.hint(forEntity: request.entityName) })
    }
    if let mistake = request.describeWrongBound() {
      report(.invalidCount, "The fetch request template \(name) \(mistake).")
    }
  }

  /// An index can contain the expression: a path of stored values, or a change of case such as
  /// `lowercase:(name)`. As in Core Data, `self` is the object's key and `entity` its entity.
  private func canBeIndexed(_ expression: String, of entity: EntityDescription) -> Bool {
    if expression == "self" || expression == "entity" { return true }
    // Most indexes contain a property, which needs no parser.
    if let target = lookup.target(of: [expression], from: entity) {
      return target.isSingleStoredValue
    }
    switch Derivation(expression) {
    case .keyPath(let path), .canonical(let path), .uppercase(let path), .lowercase(let path):
      return isStored(path.joined(separator: "."), of: entity, throughRelationships: true)
    default: return false
    }
  }

  private func isStored(
    _ path: String, of entity: EntityDescription, throughRelationships: Bool
  ) -> Bool {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard throughRelationships || names.count == 1 || lookup.attribute(names[0], of: entity) != nil
    else { return false }
    return lookup.target(of: names, from: entity)?.isSingleStoredValue ?? false
  }
}

// SPDX-License-Identifier: MIT

extension ModelValidation {
  mutating func checkEntities() {
    if contents.entities.count > RowKey.largestEntity {
      report(
        .tooLarge,
        "The model has \(contents.entities.count) entities; the limit is"
          + " \(RowKey.largestEntity). Split it into several models with separate stores.")
    }
    checkEntityNames()
    for entity in contents.entities {
      checkInheritance(of: entity)
      checkPropertyNames(of: entity)
      checkFormerNames(of: entity)
    }
  }

  private mutating func checkEntityNames() {
    var first: [String: String] = [:]
    for entity in contents.entities {
      if !ModelNames.isIdentifier(entity.name) {
        report(
          .invalidName, entity, nil,
          "\"\(entity.name)\" cannot name an entity; use letters, digits and underscores, and do not"
            + " begin with a digit.")
      } else if ModelNames.isReserved(entity: entity.name) {
        report(
          .reservedName, entity, nil,
          "is the name of a table that every store has; give the entity another name.")
      }
      let folded = entity.name.lowercased()
      guard let earlier = first.updateValue(entity.name, forKey: folded) else { continue }
      report(
        .duplicateName, entity, nil,
        earlier == entity.name
          ? "is the name of two entities; rename one of them."
          : "differs from \(earlier) in case alone, and both would share a table; rename one.")
    }
  }

  private mutating func checkInheritance(of entity: EntityDescription) {
    guard let name = entity.superentityName else { return }
    guard lookup.entity(name) != nil else {
      report(
        .missingSuperentity, entity, nil,
        "inherits from \(name), which the model does not have; add it or correct the name.",
        hint: { $0.hint(forEntity: name) })
      return
    }
    let line = lookup.lineage(entity)
    if line.count > ModelLookup.deepestInheritance {
      report(
        .tooLarge, entity, nil,
        "has more than \(ModelLookup.deepestInheritance) entities above it; flatten the tree.")
    } else if line[line.count - 1].superentityName == entity.name {
      report(
        .inheritanceCycle, entity, nil,
        "inherits from itself: \((line.map(\.name) + [entity.name]).joined(separator: " → "));"
          + " remove one superentity.")
    }
  }

  private mutating func checkPropertyNames(of entity: EntityDescription) {
    var inherited: [String: String] = [:]
    for above in lookup.lineage(entity).dropFirst() where above.name != entity.name {
      for name in above.propertyNames { inherited[name] = above.name }
    }
    var own: Set<String> = []
    for name in entity.propertyNames {
      checkPropertyName(name, of: entity)
      if !own.insert(name).inserted {
        report(
          .duplicateName, entity, name,
          "is the name of two properties of the entity; rename one of them.")
      } else if let above = inherited[name] {
        report(
          .duplicateName, entity, name,
          "is inherited from \(above) already; rename it or remove it here.")
      }
    }
  }

  /// Only one of two properties could get the content of a former one.
  private mutating func checkFormerNames(of entity: EntityDescription) {
    let attributes = entity.attributes.map { ($0.name, $0.renamingIdentifier) }
    let relationships = entity.relationships.map { ($0.name, $0.renamingIdentifier) }
    for parts in [attributes, relationships] {
      var first: [String: String] = [:]
      for (name, former) in parts {
        guard let former, let other = first.updateValue(name, forKey: former) else { continue }
        report(
          .duplicateName, entity, name,
          "says that it was \(former), and so does \(other), but one property alone can continue another. Remove the former "
            + "name from one of them.")
      }
    }
  }

  private mutating func checkPropertyName(_ name: String, of entity: EntityDescription) {
    if !ModelNames.isIdentifier(name) {
      report(
        .invalidName, entity, name,
        "\"\(name)\" cannot name a property; use letters, digits and underscores, and do not"
          + " begin with a digit.")
    } else if ModelNames.isReserved(property: name) {
      report(
        .reservedName, entity, name,
        "is the name of a member of every managed object or of a column of every table; give the property"
          + " another name.")
    }
  }
}

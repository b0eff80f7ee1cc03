// SPDX-License-Identifier: MIT

extension ManagedObjectModel {
  /// Compares the model with an older version of it.
  ///
  /// An entity or property is compared with the one that has the same renaming identifier in the older version, where a
  /// part without one has its name as identifier; else with the one that has this identifier as name, or the same name.
  /// The order of entities, properties, indexes and constraints is no difference.
  public func differences(from old: ManagedObjectModel) -> ModelDifferences {
    let pairs = Renaming(
      old.entities, entities, name: \.name, identifier: \.renamingIdentifier
    ).pairs
    let comparison = EntityComparison(old: old, new: self)
    return ModelDifferences(
      entities: pairs.compactMap { comparison.difference($0.old, $0.new) },
      traits: traitDifferences(from: old))
  }

  private func traitDifferences(from old: ManagedObjectModel) -> [TraitDifference] {
    let configurations = Set(old.configurations.keys).union(self.configurations.keys)
    let templates = Set(old.fetchRequestTemplates.keys).union(fetchRequestTemplates.keys)
    return configurations.inOrder().compactMap { name in
      let (before, after) = (old.configurations[name], self.configurations[name])
      return Self.difference(
        "configuration \(name)", before.map { TraitText.list($0.inOrder()) },
        after.map { TraitText.list($0.inOrder()) })
    }
      + templates.inOrder().compactMap { name in
        let (before, after) = (old.fetchRequestTemplates[name], fetchRequestTemplates[name])
        guard before != after else { return nil }
        return TraitDifference(
          trait: "fetch request template \(name)", old: before?.spelling ?? "none",
          new: after?.spelling ?? "none", changesVersionHash: false)
      }
      + [
        Self.difference(
          "list of version identifiers",
          TraitText.list(old.versionIdentifiers.inOrder().map(\.debugDescription)),
          TraitText.list(versionIdentifiers.inOrder().map(\.debugDescription)))
      ].compactMap(\.self)
  }

  private static func difference(
    _ trait: String, _ old: String?, _ new: String?
  ) -> TraitDifference? {
    guard old != new else { return nil }
    return TraitDifference(
      trait: trait, old: old ?? "none", new: new ?? "none", changesVersionHash: false)
  }
}

/// Compares the versions of one entity.
struct EntityComparison {
  private let oldHashes: [String: [UInt8]]
  private let newHashes: [String: [UInt8]]
  private let oldHasher: VersionHasher
  private let newHasher: VersionHasher

  init(old: ManagedObjectModel, new: ManagedObjectModel) {
    oldHashes = old.entityVersionHashesByName
    newHashes = new.entityVersionHashesByName
    oldHasher = VersionHasher(old.entities)
    newHasher = VersionHasher(new.entities)
  }

  /// The difference of two versions of an entity; nil if there is none.
  func difference(_ old: EntityDescription?, _ new: EntityDescription?) -> EntityDifference? {
    guard let old, let new else {
      return EntityDifference(
        old: old, new: new, traits: [], properties: [], changesVersionHash: true)
    }
    let traits = Trait<EntityDescription>.all.compactMap {
      $0.difference(old, new) { Array($0.hashedSpelling.utf8) }
    }
    let properties = properties(old, new)
    let changes = oldHashes[old.name] != newHashes[new.name]
    guard !traits.isEmpty || !properties.isEmpty || changes else { return nil }
    return EntityDifference(
      old: old, new: new, traits: traits, properties: properties, changesVersionHash: changes)
  }

  private func properties(
    _ old: EntityDescription, _ new: EntityDescription
  ) -> [PropertyDifference] {
    func hash(_ attribute: AttributeDescription) -> [UInt8]? {
      attribute.isTransient ? nil : oldHasher.hash(of: attribute)
    }
    func hash(_ relationship: RelationshipDescription) -> [UInt8]? {
      relationship.isTransient ? nil : oldHasher.hash(of: relationship, old)
    }
    func newHash(_ relationship: RelationshipDescription) -> [UInt8]? {
      relationship.isTransient ? nil : newHasher.hash(of: relationship, new)
    }
    let attributes = Renaming(
      old.attributes, new.attributes, name: \.name, identifier: \.renamingIdentifier
    ).pairs
    let relationships = Renaming(
      old.relationships, new.relationships, name: \.name, identifier: \.renamingIdentifier
    ).pairs
    let fetched = Renaming(
      old.fetchedProperties, new.fetchedProperties, name: \.name, identifier: { _ in nil }
    ).pairs
    return attributes.compactMap {
      Self.difference($0, Trait.all, PropertyDescription.attribute, hash, hash)
    }
      + relationships.compactMap {
        Self.difference($0, Trait.all, PropertyDescription.relationship, hash, newHash)
      }
      + fetched.compactMap {
        Self.difference($0, Trait.all, PropertyDescription.fetchedProperty, { _ in nil }) { _ in nil
        }
      }
  }

  private static func difference<Part: Equatable>(
    _ pair: (old: Part?, new: Part?), _ traits: [Trait<Part>],
    _ wrap: (Part) -> PropertyDescription, _ oldHash: (Part) -> [UInt8]?,
    _ newHash: (Part) -> [UInt8]?
  ) -> PropertyDifference? {
    guard pair.old != pair.new else { return nil }
    var differences: [TraitDifference] = []
    if let old = pair.old, let new = pair.new {
      differences = traits.compactMap { $0.difference(old, new, hash: oldHash) }
    }
    return PropertyDifference(
      old: pair.old.map(wrap), new: pair.new.map(wrap), traits: differences,
      changesVersionHash: pair.old.flatMap(oldHash) != pair.new.flatMap(newHash))
  }
}

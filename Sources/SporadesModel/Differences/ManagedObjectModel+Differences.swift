// SPDX-License-Identifier: MIT

extension ManagedObjectModel {
  /// Compares the model with an older version of it.
  ///
  /// An entity or property with a renaming identifier is compared with the one that has this name, or this
  /// identifier, in the older version. All others are compared by name. The order of entities, properties,
  /// indexes and constraints is no difference.
  public func differences(from old: ManagedObjectModel) -> ModelDifferences {
    let pairs = Renaming.pairs(
      old.entities, entities, name: \.name, identifier: \.renamingIdentifier)
    let comparison = EntityComparison(old: old, new: self)
    return ModelDifferences(
      entities: pairs.compactMap { comparison.difference($0.old, $0.new) },
      traits: traitDifferences(from: old))
  }

  private func traitDifferences(from old: ManagedObjectModel) -> [TraitDifference] {
    let configurations = Set(old.configurations.keys).union(self.configurations.keys)
    let templates = Set(old.fetchRequestTemplates.keys).union(fetchRequestTemplates.keys)
    return configurations.sorted().compactMap { name in
      let (before, after) = (old.configurations[name], self.configurations[name])
      return Self.difference(
        "configuration \(name)", before.map { TraitText.list($0.sorted()) },
        after.map { TraitText.list($0.sorted()) })
    }
      + templates.sorted().compactMap { name in
        let (before, after) = (old.fetchRequestTemplates[name], fetchRequestTemplates[name])
        guard before != after else { return nil }
        return TraitDifference(
          trait: "fetch request template \(name)", old: before?.spelling ?? "none",
          new: after?.spelling ?? "none", changesVersionHash: false)
      }
      + [
        Self.difference(
          "list of version identifiers",
          TraitText.list(old.versionIdentifiers.sorted().map(\.debugDescription)),
          TraitText.list(versionIdentifiers.sorted().map(\.debugDescription)))
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

/// Finds which part of an older model a part of a newer one was.
enum Renaming {
  /// The parts in pairs: those of the newer model in their order, then those that only the older one has.
  static func pairs<Part>(
    _ old: [Part], _ new: [Part], name: @escaping (Part) -> String,
    identifier: @escaping (Part) -> String?
  ) -> [(old: Part?, new: Part?)] {
    let byName = Dictionary(old.indices.map { (name(old[$0]), $0) }) { first, _ in first }
    let byIdentifier = Dictionary(
      old.indices.compactMap { index in identifier(old[index]).map { ($0, index) } }
    ) { first, _ in first }
    var left = Set(old.indices)
    var found = [Int?](repeating: nil, count: new.count)
    let rules: [(Part) -> Int?] = [
      // A part that kept its name and its identifier was renamed in an earlier version, and stays itself. Without
      // an identifier it gives way to a part that names it: the name was free for a new part.
      { part in
        byName[name(part)].flatMap { index in
          identifier(part).flatMap { $0 == identifier(old[index]) ? index : nil }
        }
      },
      { identifier($0).flatMap { byName[$0] } },
      { identifier($0).flatMap { byIdentifier[$0] } },
      { byName[name($0)] },
    ]
    for rule in rules {
      for index in new.indices where found[index] == nil {
        guard let match = rule(new[index]), left.remove(match) != nil else { continue }
        found[index] = match
      }
    }
    return new.indices.map { (found[$0].map { old[$0] }, new[$0]) }
      + left.sorted().map { (old[$0], nil) }
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
    let attributes = Renaming.pairs(
      old.attributes, new.attributes, name: \.name, identifier: \.renamingIdentifier)
    let relationships = Renaming.pairs(
      old.relationships, new.relationships, name: \.name, identifier: \.renamingIdentifier)
    let fetched = Renaming.pairs(
      old.fetchedProperties, new.fetchedProperties, name: \.name, identifier: { _ in nil })
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

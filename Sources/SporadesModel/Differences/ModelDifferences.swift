// SPDX-License-Identifier: MIT

/// The differences between two versions of a model. ``ManagedObjectModel/differences(from:)`` makes
/// them.
///
/// The description says each difference in one sentence, and whether version hashes change:
///
/// ```text
/// Pet is a new entity.
/// Person was named User.
/// Person.age: the type changes from Integer16 to Integer32.
/// Person.name: the default changes from none to "Rex". Version hashes stay.
/// ```
public struct ModelDifferences: Hashable, Sendable {
  /// The entities that differ, in the order of the newer model, and then those that only the older one has.
  public let entities: [EntityDifference]
  /// The differences that belong to no entity: configurations, templates, version identifiers.
  public let traits: [TraitDifference]

  /// The two models are the same, but for the order of their parts.
  public var isEmpty: Bool { entities.isEmpty && traits.isEmpty }

  /// Stores of one version do not open with the other one.
  public var changesVersionHashes: Bool { entities.contains(where: \.changesVersionHash) }
}

/// The kind of a difference between two versions of an entity or property.
public enum DifferenceKind: Hashable, Sendable {
  /// Only the newer model has it.
  case added
  /// Only the older model has it.
  case removed
  /// Both models have it, under two names.
  case renamed
  /// Both models have it under one name.
  case changed
}

/// The differences between two versions of an entity.
public struct EntityDifference: Hashable, Sendable {
  /// The entity in the older model; nil for a new entity.
  public let old: EntityDescription?
  /// The entity in the newer model; nil for an entity that is gone.
  public let new: EntityDescription?
  /// The traits of the entity itself that differ.
  public let traits: [TraitDifference]
  /// The entity's own properties that differ. A new entity lists none, because all of them are new.
  public let properties: [PropertyDifference]
  /// The version hash of the entity changes, which may be due to an entity that it inherits from.
  public let changesVersionHash: Bool

  /// The name in the newer model, or that of an entity that is gone.
  public var name: String { new?.name ?? old?.name ?? "" }

  /// Whether the entity is new, gone, has another name, or stayed.
  public var kind: DifferenceKind { .init(old?.name, new?.name) }
}

/// The differences between two versions of a property.
public struct PropertyDifference: Hashable, Sendable {
  /// The property in the older model; nil for a new property.
  public let old: PropertyDescription?
  /// The property in the newer model; nil for a property that is gone.
  public let new: PropertyDescription?
  /// The traits that differ, apart from the name.
  public let traits: [TraitDifference]
  /// The version hash of the property's entity changes.
  public let changesVersionHash: Bool

  /// The name in the newer model, or that of a property that is gone.
  public var name: String { new?.name ?? old?.name ?? "" }

  /// Whether the property is new, gone, has another name, or stayed.
  public var kind: DifferenceKind { .init(old?.name, new?.name) }
}

/// An attribute, relationship or fetched property.
public indirect enum PropertyDescription: Hashable, Sendable {
  /// A value.
  case attribute(AttributeDescription)
  /// A link.
  case relationship(RelationshipDescription)
  /// The result of a fetch.
  case fetchedProperty(FetchedPropertyDescription)

  /// The name of the property.
  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    case .fetchedProperty(let fetched): fetched.name
    }
  }
}

/// One trait that differs, with its old and new value as text.
public struct TraitDifference: Hashable, Sendable {
  /// The trait in words: `type`, `delete rule`.
  public let trait: String
  /// The value in the older model.
  public let old: String
  /// The value in the newer model.
  public let new: String
  /// This difference alone would change the version hash.
  public let changesVersionHash: Bool
}

extension DifferenceKind {
  fileprivate init(_ old: String?, _ new: String?) {
    switch (old, new) {
    case (nil, _): self = .added
    case (_, nil): self = .removed
    default: self = old == new ? .changed : .renamed
    }
  }
}

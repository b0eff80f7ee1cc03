// SPDX-License-Identifier: MIT

/// A stored value of an entity: its name, its type, and what a value must satisfy.
public struct AttributeDescription: Hashable, Sendable {
  public var name: String
  public var type: AttributeType
  public var isOptional: Bool
  public var isTransient: Bool
  public var defaultValue: Value
  /// What a save demands of a value beyond its presence.
  public var validation: AttributeValidation
  /// Large values may be kept in files of their own beside the store.
  public var allowsExternalBinaryDataStorage: Bool
  /// The value is kept in the history when its object is deleted.
  public var preservesValueInHistoryOnDeletion: Bool
  public var isIndexedBySpotlight: Bool
  /// The name under which the transformer of a transformable attribute was registered.
  public var valueTransformerName: String?
  public var attributeValueClassName: String?
  /// What a derived attribute is computed from, as Core Data spells it: `owner.name`,
  /// `pets.@count`, `canonical:(name)`, `now()`.
  public var derivationExpression: String?
  /// The members of a composite attribute, each stored in a column of its own.
  public var elements: [AttributeDescription]
  public var userInfo: [String: String]
  public var versionHashModifier: String?
  public var renamingIdentifier: String?

  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = false, isTransient: Bool = false,
    defaultValue: Value = .null
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    validation = AttributeValidation()
    allowsExternalBinaryDataStorage = false
    preservesValueInHistoryOnDeletion = false
    isIndexedBySpotlight = false
    elements = []
    userInfo = [:]
  }

  public var isDerived: Bool { derivationExpression != nil }

  /// A store may keep values in files of their own: only bytes, and only those that it does not compute.
  package var isLarge: Bool {
    allowsExternalBinaryDataStorage && type.slotKind == .bytes && !isDerived
  }
}

/// Bounds of an attribute's value, checked before a save leaves its context.
public struct AttributeValidation: Hashable, Sendable {
  /// The least number or earliest date accepted.
  public var minimum: Value = .null
  /// The greatest number or latest date accepted.
  public var maximum: Value = .null
  public var minimumLength: Int?
  public var maximumLength: Int?
  /// A regular expression the whole string must match.
  public var pattern: String?
  /// Predicates of the object; `SELF` is the value of the attribute.
  public var predicates: [FetchPredicate] = []

  public init() {}

  public var isEmpty: Bool { self == AttributeValidation() }
}

// SPDX-License-Identifier: MIT

/// A value of an entity's objects: its name, its type and its bounds.
public struct AttributeDescription: Hashable, Sendable {
  /// The name by which code, predicates and stores refer to the attribute.
  public var name: String
  /// The kind of value that the attribute holds.
  public var type: AttributeType
  /// A save accepts an object whose value is nil.
  public var isOptional: Bool
  /// The value lives in the object alone; no store keeps it.
  public var isTransient: Bool
  /// The value of the attribute in a new object.
  public var defaultValue: Value
  /// The bounds that a save checks, beyond the presence of a value.
  public var validation: AttributeValidation
  /// The store may keep each large value in a separate file beside its database.
  public var allowsExternalBinaryDataStorage: Bool
  /// The store's history keeps the value of a deleted object.
  public var preservesValueInHistoryOnDeletion: Bool
  /// Spotlight may index the value on Apple's platforms; Sporades only keeps the mark.
  public var isIndexedBySpotlight: Bool
  /// The name under which the program registered the transformer of a transformable attribute.
  public var valueTransformerName: String?
  /// The class that a transformable attribute's objects have on Apple's platforms.
  public var attributeValueClassName: String?
  /// The expression that a store computes a derived attribute from, as Core Data spells it:
  /// `owner.name`, `pets.@count`, `canonical:(name)`, `now()`.
  public var derivationExpression: String?
  /// The members of a composite attribute. A store keeps each member in a separate column.
  public var elements: [AttributeDescription]
  /// Notes of the model's author, which the library keeps and does not read.
  public var userInfo: [String: String]
  /// A text that changes the version hash where nothing else in the attribute changed.
  public var versionHashModifier: String?
  /// The name of the attribute in the earlier model version that a migration reads.
  public var renamingIdentifier: String?

  /// Describes an attribute without bounds, derivation or external storage.
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

  /// The store computes the value from other values.
  public var isDerived: Bool { derivationExpression != nil }

  /// The key of a note in `userInfo` by which a model file says that the history keeps the attribute's former values:
  /// `YES`, `true` or `1`.
  public static let keepsValuesKey = "SporadesKeepsValuesInHistory"

  /// The history of a SQLite store keeps the values before and after each change. It is a note in `userInfo`, and no part of
  /// the version hash.
  public var keepsValuesInHistory: Bool {
    get {
      userInfo[Self.keepsValuesKey].map { ["yes", "true", "1"].contains($0.lowercased()) } ?? false
    }
    set { userInfo[Self.keepsValuesKey] = newValue ? "YES" : nil }
  }

}

/// The bounds of an attribute's value. A save checks them before it leaves its context.
public struct AttributeValidation: Hashable, Sendable {
  /// The smallest number or earliest date that a save accepts; null for no bound.
  public var minimum: Value = .null
  /// The largest number or latest date that a save accepts; null for no bound.
  public var maximum: Value = .null
  /// The smallest length that a save accepts, counted in UTF-16 as Core Data does.
  public var minimumLength: Int?
  /// The largest length that a save accepts, counted in UTF-16 as Core Data does.
  public var maximumLength: Int?
  /// The regular expression that the whole string must match.
  public var pattern: String?
  /// Conditions that the value must satisfy. In them, `SELF` is the value of the attribute.
  public var predicates: [FetchPredicate] = []

  /// Makes bounds that accept every value.
  public init() {}

  /// The bounds accept every value.
  public var isEmpty: Bool { self == AttributeValidation() }
}

// SPDX-License-Identifier: MIT
public import SporadesModel

/// One damage of a store, for programs that repair their stores or tell of them.
public struct IntegrityProblem: Hashable, Sendable, CustomStringConvertible {
  /// The kind of damage, to branch on.
  public let kind: Kind
  /// The object with the damage; nil if no object can have the row's key, or if the damage is in no row.
  public let objectID: ManagedObjectID?
  /// The property with the damage; nil if it is in none. The name of a composite's member follows after a point.
  public let property: String?
  /// The common part of the problems of one kind and place, in words that follow a number: `references in ZPET.ZOWNER lead
  /// nowhere`. It holds no values of rows.
  public let detail: String
  /// Whether the damage can be mended without loss, as the command `sporades check --repair` does in a copy.
  public let isMendable: Bool

  /// Describes one damage.
  public init(
    _ kind: Kind, _ detail: String, objectID: ManagedObjectID? = nil, property: String? = nil,
    isMendable: Bool = false
  ) {
    self.kind = kind
    self.objectID = objectID
    self.property = property
    self.detail = detail
    self.isMendable = isMendable
  }

  public var description: String {
    let place = objectID.map { "\($0)\(property.map { ".\($0)" } ?? ""): " } ?? ""
    return "\(place)\(detail)"
  }

  /// The kind of a damage. Later versions may find others.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// The database finds damage of its own, such as an unreadable page or an index without its row.
    public static let database = Kind(description: "database")
    /// A row has a key that no row can have.
    public static let impossibleKey = Kind(description: "impossibleKey")
    /// A row has a larger key than the store has handed out, so that a new object may get the same.
    public static let unreservedKey = Kind(description: "unreservedKey")
    /// The number of the largest key handed out is none.
    public static let impossibleMaximum = Kind(description: "impossibleMaximum")
    /// A row or a reference names an entity that the model or the referenced row does not have.
    public static let wrongEntity = Kind(description: "wrongEntity")
    /// A row has a version that no save makes, so that reads or later saves fail.
    public static let impossibleVersion = Kind(description: "impossibleVersion")
    /// A value does not have the property's type, or lies outside of the type's range.
    public static let unreadableValue = Kind(description: "unreadableValue")
    /// A required property has no value.
    public static let missingValue = Kind(description: "missingValue")
    /// A link leads to an object that is not there.
    public static let missingObject = Kind(description: "missingObject")
    /// The file of a large value is not there.
    public static let missingFile = Kind(description: "missingFile")
    /// A derived value differs from what it is derived from.
    public static let wrongDerivedValue = Kind(description: "wrongDerivedValue")
    /// A link between one object and one other is in the row of one side alone.
    public static let oneSidedLink = Kind(description: "oneSidedLink")
    /// Objects share a value that a uniqueness constraint makes unique.
    public static let duplicateValue = Kind(description: "duplicateValue")
    /// Members of an ordered relationship have one position, so that their order depends on their keys.
    public static let sharedPosition = Kind(description: "sharedPosition")
  }
}

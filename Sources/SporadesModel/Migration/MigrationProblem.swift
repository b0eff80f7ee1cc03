// SPDX-License-Identifier: MIT

/// A reason why a store cannot be changed from one version of its model to another.
public struct MigrationProblem: Hashable, Sendable, CustomStringConvertible {
  /// The kind of a problem, to branch on.
  public enum Kind: Hashable, Sendable {
    /// A value has no equal in the new type of its attribute.
    case inconvertibleValue
    /// No rule converts values of the old type into the new type.
    case inconvertibleType
    /// An object has no value for an attribute that becomes required and has no default.
    case missingValue
    /// An object has no link of a to-one relationship that the newer version requires.
    case missingLink
    /// Several objects have the same values in the properties of a uniqueness constraint.
    case duplicates
    /// An object is linked to more objects than the relationship can keep.
    case tooManyLinks
    /// The file of a large value is gone, or too large for a row that should hold the value.
    case unreadableFile
    /// Objects of an entity that becomes abstract, or another thing that no rule covers.
    case unsupported
    /// A mapping model does not fit the two versions, or an expression in it has no value.
    case mapping
    /// A policy is missing, or a policy failed.
    case policy
    /// An object breaks a rule of the newer version.
    case invalidObject
    /// Objects or values would be removed, and the options do not allow that.
    case loss
  }

  /// The kind of the problem.
  public let kind: Kind
  /// The entity in the newer version, or in the older one if the newer version lacks it.
  public let entity: String
  /// The attribute or relationship; nil if the problem is of the whole entity.
  public let property: String?
  /// The name of the entity mapping at work; nil if the migration has no mapping model.
  public var mapping: String?
  /// The number of objects that have the problem; nil if it lies in the model.
  public let count: Int?
  /// The primary keys of the first objects that have the problem.
  public let keys: [Int64]
  /// The problem and its remedy in a sentence.
  public let sentence: String
  /// In a forecast: code of the plan runs before the check, and may repair it.
  public var isLeftToCode = false

  /// Describes one problem.
  public init(
    _ kind: Kind, entity: String, property: String? = nil, count: Int? = nil, keys: [Int64] = [],
    _ sentence: String
  ) {
    self.kind = kind
    self.entity = entity
    self.property = property
    self.count = count
    self.keys = keys
    self.sentence = sentence
  }

  /// The sentence, with the keys of the first objects that have the problem.
  public var description: String {
    guard !keys.isEmpty else { return sentence }
    let isAll = count.map { $0 <= keys.count } ?? false
    let list = keys.map(String.init).joined(separator: ", ")
    let noun = keys.count == 1 ? "key" : "keys"
    return
      "\(sentence) \(isAll ? "The" : "The first") \(noun)\(keys.count == 1 ? " is" : " are") \(list)."
  }
}

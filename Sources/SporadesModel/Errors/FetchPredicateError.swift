// SPDX-License-Identifier: MIT

/// The reason why a fetch refused its predicate or order before it read anything.
///
/// ``detail`` names key paths and parts of the language, never the values that the predicate compares.
public struct FetchPredicateError: DescribedError, Hashable, Sendable {
  /// The kind of mistake, to branch on.
  public let code: Code
  /// A sentence for people that names the mistake and the remedy.
  public let detail: String
  /// The number of Unicode scalars before the mistake in a format; nil for a predicate made in code.
  public let position: Int?
  /// The format in one line, with a mark below the mistake in a second line; nil for a predicate made
  /// in code. Texts in quotes are left out.
  public internal(set) var excerpt: String?

  /// Describes one mistake.
  public init(_ code: Code, _ detail: String, position: Int? = nil) {
    self.code = code
    self.detail = detail
    self.position = position
  }

  /// The kind of a mistake.
  public enum Code: Hashable, Sendable {
    /// The text does not follow the grammar.
    case syntax
    /// The format uses a part of Core Data's language that Sporades does not support.
    case unsupported
    /// The arguments do not fit the placeholders of the format.
    case arguments
    /// Conditions or expressions nest deeper than the library walks, or a format, a key path or a predicate is longer.
    case tooDeep
    /// The entity has no property or index of that name.
    case unknownKeyPath
    /// No store keeps the property, so no fetch can compare it.
    case notStored
    /// The key path continues after an attribute, or ends in a relationship although a value is needed.
    case notAnAttribute
    /// A key path leads to many objects although one value is needed.
    case needsQuantifier
    /// `ANY`, `ALL` or an aggregate stands before a key path that leads to one object.
    case notToMany
    /// The operator cannot compare its two sides.
    case wrongOperands
    /// The pattern is not a regular expression that the library supports.
    case invalidPattern
    /// Matching a regular expression took more steps than a fetch or a save may take.
    case patternTooCostly
    /// A variable has no value.
    case unboundVariable
  }
}

extension FetchPredicateError {
  public var description: String {
    guard let position else { return detail }
    let place = excerpt.map { "\n\($0)\n" } ?? " "
    return "The predicate's format, after \(position) characters:\(place)\(detail)"
  }
}

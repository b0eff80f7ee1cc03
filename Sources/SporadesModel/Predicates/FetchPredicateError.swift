// SPDX-License-Identifier: MIT

/// Why a predicate or an order was refused, before anything was fetched.
///
/// ``detail`` names key paths and parts of the language, never values that are compared with.
public struct FetchPredicateError: Error, Hashable, Sendable {
  public let code: Code
  public let detail: String
  /// The number of Unicode scalars before the mistake, where it is one in a format.
  public let position: Int?

  public init(_ code: Code, _ detail: String, position: Int? = nil) {
    self.code = code
    self.detail = detail
    self.position = position
  }

  public enum Code: Hashable, Sendable {
    /// The format is not a sentence of the language.
    case syntax
    /// The format uses a part of the language that no predicate here can express.
    case unsupported
    /// Arguments and placeholders of a format do not fit together.
    case arguments
    /// Conditions or expressions are nested deeper than any honest ones are.
    case tooDeep
    /// The entity has no property of that name.
    case unknownKeyPath
    /// The property is not kept in stores, so they cannot compare it.
    case notStored
    /// The key path goes on after an attribute, or ends in a relationship where a value is needed.
    case notAnAttribute
    /// A key path leads to many objects where one value is needed.
    case needsQuantifier
    /// `ANY`, `ALL` or an aggregate is asked of a key path that does not lead to many objects.
    case notToMany
    /// The two sides cannot be compared with each other in this way.
    case wrongOperands
    /// The pattern is no regular expression.
    case invalidPattern
    /// Matching a regular expression took more steps than a fetch or a save may take.
    case patternTooCostly
    /// A variable was given no value.
    case unboundVariable
  }
}

extension FetchPredicateError: CustomStringConvertible {
  public var description: String {
    position.map { "The predicate's format, after \($0) characters: \(detail)" } ?? detail
  }
}

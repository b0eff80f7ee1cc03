// SPDX-License-Identifier: MIT

/// How the values of an attribute become values of another type.
///
/// A conversion keeps every value: the new type can be changed back, and the old values are there again. A value for
/// which that is impossible stops the migration. Types with no single meaning in each other have no conversion, such as
/// texts and dates.
package enum ValueConversion: Hashable, Sendable {
  /// The stored values stay.
  case same
  /// Whole numbers stay, and must lie in a range.
  case narrowing(ClosedRange<Int64>)
  /// Whole numbers become floating-point numbers, and must be exact.
  case wholeToReal
  /// Floating-point and decimal numbers become whole numbers, and must be whole and lie in a range.
  case realToWhole(ClosedRange<Int64>)
  case wholeToText
  /// Texts become whole numbers, and must be spelled as whole numbers are.
  case textToWhole(ClosedRange<Int64>)
  /// Truth values become `true` and `false`.
  case truthToText
  case textToTruth
  /// Seconds and decimal numbers become floating-point numbers.
  case toReal
  /// A value that only Swift can convert, such as a UUID and its text.
  case spelling(from: AttributeType, to: AttributeType)

  /// Nil if the types have no single meaning in each other.
  package init?(from old: AttributeType, to new: AttributeType) {
    if old == new {
      self = .same
      return
    }
    let found = Self.whole(old, new) ?? Self.real(old, new) ?? Self.text(old, new)
    guard let found else { return nil }
    self = found
  }

  private static func whole(_ old: AttributeType, _ new: AttributeType) -> ValueConversion? {
    switch (old.wholeRange, new.wholeRange) {
    case (let from?, let to?):
      return to.lowerBound <= from.lowerBound && from.upperBound <= to.upperBound
        ? .same : .narrowing(to)
    case (let from?, nil):
      switch new {
      case .double: return .wholeToReal
      // Half of the digits of a larger whole number have no place in a number of 32 bits.
      case .float: return from.upperBound < 1 << 24 ? .wholeToReal : .spelling(from: old, to: new)
      case .decimal: return .same
      case .string: return old == .boolean ? .truthToText : .wholeToText
      default: return nil
      }
    case (nil, let range?):
      switch old {
      case .double, .float, .decimal: return .realToWhole(range)
      case .string: return new == .boolean ? .textToTruth : .textToWhole(range)
      default: return nil
      }
    case (nil, nil): return nil
    }
  }

  private static func real(_ old: AttributeType, _ new: AttributeType) -> ValueConversion? {
    switch (old, new) {
    case (.double, .float): .spelling(from: old, to: new)
    case (.float, .double), (.double, .decimal), (.float, .decimal), (.double, .date): .same
    case (.decimal, .double), (.date, .double): .toReal
    case (.decimal, .float): .spelling(from: old, to: new)
    default: nil
    }
  }

  private static func text(_ old: AttributeType, _ new: AttributeType) -> ValueConversion? {
    switch (old, new) {
    case (.uri, .string): .same
    case (.string, .uri), (.string, .uuid), (.uuid, .string), (.string, .double),
      (.string, .float), (.string, .decimal), (.double, .string), (.float, .string),
      (.decimal, .string):
      .spelling(from: old, to: new)
    default: nil
    }
  }
}

extension AttributeType {
  /// The values of a type of whole numbers; nil for any other type.
  fileprivate var wholeRange: ClosedRange<Int64>? {
    switch self {
    case .boolean: 0...1
    case .integer16, .integer32, .integer64: integerRange
    default: nil
    }
  }
}

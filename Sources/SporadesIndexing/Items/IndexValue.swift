// SPDX-License-Identifier: MIT
public import FoundationEssentials

/// A value of an item in an outside index.
public enum IndexValue: Hashable, Sendable, Codable {
  /// A text.
  case text(String)
  /// Several texts, such as keywords.
  case texts([String])
  /// A whole number.
  case integer(Int64)
  /// A number.
  case number(Double)
  /// Several numbers, such as a vector.
  case numbers([Double])
  /// A truth value.
  case truth(Bool)
  /// A moment.
  case date(Date)
  /// Bytes.
  case data(Data)
}

extension IndexValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// Makes a text of a literal.
  public init(stringLiteral text: String) { self = .text(text) }
  /// Makes a whole number of a literal.
  public init(integerLiteral number: Int64) { self = .integer(number) }
}

extension IndexValue: ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral {
  /// Makes a number of a literal.
  public init(floatLiteral number: Double) { self = .number(number) }
  /// Makes a truth value of a literal.
  public init(booleanLiteral truth: Bool) { self = .truth(truth) }
}

// SPDX-License-Identifier: MIT

/// An operation on two numbers, or on dates and seconds.
public enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
  /// The left number plus the right number. A date plus seconds is a later date.
  case add = "+"
  /// The left number minus the right number. A date minus a date is a number of seconds.
  case subtract = "-"
  /// The left number times the right number.
  case multiply = "*"
  /// The left number divided by the right number.
  case divide = "/"
  /// The rest of the division of the left number by the right number: `modulus:by:(7, 4)`. It has the sign of the
  /// left number.
  case modulus = "%"
  /// The left number raised to the power of the right number: `2 ** 3`.
  case power = "**"
  /// The bits that both whole numbers have.
  case bitwiseAnd = "&"
  /// The bits that one of the whole numbers has.
  case bitwiseOr = "|"
  /// The bits that exactly one of the whole numbers has.
  case bitwiseXor = "^"
  /// The bits of the left whole number, moved left by the right number.
  case shiftLeft = "<<"
  /// The bits of the left whole number, moved right by the right number. The sign stays.
  case shiftRight = ">>"

  /// The name of the operation as a function: `add:to`.
  package var functionName: String {
    switch self {
    case .add: "add:to"
    case .subtract: "from:subtract"
    case .multiply: "multiply:by"
    case .divide: "divide:by"
    case .modulus: "modulus:by"
    case .power: "raise:toPower"
    case .bitwiseAnd: "bitwiseAnd:with"
    case .bitwiseOr: "bitwiseOr:with"
    case .bitwiseXor: "bitwiseXor:with"
    case .shiftLeft: "leftshift:by"
    case .shiftRight: "rightshift:by"
    }
  }
}

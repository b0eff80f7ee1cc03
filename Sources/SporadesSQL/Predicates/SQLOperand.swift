// SPDX-License-Identifier: MIT
import SporadesModel

/// One side of a comparison in SQL.
struct SQLOperand {
  /// The type of a number in memory, which decides how arithmetic goes on with it.
  enum NumberType {
    /// An integer, and a double if it fits none.
    case whole
    case real
    /// The database stores whole decimals as integers, and others as doubles.
    case decimal
  }

  var sql: SQLFragment
  /// The value, if it is known before the statement runs.
  let constant: SQLValue?
  /// The type of the value, if it is a number.
  let number: NumberType
  let isNullable: Bool
  /// A cheaper expression that is null exactly if the value is null.
  var presence: SQLFragment

  init(_ sql: SQLFragment, _ number: NumberType = .whole, isNullable: Bool = true) {
    self.sql = sql
    presence = sql
    constant = nil
    self.number = number
    self.isNullable = isNullable
  }

  init(_ sql: SQLFragment, _ path: KeyPathShape?) {
    self.init(sql, NumberType(path?.attribute?.type))
  }

  init(_ constant: SQLValue, isDecimal: Bool = false) {
    sql = "\(constant)"
    presence = sql
    self.constant = constant
    if isDecimal {
      number = .decimal
    } else if case .real = constant {
      number = .real
    } else {
      number = .whole
    }
    isNullable = constant == .null
  }

  /// The value as a number with a fraction.
  var real: SQLFragment { "CAST(\(sql) AS REAL)" }

  /// The value as the number that memory computes functions of decimals with.
  var plain: SQLFragment { number == .decimal ? real : sql }
}

extension SQLOperand.NumberType {
  init(_ type: AttributeType?) {
    self =
      switch type {
      case .decimal: .decimal
      case .double, .float: .real
      default: .whole
      }
  }

  /// The type of the result of arithmetic.
  static func of(_ left: Self, _ right: Self) -> Self {
    if left == .real || right == .real { return .real }
    return left == .decimal || right == .decimal ? .decimal : .whole
  }
}

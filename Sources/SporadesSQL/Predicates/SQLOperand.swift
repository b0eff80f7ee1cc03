// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// One side of a comparison in SQL.
struct SQLOperand {
  var sql: SQLFragment
  /// The value, if it is known before the statement runs.
  let constant: SQLValue?
  /// The type of the value, if it is a number.
  let number: NumberType
  let isNullable: Bool
  /// A cheaper expression that is null exactly if the value is null.
  var presence: SQLFragment
  /// The number for arithmetic with decimals. Where a double does not keep all digits of a decimal, it is their text
  /// in a blob.
  private(set) var digits: SQLFragment

  init(_ sql: SQLFragment, _ number: NumberType = .whole, isNullable: Bool = true) {
    self.sql = sql
    (presence, digits) = (sql, sql)
    constant = nil
    self.number = number
    self.isNullable = isNullable
  }

  init(_ constant: SQLValue) {
    sql = "\(constant)"
    (presence, digits) = (sql, sql)
    self.constant = constant
    if case .real = constant { number = .real } else { number = .whole }
    isNullable = constant == .null
  }

  /// A constant decimal, which compares as the number that a column holds.
  init(_ constant: Decimal) {
    let value = SQLValue(.decimal(constant))
    sql = "\(value)"
    presence = sql
    digits = constant.isNaN ? sql : "\(DecimalText.stored(constant.description))"
    self.constant = value
    number = .decimal
    isNullable = value == .null
  }

  /// A decimal with both its forms.
  init(decimal sql: SQLFragment, digits: SQLFragment, isNullable: Bool = true) {
    self.init(sql, .decimal, isNullable: isNullable)
    self.digits = digits
  }

  /// A decimal that a function of the store computes with all its digits.
  static func computed(_ digits: SQLFragment, isNullable: Bool = true) -> SQLOperand {
    SQLOperand(
      decimal: "\(sql: SQLFunction.number)(\(digits))", digits: digits, isNullable: isNullable)
  }

  /// The value as a number with a fraction.
  var real: SQLFragment { "CAST(\(sql) AS REAL)" }

  /// The value, for which no index is used.
  var withoutIndex: SQLOperand {
    var operand = SQLOperand("+\(sql)", number, isNullable: isNullable)
    operand.digits = digits
    return operand
  }

  /// The value as the number that memory computes functions of decimals with.
  var plain: SQLFragment { number == .decimal ? real : sql }
}

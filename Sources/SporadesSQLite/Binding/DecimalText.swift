// SPDX-License-Identifier: MIT
import FoundationEssentials

/// The text of a decimal that a database keeps as a floating-point number.
enum DecimalText {
  /// The shortest digits that mean the number, without an exponent.
  static func text(of number: Double) -> String {
    let text = number.description
    if text.hasSuffix(".0") { return String(text.dropLast(2)) }
    guard text.contains("e"), let decimal = Decimal(string: text) else { return text }
    return decimal.description
  }

  /// The digits come back from the number as they are.
  static func isExact(_ number: Double, _ digits: String) -> Bool {
    number.isFinite && Decimal(string: text(of: number)) == Decimal(string: digits)
  }
}

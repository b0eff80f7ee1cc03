// SPDX-License-Identifier: MIT
import FoundationEssentials

/// The text of a decimal, which a database stores as a number or as text.
package enum DecimalText {
  /// The text for NaN, in Core Data and in a row.
  package static let notANumber = "NaN"

  /// The shortest digits for the number, without an exponent; nil if no decimal equals it.
  package static func text(of number: Double) -> String? {
    guard number.isFinite else { return nil }
    let text = number.description
    if text.hasSuffix(".0") { return String(text.dropLast(2)) }
    guard text.contains("e") else { return text }
    return Decimal(string: text)?.description
  }

  /// The digits in a text; nil for any other text.
  package static func text(of stored: UnsafeRawBufferPointer) -> String? {
    unsafe text(of: String(decoding: stored, as: UTF8.self))
  }

  /// The digits in a text; nil for any other text.
  package static func text(of text: String) -> String? {
    if text == notANumber { return text }
    guard isNumber(text.utf8) else { return nil }
    guard text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
      return Decimal(string: text) == nil ? nil : text
    }
    return Decimal(string: text)?.description
  }

  /// Checks the whole text, for example `-12.5e3`. Foundation reads a number from the start of any text, and
  /// 0 from some texts without digits.
  private static func isNumber(_ text: String.UTF8View) -> Bool {
    var rest = text[...]
    func skipSign() {
      if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
        rest = rest.dropFirst()
      }
    }
    func skipDigits() -> Bool {
      let digits = rest.prefix { 48...57 ~= $0 }
      rest = rest.dropFirst(digits.count)
      return !digits.isEmpty
    }
    skipSign()
    guard skipDigits() else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard skipDigits() else { return false }
    }
    if let first = rest.first, first | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      skipSign()
      guard skipDigits() else { return false }
    }
    return rest.isEmpty
  }

  /// The value of a column with the digits. A decimal that a double represents is a number. A decimal with more digits
  /// is text in a blob, which the column's affinity leaves unchanged. `CAST … AS NUMERIC` reads the blob, and so does
  /// Core Data.
  package static func stored(_ digits: String) -> SQLValue {
    if let number = Int64(digits) { return .integer(number) }
    // SQLite would turn NaN into null.
    if digits == notANumber { return .text(digits) }
    if let number = Double(digits), digits.utf8.count <= 16 || isExact(number, digits) {
      return .real(number)
    }
    return .blob(Array(digits.utf8))
  }

  /// Whether the number converts back to the same digits.
  private static func isExact(_ number: Double, _ digits: String) -> Bool {
    guard let text = text(of: number) else { return false }
    return Decimal(string: text) == Decimal(string: digits)
  }
}

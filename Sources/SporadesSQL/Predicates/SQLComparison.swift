// SPDX-License-Identifier: MIT
import SporadesModel

/// Comparisons that treat nulls as Swift does. A comparison that SQL calls unknown selects no row, like a false
/// one. The opposite of each comparison accepts nulls explicitly.
enum SQLComparison {
  /// `a = 1`, and its opposite `(a <> 1 OR a IS NULL)`
  static func equal(_ left: SQLOperand, _ right: SQLOperand, _ expected: Bool) -> SQLFragment {
    if right.constant == .null { return isNull(left, expected) }
    if left.constant == .null { return isNull(right, expected) }
    if left.isNullable && right.isNullable {
      return "\(left.sql) \(expected ? SQLSameness.same : .different) \(right.sql)"
    }
    if expected { return "\(left.sql) = \(right.sql)" }
    return orNull("\(left.sql) <> \(right.sql)", [left, right])
  }

  private static func isNull(_ operand: SQLOperand, _ expected: Bool) -> SQLFragment {
    guard operand.constant == nil else {
      return PredicateCompiler.constant((operand.constant == .null) == expected)
    }
    guard operand.isNullable else { return PredicateCompiler.constant(!expected) }
    return expected ? "\(operand.presence) IS NULL" : "\(operand.presence) IS NOT NULL"
  }

  /// The condition, or a null operand.
  private static func orNull(_ condition: SQLFragment, _ operands: [SQLOperand]) -> SQLFragment {
    let nullable = operands.filter(\.isNullable).map { "\($0.presence) IS NULL" as SQLFragment }
    return PredicateCompiler.join([condition] + nullable, every: false)
  }

  /// `a < 1`, and its opposite `(a >= 1 OR a IS NULL)`
  static func ordered(
    _ left: SQLOperand, _ comparator: FetchPredicate.Comparator, _ right: SQLOperand,
    _ expected: Bool
  ) -> SQLFragment {
    if left.constant == .null || right.constant == .null {
      return PredicateCompiler.constant(!expected)
    }
    let (sign, opposite) =
      switch comparator {
      case .less: ("<", ">=")
      case .lessOrEqual: ("<=", ">")
      case .greater: (">", "<=")
      default: (">=", "<")
      }
    if expected { return "\(left.sql) \(sql: sign) \(right.sql)" }
    return orNull("\(left.sql) \(sql: opposite) \(right.sql)", [left, right])
  }

  // MARK: - Membership

  /// A longer list is bound as a single value, so that lists of any length share one statement.
  private static let longestList = 16

  static func isIn(
    _ left: SQLOperand, _ values: [SQLValue], _ expected: Bool,
    writtenAs written: SQLFragment? = nil
  ) -> SQLFragment {
    let present = values.filter { $0 != .null }
    let hasNull = present.count < values.count
    let null: SQLFragment? = hasNull ? isNull(left, expected) : nil
    guard !present.isEmpty else { return null ?? PredicateCompiler.constant(!expected) }
    let set = written ?? list(present)
    if expected {
      return PredicateCompiler.join(
        ["\(left.sql) IN (\(set))"] + (null.map { [$0] } ?? []), every: false)
    }
    let outside: SQLFragment = "\(left.sql) NOT IN (\(set))"
    return hasNull ? "(\(outside) AND \(null ?? "1=1"))" : orNull(outside, [left])
  }

  private static func list(_ values: [SQLValue]) -> SQLFragment {
    if values.count > longestList, let json = SQLJSON.array(values) {
      return "SELECT value FROM json_each(\(.text(json)))"
    }
    // SQLite binds at most 32,766 values. It also accepts blobs as literals in the text.
    if values.count > 30_000 {
      return values.map { value in
        guard case .blob(let bytes) = value else { return "\(value)" }
        return "\(sql: SQLJSON.literal(bytes))"
      }.joined(by: ", ")
    }
    return values.map { "\($0)" as SQLFragment }.joined(by: ", ")
  }

  // MARK: - Text

  static func text(
    _ left: SQLOperand, _ comparator: FetchPredicate.Comparator, _ right: SQLOperand,
    _ options: FetchPredicate.TextOptions, _ expected: Bool, place function: String
  ) -> SQLFragment {
    if left.constant == .null || right.constant == .null {
      return PredicateCompiler.constant(!expected)
    }
    let sides = [left, right]
    switch comparator {
    case .like, .matches:
      let function = comparator == .like ? SQLFunction.like : SQLFunction.matches
      let number = String(options.rawValue)
      return
        "\(sql: function)(\(left.sql), \(right.sql), \(sql: number)) = \(sql: expected ? "1" : "0")"
    case .contains:
      let place: SQLFragment = "\(sql: function)(\(left.sql), \(right.sql))"
      return expected ? "\(place) > 0" : orNull("\(place) = 0", sides)
    case .beginsWith:
      if let bounds = prefixBounds(right) { return within(left, bounds, expected) }
      let place: SQLFragment = "\(sql: function)(\(left.sql), \(right.sql))"
      return expected ? "\(place) = 1" : orNull("\(place) <> 1", sides)
    default:
      if right.constant == .text("") { return isNull(left, !expected) }
      // Bytes, because the length of a text ends at its first NUL. A part of no bytes is nil.
      let suffix: SQLFragment = "CAST(\(right.sql) AS BLOB)"
      let end: SQLFragment =
        "ifnull(substr(CAST(\(left.sql) AS BLOB), -length(\(suffix))), x'')"
      let holds: SQLFragment = "(\(end) = \(suffix) OR length(\(suffix)) = 0)"
      if expected { return "(\(holds) AND \(left.sql) IS NOT NULL)" }
      return orNull("(\(end) <> \(suffix) AND length(\(suffix)) > 0)", sides)
    }
  }

  /// Texts with a prefix lie between the prefix and the next possible text after all of them, so that an
  /// index finds them: `a >= 'Jo' AND a < 'Jp'`
  private static func prefixBounds(_ prefix: SQLOperand) -> (SQLOperand, SQLOperand)? {
    guard case .text(let text)? = prefix.constant, !text.isEmpty else { return nil }
    var scalars = Array(text.unicodeScalars)
    while let last = scalars.popLast() {
      // Surrogates are no Unicode scalars.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var end = String.UnicodeScalarView(scalars)
      end.append(scalar)
      return (prefix, SQLOperand(.text(String(end))))
    }
    return nil
  }

  private static func within(
    _ operand: SQLOperand, _ bounds: (SQLOperand, SQLOperand), _ expected: Bool
  ) -> SQLFragment {
    PredicateCompiler.join(
      [
        ordered(operand, .greaterOrEqual, bounds.0, expected),
        ordered(operand, .less, bounds.1, expected),
      ], every: expected)
  }
}

/// Values as literals in a single text.
enum SQLJSON {
  /// Nil if JSON cannot spell a value exactly.
  static func array(_ values: [SQLValue]) -> String? {
    var bytes = [UInt8(ascii: "[")]
    bytes.reserveCapacity(values.count * 16)
    for value in values {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      switch value {
      case .integer(let number): bytes += String(number).utf8
      case .text(let string):
        guard appendQuoted(string, to: &bytes) else { return nil }
      case .null, .real, .blob: return nil
      }
    }
    bytes.append(UInt8(ascii: "]"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns false if the text has a character that ends texts in SQLite.
  private static func appendQuoted(_ string: String, to bytes: inout [UInt8]) -> Bool {
    let quote = UInt8(ascii: "\"")
    let backslash = UInt8(ascii: "\\")
    bytes.append(quote)
    if string.utf8.allSatisfy({ $0 >= 0x20 && $0 != quote && $0 != backslash }) {
      bytes.append(contentsOf: string.utf8)
    } else {
      for byte in string.utf8 {
        switch byte {
        case 0: return false
        case quote, backslash: bytes += [backslash, byte]
        case 1..<0x20: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
        default: bytes.append(byte)
        }
      }
    }
    bytes.append(quote)
    return true
  }

  /// `x'00ff'`
  static func literal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    var text = "x'"
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text + "'"
  }
}

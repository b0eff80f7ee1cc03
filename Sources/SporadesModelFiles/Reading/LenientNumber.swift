// SPDX-License-Identifier: MIT

/// Numbers and truth values as Apple's strings read them from any text: as much of its beginning as is
/// one, and 0 or NO where nothing is.
enum LenientNumber {
  /// The whole number a text begins with: 12 of `12px`, 1 of `1.9`, 0 of `NO`. Numbers that are too large
  /// become the largest.
  static func integer(_ text: String) -> Int64 {
    let trimmed = text.drop { $0.isWhitespace }
    let isNegative = trimmed.first == "-"
    let digits = unsigned(trimmed).prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return 0 }
    return Int64((isNegative ? "-" : "") + digits) ?? (isNegative ? .min : .max)
  }

  /// The number a text begins with: 1 of `1,5`, 0 of `nan`.
  static func double(_ text: String) -> Double {
    guard let number = decimalPrefix(text).flatMap({ Double($0) }), number.isFinite else {
      return 0
    }
    return number
  }

  /// The decimal number a text begins with, as text; nil where it begins with none.
  static func decimalPrefix(_ text: String) -> String? {
    let trimmed = text.drop { $0.isWhitespace }
    let number = unsigned(trimmed)
    let whole = number.prefix { $0.isASCII && $0.isNumber }
    var end = whole.endIndex
    if end < number.endIndex, number[end] == "." {
      let rest = number[number.index(after: end)...].prefix { $0.isASCII && $0.isNumber }
      if !rest.isEmpty { end = rest.endIndex }
    }
    guard end > number.startIndex else { return nil }
    return (trimmed.first == "-" ? "-" : "") + (whole.isEmpty ? "0" : "") + number[..<end]
  }

  /// YES where the text begins, after spaces, a sign and zeros, with Y, T or a digit from 1 to 9.
  static func truth(_ text: String) -> Bool {
    let rest = unsigned(text.drop { $0.isWhitespace }).drop { $0 == "0" }
    guard let first = rest.first else { return false }
    return "YyTt123456789".contains(first)
  }

  private static func unsigned(_ text: Substring) -> Substring {
    text.first == "-" || text.first == "+" ? text.dropFirst() : text
  }
}

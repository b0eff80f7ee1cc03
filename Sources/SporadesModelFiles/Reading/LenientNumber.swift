// SPDX-License-Identifier: MIT

/// Reads numbers and truth values from any text, by the rules of Apple's strings.
///
/// A number is the longest beginning of the text that is a number. A text without such a beginning gives 0
/// or NO.
enum LenientNumber {
  /// Reads the whole number at the beginning: 12 of `12px`, 1 of `1.9`, 0 of `NO`. A number that is too
  /// large becomes the largest number.
  static func integer(_ text: String) -> Int64 {
    let trimmed = text.drop { $0.isWhitespace }
    let isNegative = trimmed.first == "-"
    let digits = unsigned(trimmed).prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return 0 }
    return Int64((isNegative ? "-" : "") + digits) ?? (isNegative ? .min : .max)
  }

  /// Reads the number at the beginning: 1 of `1,5`, 0 of `nan`.
  static func double(_ text: String) -> Double {
    guard let number = decimalPrefix(text).flatMap({ Double($0) }), number.isFinite else {
      return 0
    }
    return number
  }

  /// Takes the decimal number at the beginning, as text; nil if there is none.
  static func decimalPrefix(_ text: String) -> String? {
    let trimmed = text.drop { $0.isWhitespace }
    let number = unsigned(trimmed)
    let whole = number.prefix { $0.isASCII && $0.isNumber }
    var end = whole.endIndex
    if end < number.endIndex, number[end] == "." {
      let fraction = number[number.index(after: end)...].prefix { $0.isASCII && $0.isNumber }
      if !fraction.isEmpty { end = fraction.endIndex }
    }
    guard end > number.startIndex else { return nil }
    return (trimmed.first == "-" ? "-" : "") + (whole.isEmpty ? "0" : "") + number[..<end]
  }

  /// Reads a truth value: YES if Y, T or a digit from 1 to 9 follows after spaces, a sign and zeros.
  static func truth(_ text: String) -> Bool {
    let digits = unsigned(text.drop { $0.isWhitespace }).drop { $0 == "0" }
    guard let first = digits.first else { return false }
    return "YyTt123456789".contains(first)
  }

  private static func unsigned(_ text: Substring) -> Substring {
    text.first == "-" || text.first == "+" ? text.dropFirst() : text
  }
}

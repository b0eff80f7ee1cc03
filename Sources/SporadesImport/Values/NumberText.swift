// SPDX-License-Identifier: MIT
import FoundationEssentials

/// Numbers as texts, in the form that JSON gives them.
enum NumberText {
  /// The whole number of a text with digits alone; nil if there are other characters, or if 64 bits can not hold it.
  static func integer(_ text: ArraySlice<UInt8>) -> Int64? {
    guard let first = text.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    let digits = isNegative || first == UInt8(ascii: "+") ? text.dropFirst() : text
    guard !digits.isEmpty else { return nil }
    var number: Int64 = 0
    for byte in digits {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      let (scaled, isOver) = number.multipliedReportingOverflow(by: 10)
      // Counting down reaches the smallest number, which counting up does not.
      let (next, isUnder) = scaled.subtractingReportingOverflow(Int64(digit))
      if isOver || isUnder { return nil }
      number = next
    }
    if isNegative { return number }
    return number == .min ? nil : -number
  }

  /// The double that is next to a number; nil if the text is no number, or if it is too large for a double.
  static func double(_ text: ArraySlice<UInt8>) -> Double? {
    guard let parts = parts(text) else { return nil }
    if parts.mantissa <= 1 << 53, abs(parts.exponent) <= 22, parts.isWhole {
      // Both operands are exact, so the result is the nearest double.
      let power = powers[abs(parts.exponent)]
      let number =
        parts.exponent < 0 ? Double(parts.mantissa) / power : Double(parts.mantissa) * power
      return parts.isNegative ? -number : number
    }
    let number = Double(String(decoding: text, as: UTF8.self))
    return number?.isFinite == true ? number : nil
  }

  /// The infinite number of a text; nil for every other text. Neither JSON nor CSV has such a number.
  static func infinity(_ text: ArraySlice<UInt8>) -> Double? {
    if text.elementsEqual("Infinity".utf8) { return .infinity }
    return text.elementsEqual("-Infinity".utf8) ? -.infinity : nil
  }

  /// The decimal of a number; nil if the text is no number, or has more digits or a larger exponent than a decimal
  /// can hold.
  static func decimal(_ text: ArraySlice<UInt8>) -> Decimal? {
    guard let parts = parts(text) else { return nil }
    let digits = parts.digits - parts.zeros
    // A decimal holds most numbers of 39 digits not, and rounds these without a word.
    guard digits <= 39, digits == 0 || (-127...127).contains(parts.exponent + parts.zeros) else {
      return nil
    }
    let text = String(decoding: text, as: UTF8.self)
    let decimal = Decimal(string: text)
    return digits <= 38 || decimal?.description == text ? decimal : nil
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  private struct Parts {
    var isNegative = false
    var mantissa: UInt64 = 0
    /// The mantissa holds all digits.
    var isWhole = true
    /// The number of digits from the first that is not zero.
    var digits = 0
    /// The number of zeros among these behind the last one that is not zero.
    var zeros = 0
    /// The power of ten that the mantissa is multiplied with.
    var exponent = 0

    mutating func take(_ digit: UInt8) {
      guard digits > 0 || digit > 0 else { return }
      digits += 1
      zeros = digit > 0 ? 0 : zeros + 1
      if digits <= 19 { mantissa = mantissa &* 10 &+ UInt64(digit) } else { isWhole = false }
    }
  }

  /// The parts of a number; nil if the text is none.
  private static func parts(_ text: ArraySlice<UInt8>) -> Parts? {
    var parts = Parts()
    var place = text.startIndex
    func digit() -> UInt8? {
      guard place < text.endIndex, text[place] &- UInt8(ascii: "0") < 10 else { return nil }
      return text[place] - UInt8(ascii: "0")
    }
    func take(_ letter: UInt8) -> Bool {
      guard place < text.endIndex, text[place] == letter else { return false }
      place += 1
      return true
    }
    parts.isNegative = take(UInt8(ascii: "-"))
    if !parts.isNegative { _ = take(UInt8(ascii: "+")) }
    let start = place
    while let next = digit() {
      parts.take(next)
      place += 1
    }
    var count = place - start
    if take(UInt8(ascii: ".")) {
      while let next = digit() {
        parts.take(next)
        parts.exponent -= 1
        place += 1
        count += 1
      }
    }
    guard count > 0 else { return nil }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      let sign = take(UInt8(ascii: "-")) ? -1 : 1
      if sign > 0 { _ = take(UInt8(ascii: "+")) }
      guard digit() != nil else { return nil }
      var exponent = 0
      while let next = digit() {
        exponent = min(exponent * 10 + Int(next), 100_000)
        place += 1
      }
      parts.exponent += sign * exponent
    }
    return place == text.endIndex ? parts : nil
  }
}

// SPDX-License-Identifier: MIT

/// The widths of texts in a sans-serif font, by a table of its characters.
///
/// Nobody knows the font of the reader. The table is that of Helvetica, and a factor leaves room for wider fonts.
enum TextMeasure {
  private static let allowance = 1.12
  private static let boldAllowance = 1.12

  /// The width of a text in a size, in points.
  static func width(_ text: String, size: Double, isBold: Bool = false) -> Double {
    let thousandths = text.reduce(0) { $0 + width(of: $1) }
    return Double(thousandths) * size / 1_000 * allowance * (isBold ? boldAllowance : 1)
  }

  /// The beginning of a text that fits into a width, with a sign of what is missing.
  static func shortened(_ text: String, to limit: Double, size: Double, isBold: Bool = false)
    -> String
  {
    guard width(text, size: size, isBold: isBold) > limit else { return text }
    var shown = ""
    var used = width("…", size: size, isBold: isBold)
    for character in text {
      used += width(String(character), size: size, isBold: isBold)
      guard used <= limit else { break }
      shown.append(character)
    }
    return shown + "…"
  }

  private static func width(of character: Character) -> Int {
    if let value = character.asciiValue, value >= 32, value < 127 { return widths[Int(value) - 32] }
    switch DisplayWidth.of(character) {
    case 0: return 0
    case 2: return 1_000
    default: return 640
    }
  }

  /// Thousandths of the size, from the blank to the tilde.
  private static let widths = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
  ]
}

// SPDX-License-Identifier: MIT

// Formats that a refused date may have, for the sentence that leads to the right one.
extension ImportDateFormat {
  /// Numbers that are no seconds of a year with four digits, whose last one ends at 2.5e11. From the upper bound on, they
  /// are dates that an export could not write as texts.
  private static let milliseconds = 2.6e11..<3e13

  /// The words about a number that counts milliseconds where nobody said so; nil if it is a date.
  func describeWrongUnit(of number: Double) -> String? {
    switch self {
    case .secondsSince1970, .millisecondsSince1970, .secondsSinceReferenceDate: nil
    case .iso8601, .pattern:
      Self.milliseconds.contains(number.magnitude)
        ? "are seconds of a year beyond 9999. If they are milliseconds, name the format: dates(.millisecondsSince1970)."
        : nil
    }
  }

  /// The words that name a format which fits a text; empty if none of the usual ones does.
  static func example(for text: ArraySlice<UInt8>) -> String {
    if let number = NumberText.double(text) {
      let unit = milliseconds.contains(number.magnitude) ? "milliseconds" : "seconds"
      return ": dates(.\(unit)Since1970)"
    }
    let found = usual.filter { $0.parse(text) != nil }.map(\.text.debugDescription)
    return found.isEmpty
      ? ", as in dates(.pattern(\"dd.MM.yyyy\"))"
      : ": " + found.map { "dates(.pattern(\($0)))" }.joined(separator: " or ")
  }

  /// The orders of day, month and year that spreadsheets write, with and without a time.
  private static let usual: [DatePattern] = ["", " HH:mm", " HH:mm:ss"].flatMap { time in
    ["dd.MM.yyyy", "dd/MM/yyyy", "MM/dd/yyyy", "yyyy/MM/dd", "dd-MM-yyyy"].compactMap { date in
      // `try?`, because every letter of these patterns has a meaning.
      try? DatePattern(date + time)
    }
  }
}

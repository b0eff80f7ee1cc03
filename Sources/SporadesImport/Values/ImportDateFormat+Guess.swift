// SPDX-License-Identifier: MIT

// Formats that a refused date may have, for the sentence that leads to the right one.
extension ImportDateFormat {
  /// Milliseconds reach the year 9999 here, in any of the formats.
  private static let lastMilliseconds = 2.6e14

  /// The words that lead from a number beyond the years that dates may have to its unit.
  func describeUnit(of number: ArraySlice<UInt8>) -> String {
    let isCoarse = (NumberText.double(number) ?? .infinity).magnitude < Self.lastMilliseconds
    return isCoarse && self != .millisecondsSince1970
      ? "If it counts milliseconds, name the format: dates(.millisecondsSince1970)."
      : "If it counts microseconds or nanoseconds, divide it in a closure of key(_:to:)."
  }

  /// The words that name a format which fits a text; empty if none of the usual ones does.
  static func example(for text: ArraySlice<UInt8>) -> String {
    if let number = NumberText.double(text) {
      return number.magnitude < 2.6e11
        ? ": dates(.secondsSince1970)" : ": dates(.millisecondsSince1970)"
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

// SPDX-License-Identifier: MIT

/// Writes dates in the format in which an import reads them.
struct DatePrinter: Sendable {
  private let format: ImportDateFormat
  private let pattern: DatePattern?

  init(_ format: ImportDateFormat) throws(CoercionRefusal) {
    self.format = format
    if case .pattern(let text) = format { pattern = try DatePattern(text) } else { pattern = nil }
  }

  /// The date is written as a number.
  var isNumber: Bool {
    switch format {
    case .iso8601, .pattern: false
    case .secondsSince1970, .millisecondsSince1970, .secondsSinceReferenceDate: true
    }
  }

  /// Appends a date, which is given in seconds since 2001.
  func append(_ seconds: Double, to bytes: inout [UInt8]) {
    switch format {
    case .iso8601: DateText.append(seconds, to: &bytes)
    case .pattern: pattern?.append(seconds, to: &bytes)
    case .secondsSinceReferenceDate: append(number: seconds, &bytes)
    case .secondsSince1970: append(number: seconds + Double(CivilTime.referenceSeconds), &bytes)
    case .millisecondsSince1970:
      append(number: (seconds + Double(CivilTime.referenceSeconds)) * 1000, &bytes)
    }
  }

  private func append(number: Double, _ bytes: inout [UInt8]) {
    if let whole = Int64(exactly: number) {
      bytes.append(contentsOf: "\(whole)".utf8)
    } else {
      bytes.append(contentsOf: "\(number)".utf8)
    }
  }
}

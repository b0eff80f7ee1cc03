// SPDX-License-Identifier: MIT

// Values in the form in which an import with the same format reads them.
extension Coercion {
  /// The date is written as a number.
  var writesNumber: Bool {
    switch dates {
    case .iso8601, .pattern: false
    case .secondsSince1970, .millisecondsSince1970, .secondsSinceReferenceDate: true
    }
  }

  /// The date is written in characters that a pattern names, which may be any.
  var writesPattern: Bool { pattern != nil }

  /// Appends a date, which is given in seconds since 2001. False if an import would not read the same date.
  func append(date seconds: Double, to bytes: inout [UInt8]) -> Bool {
    switch dates {
    case .iso8601:
      guard DateText.canHold(seconds) else { return false }
      DateText.append(seconds, to: &bytes)
      return true
    case .pattern: return pattern?.append(seconds, to: &bytes) ?? false
    case .secondsSince1970, .millisecondsSince1970, .secondsSinceReferenceDate:
      guard DateNumber.years.contains(seconds) else { return false }
      DateNumber.append(seconds, dates, &bytes)
      return true
    }
  }
}

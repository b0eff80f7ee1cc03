// SPDX-License-Identifier: MIT

/// A date and a time of the Gregorian calendar, in UTC.
struct CivilTime {
  var year = 1970
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  /// The digits behind the second's point as a number.
  var fraction = 0
  /// The number of these digits.
  var fractionDigits = 0
  /// The zone's distance from UTC in seconds.
  var offset = 0

  /// The seconds between 1970 and 2001.
  static let referenceSeconds = 978_307_200

  /// Whether every part lies in its range. A second of 60 counts as the next minute.
  var isValid: Bool {
    (1...12).contains(month) && (1...Self.days(of: month, year)).contains(day)
      && (0...23).contains(hour) && (0...59).contains(minute) && (0...60).contains(second)
      && (-999_999...999_999).contains(year) && abs(offset) <= 18 * 3600
  }

  private static func days(of month: Int, _ year: Int) -> Int {
    guard month == 2 else { return [4, 6, 9, 11].contains(month) ? 30 : 31 }
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  }

  /// The whole seconds since 2001.
  var wholeSeconds: Int {
    daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset - Self.referenceSeconds
  }

  /// The seconds since 2001: the double that is next to the digits.
  var secondsSinceReferenceDate: Double {
    guard fractionDigits > 0 else { return Double(wholeSeconds) }
    let scale = Self.powers[fractionDigits]
    let (scaled, isOver) = wholeSeconds.multipliedReportingOverflow(by: Int(scale))
    let total = scaled &+ fraction
    // Both operands are exact, so the quotient is the nearest double.
    if !isOver, abs(total) <= 1 << 53 { return Double(total) / scale }
    return Double(wholeSeconds) + Double(fraction) / scale
  }

  static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

  /// The days since 1970, counted in years that begin in March.
  private var daysSince1970: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Makes the time that lies some whole seconds after 2001.
  init(wholeSeconds: Int) {
    let total = wholeSeconds + Self.referenceSeconds
    let days = total >= 0 ? total / 86_400 : (total - 86_399) / 86_400
    let rest = total - days * 86_400
    (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * part + 2) / 5 + 1
    month = part < 10 ? part + 3 : part - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  init() {}
}

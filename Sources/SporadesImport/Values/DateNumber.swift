// SPDX-License-Identifier: MIT

/// Dates as numbers of seconds or milliseconds.
///
/// A double of the seconds since 1970 is coarser than one of the seconds since 2001. So the digits are shifted as digits.
enum DateNumber {
  /// The seconds since 2001 that begin with the year -9999 and end with the year 9999. A number beyond them counts another
  /// unit, or is no date.
  static let years: Range<Double> = -378_683_424_000..<252_423_993_600

  /// The seconds since 2001 of a number; nil if the text is no number.
  static func parse(_ text: ArraySlice<UInt8>, _ format: ImportDateFormat) -> Double? {
    let (perSecond, reference) = format.unit
    guard let (whole, fraction, digits) = parts(text) else {
      return NumberText.double(text).map { $0 / Double(perSecond) - Double(reference) }
    }
    let (units, isTooEarly) = whole.subtractingReportingOverflow(reference * perSecond)
    if isTooEarly { return Double(whole) }
    let scale = Int(CivilTime.powers[digits])
    let (scaled, isOver) = units.multipliedReportingOverflow(by: scale)
    let (total, isLarge) = scaled.addingReportingOverflow(fraction)
    // Both operands are exact, so the quotient is the nearest double.
    if !isOver, !isLarge, total.magnitude <= 1 << 53 {
      return Double(total) / Double(scale * perSecond)
    }
    let (seconds, rest) = units.quotientAndRemainder(dividingBy: perSecond)
    return Double(seconds) + (Double(rest) + Double(fraction) / Double(scale)) / Double(perSecond)
  }

  /// The whole part of a number without an exponent, its fraction, and the number of digits of this; nil if these are
  /// more than nine, or if 64 bits can not hold the whole part.
  private static func parts(_ text: ArraySlice<UInt8>) -> (Int, fraction: Int, digits: Int)? {
    guard let point = text.firstIndex(of: UInt8(ascii: ".")) else {
      return NumberText.integer(text).map { (Int($0), 0, 0) }
    }
    let digits = text[(point + 1)...]
    guard digits.count <= 9, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
      let whole = NumberText.integer(text[..<point]), let fraction = NumberText.integer(digits)
    else { return nil }
    let isNegative = text.first == UInt8(ascii: "-")
    return (Int(whole), isNegative ? -Int(fraction) : Int(fraction), digits.count)
  }

  /// Appends a date, which is given in seconds since 2001, to the nanosecond.
  static func append(_ seconds: Double, _ format: ImportDateFormat, _ bytes: inout [UInt8]) {
    let unit = format.unit
    guard unit.reference != 0 else {
      if let whole = Int64(exactly: seconds) { return JSONText.append(whole, to: &bytes) }
      return bytes.append(contentsOf: "\(seconds)".utf8)
    }
    var (whole, fraction, digits) = DateText.split(seconds)
    whole += unit.reference
    if whole < 0 {
      bytes.append(UInt8(ascii: "-"))
      if fraction > 0 { (whole, fraction) = (whole + 1, Int(CivilTime.powers[digits]) - fraction) }
      whole = -whole
    }
    if unit.perSecond > 1 {
      if digits < 3 {
        (fraction, digits) = (fraction * Int(CivilTime.powers[3 - digits]), 3)
      }
      digits -= 3
      let (thousandths, rest) = fraction.quotientAndRemainder(
        dividingBy: Int(CivilTime.powers[digits]))
      (whole, fraction) = (whole * 1000 + thousandths, rest)
    }
    JSONText.append(UInt64(whole), width: 1, to: &bytes)
    guard fraction > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    JSONText.append(UInt64(fraction), width: digits, to: &bytes)
  }
}

extension ImportDateFormat {
  /// The number of units in a second, and the seconds from the beginning of the count to 2001.
  fileprivate var unit: (perSecond: Int, reference: Int) {
    switch self {
    case .secondsSinceReferenceDate: (1, 0)
    case .millisecondsSince1970: (1000, CivilTime.referenceSeconds)
    case .secondsSince1970, .iso8601, .pattern: (1, CivilTime.referenceSeconds)
    }
  }
}

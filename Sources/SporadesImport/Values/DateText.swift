// SPDX-License-Identifier: MIT

/// Dates as texts of ISO 8601.
package enum DateText {
  /// The seconds since 2001 of a text; nil if it is no date.
  static func parse(_ text: ArraySlice<UInt8>) -> Double? {
    var reader = DigitReader(text)
    var time = CivilTime()
    let sign = reader.take(UInt8(ascii: "-")) ? -1 : reader.take(UInt8(ascii: "+")) ? 1 : 0
    guard let year = reader.number(sign == 0 ? 4...4 : 4...6) else { return nil }
    time.year = sign < 0 ? -year : year
    let hasDashes = reader.take(UInt8(ascii: "-"))
    guard let month = reader.number(2...2), !hasDashes || reader.take(UInt8(ascii: "-")),
      let day = reader.number(2...2)
    else { return nil }
    (time.month, time.day) = (month, day)
    if !reader.isAtEnd {
      guard
        reader.take(UInt8(ascii: "T")) || reader.take(UInt8(ascii: "t"))
          || reader.take(UInt8(ascii: " ")), readTime(&reader, &time)
      else { return nil }
    }
    guard reader.isAtEnd, time.isValid else { return nil }
    return time.secondsSinceReferenceDate
  }

  private static func readTime(_ reader: inout DigitReader, _ time: inout CivilTime) -> Bool {
    guard let hour = reader.number(2...2) else { return false }
    time.hour = hour
    let hasColons = reader.take(UInt8(ascii: ":"))
    if let minute = reader.number(2...2) {
      time.minute = minute
      if !hasColons || reader.take(UInt8(ascii: ":")), let second = reader.number(2...2) {
        time.second = second
        if reader.take(UInt8(ascii: ".")) || reader.take(UInt8(ascii: ",")) {
          guard reader.readFraction(&time) else { return false }
        }
      }
    } else if hasColons {
      return false
    }
    return reader.readZone(&time)
  }

  /// Whether a date, which is given in seconds since 2001, has a year of at most six digits. No other one has a text.
  package static func canHold(_ seconds: Double) -> Bool { abs(seconds) < 3e13 }

  /// Appends the text of a date that ``canHold(_:)`` accepts: in UTC, with as many digits behind the second as the date
  /// needs.
  package static func append(_ seconds: Double, to bytes: inout [UInt8]) {
    let (wholeSeconds, fraction, digits) = split(seconds)
    let time = CivilTime(wholeSeconds: wholeSeconds)
    if time.year < 0 || time.year > 9999 {
      bytes.append(time.year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
      JSONText.append(UInt64(abs(time.year)), width: 6, to: &bytes)
    } else {
      JSONText.append(UInt64(time.year), width: 4, to: &bytes)
    }
    append("-", time.month, &bytes)
    append("-", time.day, &bytes)
    append("T", time.hour, &bytes)
    append(":", time.minute, &bytes)
    append(":", time.second, &bytes)
    if digits > 0 {
      bytes.append(UInt8(ascii: "."))
      JSONText.append(UInt64(fraction), width: digits, to: &bytes)
    }
    bytes.append(UInt8(ascii: "Z"))
  }

  /// The whole seconds, and the fewest digits behind them that give the same double again.
  ///
  /// Nine digits do so for every date but those some weeks around 2001 with parts of nanoseconds.
  static func split(_ seconds: Double) -> (whole: Int, fraction: Int, digits: Int) {
    let down = seconds.rounded(.down)
    if down == seconds { return (Int(down), 0, 0) }
    for digits in 1...9 {
      let scale = CivilTime.powers[digits]
      let scaled = (seconds * scale).rounded()
      guard abs(scaled) <= 9_007_199_254_740_992 else { break }
      guard scaled / scale == seconds else { continue }
      let (whole, fraction) = Int(scaled).quotientAndRemainder(dividingBy: Int(scale))
      return fraction < 0 ? (whole - 1, fraction + Int(scale), digits) : (whole, fraction, digits)
    }
    let fraction = Int(((seconds - down) * 1e9).rounded())
    return fraction == 1_000_000_000 ? (Int(down) + 1, 0, 9) : (Int(down), fraction, 9)
  }

  /// Appends a mark and a number of two digits.
  private static func append(_ mark: Unicode.Scalar, _ number: Int, _ bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: mark))
    bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}

/// Reads numbers of fixed width out of a text.
struct DigitReader {
  private let text: ArraySlice<UInt8>
  private(set) var place: Int

  init(_ text: ArraySlice<UInt8>) {
    self.text = text
    place = text.startIndex
  }

  var isAtEnd: Bool { place == text.endIndex }
  /// The next byte; nil at the end.
  var next: UInt8? { isAtEnd ? nil : text[place] }

  /// Passes over a byte, if it is the next one.
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  /// Passes over a byte of any kind.
  mutating func skip() { place += 1 }

  /// Reads a number with as many digits; nil, and nothing is read, if there are fewer.
  mutating func number(_ width: ClosedRange<Int>) -> Int? {
    var (number, index) = (0, place)
    while index < text.endIndex, index - place < width.upperBound,
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index])
    {
      number = number * 10 + Int(text[index] - UInt8(ascii: "0"))
      index += 1
    }
    guard index - place >= width.lowerBound else { return nil }
    place = index
    return number
  }

  /// Reads the digits behind a second's point. Those behind the ninth do not count.
  mutating func readFraction(_ time: inout CivilTime) -> Bool {
    let start = place
    guard let fraction = number(1...9) else { return false }
    time.fraction = fraction
    time.fractionDigits = place - start
    while number(1...1) != nil {}
    return true
  }

  /// Reads `Z`, `+01`, `+0130`, `+01:30`, `GMT`, `UTC`, or nothing.
  mutating func readZone(_ time: inout CivilTime) -> Bool {
    if isAtEnd || take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return true }
    for name in ["GMT", "UTC"] where text[place...].starts(with: name.utf8) {
      place += 3
      if isAtEnd { return true }
    }
    let isNegative = take(UInt8(ascii: "-"))
    guard isNegative || take(UInt8(ascii: "+")), let hours = number(2...2) else { return false }
    _ = take(UInt8(ascii: ":"))
    let minutes = number(2...2) ?? 0
    guard minutes < 60 else { return false }
    time.offset = (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
    return true
  }
}

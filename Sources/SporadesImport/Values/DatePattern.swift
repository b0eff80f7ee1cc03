// SPDX-License-Identifier: MIT

/// A pattern of dates in the letters of Unicode, for the parts that inputs have: years, months, days, hours, minutes,
/// seconds, fractions, halves of days, names of months and days in English, and zones.
struct DatePattern: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case literal(UInt8)
    case field(Character, count: Int)
  }

  private let parts: [Part]
  /// The pattern as it was written.
  let text: String

  /// Reads a pattern. It throws the sentence about a letter that has no meaning here.
  init(_ text: String) throws(CoercionRefusal) {
    self.text = text
    var parts: [Part] = []
    var isQuoted = false
    var characters = Array(text)[...]
    while let character = characters.popFirst() {
      if character == "'" {
        if characters.first == "'" {
          characters.removeFirst()
          parts.append(.literal(UInt8(ascii: "'")))
        } else {
          isQuoted.toggle()
        }
      } else if !isQuoted, character.isASCII, character.isLetter {
        var count = 1
        while characters.first == character {
          characters.removeFirst()
          count += 1
        }
        guard "yuMLdHhmsSaEZzXx".contains(character) else {
          throw CoercionRefusal(
            "The letter \(character) of the date format \(text.debugDescription) has no meaning here; "
              + "use y M d H h m s S a E Z z X, and put other letters in quotes ('…').")
        }
        parts.append(.field(character, count: count))
      } else {
        parts += character.utf8.map { .literal($0) }
      }
    }
    guard !isQuoted else {
      throw CoercionRefusal("The date format \(text.debugDescription) has an open quote (').")
    }
    self.parts = parts
  }

  /// The seconds since 2001 of a text; nil if it does not have the pattern.
  func parse(_ text: ArraySlice<UInt8>) -> Double? {
    var reader = DigitReader(text)
    var time = CivilTime()
    var isAfternoon: Bool?
    for part in parts {
      switch part {
      case .literal(let byte): guard reader.take(byte) else { return nil }
      case .field("a", _):
        guard let half = Self.name(of: ["am", "pm"], text, &reader) else { return nil }
        isAfternoon = half == 1
      case .field(let letter, let count):
        guard Self.read(letter, count, text, &reader, &time) else { return nil }
      }
    }
    if let isAfternoon {
      guard (1...12).contains(time.hour) else { return nil }
      time.hour = time.hour % 12 + (isAfternoon ? 12 : 0)
    }
    guard reader.isAtEnd, time.isValid else { return nil }
    return time.secondsSinceReferenceDate
  }

  private static func read(
    _ letter: Character, _ count: Int, _ text: ArraySlice<UInt8>, _ reader: inout DigitReader,
    _ time: inout CivilTime
  ) -> Bool {
    func take(_ width: ClosedRange<Int>, _ part: WritableKeyPath<CivilTime, Int>) -> Bool {
      guard let number = reader.number(width) else { return false }
      time[keyPath: part] = number
      return true
    }
    let width = count == 1 ? 1...2 : 2...2
    switch letter {
    case "y", "u":
      guard count == 2 else { return take(count >= 4 ? 4...4 : 1...4, \.year) }
      guard let year = reader.number(2...2) else { return false }
      time.year = year < 50 ? 2000 + year : 1900 + year
      return true
    case "M", "L":
      guard count >= 3 else { return take(width, \.month) }
      guard let month = name(of: months, text, &reader) else { return false }
      time.month = month + 1
      return true
    case "d": return take(width, \.day)
    case "H", "h": return take(width, \.hour)
    case "m": return take(width, \.minute)
    case "s": return take(width, \.second)
    case "S": return reader.readFraction(&time)
    case "E": return name(of: days, text, &reader) != nil
    default: return reader.readZone(&time)
    }
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  private static let days = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// Reads a name, or its first three letters, and returns its index.
  private static func name(
    of names: [String], _ text: ArraySlice<UInt8>, _ reader: inout DigitReader
  ) -> Int? {
    let rest = String(decoding: text[reader.place...].prefix(9), as: UTF8.self).lowercased()
    for (index, name) in names.enumerated() {
      for form in [name, String(name.prefix(3))] where rest.hasPrefix(form) {
        for _ in form.utf8 { reader.skip() }
        return index
      }
    }
    return nil
  }

  // MARK: - Writing

  /// Appends a date, which is given in seconds since 2001, as UTC. False if the text leaves out a part of the date, so that
  /// reading makes another date of it, or if it can not hold the date's year.
  func append(_ seconds: Double, to bytes: inout [UInt8]) -> Bool {
    guard DateText.canHold(seconds) else { return false }
    let start = bytes.count
    let (whole, fraction, digits) = DateText.split(seconds)
    let time = CivilTime(wholeSeconds: whole)
    guard time.year >= 0 else { return false }
    for part in parts {
      switch part {
      case .literal(let byte): bytes.append(byte)
      case .field("S", let count):
        let width = min(count, 9)
        let scale = Int(CivilTime.powers[abs(width - digits)])
        JSONText.append(
          UInt64(width < digits ? fraction / scale : fraction * scale), width: width, to: &bytes)
      case .field(let letter, let count): Self.append(letter, count, time, &bytes)
      }
    }
    return parse(Coercion.trimmed(bytes[start...])) == seconds
  }

  private static func append(
    _ letter: Character, _ count: Int, _ time: CivilTime, _ bytes: inout [UInt8]
  ) {
    func append(_ number: Int, _ width: Int = min(count, 2)) {
      JSONText.append(UInt64(number), width: width, to: &bytes)
    }
    switch letter {
    case "y", "u": count == 2 ? append(time.year % 100) : append(time.year, max(count, 4))
    case "M", "L":
      guard count >= 3 else { return append(time.month) }
      let name = months[time.month - 1]
      bytes.append(contentsOf: (count == 3 ? String(name.prefix(3)) : name).capitalizedFirst.utf8)
    case "d": append(time.day)
    case "H": append(time.hour)
    case "h": append((time.hour + 11) % 12 + 1)
    case "m": append(time.minute)
    case "s": append(time.second)
    case "a": bytes.append(contentsOf: (time.hour < 12 ? "AM" : "PM").utf8)
    case "E":
      let name = days[time.weekday]
      bytes.append(contentsOf: (count < 4 ? String(name.prefix(3)) : name).capitalizedFirst.utf8)
    case "X": bytes.append(UInt8(ascii: "Z"))
    default: bytes.append(contentsOf: (count > 3 ? "GMT" : letter == "z" ? "UTC" : "+0000").utf8)
    }
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension CivilTime {
  /// The day of the week, from 0 for Monday.
  fileprivate var weekday: Int {
    let days = (wholeSeconds + Self.referenceSeconds - second - minute * 60 - hour * 3600) / 86_400
    // The first of January 1970 was a Thursday.
    return ((days + 3) % 7 + 7) % 7
  }
}

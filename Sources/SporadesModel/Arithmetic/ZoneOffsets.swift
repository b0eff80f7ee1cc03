// SPDX-License-Identifier: MIT
package import FoundationEssentials

/// The distances of a time zone from UTC, as bytes that stand in a predicate. So a predicate means the same on each machine,
/// and a store needs no list of zones.
///
/// An entry has twelve bytes, the highest first: the second from which the distance holds, counted from the beginning of 2001, and
/// the distance in seconds. The first entry holds for all time before the second one.
package struct ZoneOffsets {
  private static let entryLength = 12
  /// A zone changes its distance twice in a year, and a few times more in some.
  private static let mostEntries = 2_000
  /// The years 1800 and 2200, in seconds from the beginning of 2001. Distances beyond are those at their end.
  private static let known = (first: -6_343_000_000.0, last: 6_280_000_000.0)

  package private(set) var bytes = Data()

  /// Reads the changes of a zone from the system's list.
  package init(_ zone: TimeZone) {
    var moment = Date(timeIntervalSinceReferenceDate: Self.known.first)
    var offset = zone.secondsFromGMT(for: moment)
    append(.min, offset)
    for _ in 0..<Self.mostEntries {
      guard let next = zone.nextDaylightSavingTimeTransition(after: moment), next > moment,
        next.timeIntervalSinceReferenceDate < Self.known.last
      else { return }
      moment = next
      let changed = zone.secondsFromGMT(for: next)
      // Only the name of the time changes now and then.
      guard changed != offset else { continue }
      offset = changed
      append(Int64(next.timeIntervalSinceReferenceDate.rounded(.up)), offset)
    }
  }

  /// Nil if the bytes are none of a zone.
  init?(bytes: Data) {
    guard !bytes.isEmpty, bytes.count % Self.entryLength == 0 else { return nil }
    self.bytes = bytes
  }

  private mutating func append(_ second: Int64, _ offset: Int) {
    append(UInt64(bitPattern: second), length: 8)
    append(UInt64(bitPattern: Int64(offset)), length: 4)
  }

  private mutating func append(_ number: UInt64, length: Int) {
    for place in (0..<length).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(place * 8)))
    }
  }

  private var count: Int { bytes.count / Self.entryLength }

  private func number(at place: Int, length: Int) -> UInt64 {
    let start = bytes.startIndex + place
    return bytes[start..<start + length].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func second(_ entry: Int) -> Double {
    Double(Int64(bitPattern: number(at: entry * Self.entryLength, length: 8)))
  }

  private func offset(_ entry: Int) -> Double {
    let digits = number(at: entry * Self.entryLength + 8, length: 4)
    return Double(Int32(truncatingIfNeeded: digits))
  }

  /// The last entry, after the first, that a condition holds for. It holds for the earlier ones then, too.
  private func lastEntry(where holds: (Int) -> Bool) -> Int {
    (1..<count).division(where: holds) - 1
  }

  /// The moment at which clocks of UTC show the same as those of the zone at a moment.
  func clock(at moment: Double) -> Double {
    moment + offset(lastEntry { second($0) <= moment })
  }

  /// The first moment at which clocks of the zone show a time, or a later one where they pass over it.
  func moment(ofClock clock: Double) -> Double {
    // A time that clocks show twice, because they are put back, is before the change. Others show it after the change, or pass
    // over it there.
    let entry = lastEntry { second($0) + offset($0 - 1) <= clock }
    let moment = clock - offset(entry)
    return entry == 0 ? moment : max(moment, second(entry))
  }
}

extension FetchFunction {
  /// Applies a function of a date and a zone. The result is null if one of them is something else.
  func apply(_ moment: Value, zone: Value) -> Value {
    let seconds: Double
    switch moment {
    case .date(let date): seconds = date.timeIntervalSinceReferenceDate
    // A date in a column is a number.
    case .double(let number): seconds = number
    case .integer(let number): seconds = Double(number)
    default: return .null
    }
    guard case .data(let bytes) = zone, let offsets = ZoneOffsets(bytes: bytes) else {
      return .null
    }
    let result = self == .zoneClock ? offsets.clock(at: seconds) : offsets.moment(ofClock: seconds)
    return .date(Date(timeIntervalSinceReferenceDate: result))
  }
}

// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import Testing

/// The clocks of time zones agree with Foundation's calendar.
@Suite struct ZoneOffsetsTests {
  private static let zones = [
    "GMT", "Europe/Rome", "Europe/London", "Europe/Moscow", "Europe/Istanbul", "Africa/Casablanca",
    "Africa/Monrovia", "America/New_York", "America/Sao_Paulo", "America/St_Johns",
    "America/Caracas", "America/Havana", "America/Asuncion", "Asia/Kathmandu", "Asia/Pyongyang",
    "Asia/Tehran", "Asia/Beirut", "Asia/Amman", "Asia/Tokyo", "Australia/Lord_Howe",
    "Australia/Sydney", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Chatham",
    "Antarctica/Troll",
  ]

  private static func value(
    _ function: FetchFunction, _ date: Date, _ zone: Value? = nil
  ) -> Date? {
    let result = function.apply([.date(date)] + (zone.map { [$0] } ?? []))
    if case .date(let date) = result { return date } else { return nil }
  }

  private static func start(
    _ function: FetchFunction, _ date: Date, _ zone: Value
  ) -> Date? {
    value(.zoneClock, date, zone).flatMap { value(function, $0) }
      .flatMap { value(.zoneMoment, $0, zone) }
  }

  @Test(arguments: zones) func daysMonthsAndYearsBeginAsInTheCalendar(_ name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let offsets = Value.data(ZoneOffsets(zone).bytes)
    // Between 1850 and 2190, and about changes of these years.
    let first = -4_765_000_000.0
    var moments = (0..<200).map {
      Date(timeIntervalSinceReferenceDate: first + Double($0) * 53_578_246.25)
    }
    var change = Date(timeIntervalSinceReferenceDate: first)
    while let next = zone.nextDaylightSavingTimeTransition(after: change), moments.count < 1_000,
      next > change
    {
      moments += [-90_000, -1, 0, 1_800, 3_600, 86_399].map { next + $0 }
      change = next
    }
    for moment in moments {
      let clock = try #require(Self.value(.zoneClock, moment, offsets))
      #expect(
        clock.timeIntervalSince(moment) == Double(zone.secondsFromGMT(for: moment)),
        "\(name): \(moment)")
      for (function, unit) in [
        (FetchFunction.startOfDay, Calendar.Component.day), (.startOfMonth, .month),
        (.startOfYear, .year),
      ] {
        let expected = try #require(calendar.dateInterval(of: unit, for: moment)).start
        #expect(
          Self.start(function, moment, offsets) == expected, "\(name): \(unit) of \(moment)")
      }
    }
  }

  @Test(arguments: [Data(), Data(count: 11), Data(count: 13)])
  func bytesOfNoZoneGiveNothing(_ bytes: Data) {
    let date = Value.date(Date(timeIntervalSinceReferenceDate: 0))
    #expect(FetchFunction.zoneClock.apply([date, .data(bytes)]) == .null)
    #expect(FetchFunction.zoneClock.apply([date, "Europe/Rome"]) == .null)
    #expect(FetchFunction.zoneMoment.apply(["2026", .data(Data(count: 12))]) == .null)
    #expect(FetchFunction.zoneMoment.apply([date, .data(Data(count: 12))]) == date)
  }
}

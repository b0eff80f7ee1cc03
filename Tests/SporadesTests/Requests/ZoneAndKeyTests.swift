// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// Groups by three keys, and months of a zone.
@Suite struct ZoneAndKeyTests {
  @Entity final class Sale: ManagedObject {
    var number: Int = 0
    var shop: String = ""
    var kind: String = ""
    var day: Date = Date(timeIntervalSinceReferenceDate: 0)
  }

  private static func date(_ text: String) throws -> Date {
    try Date(text, strategy: .iso8601)
  }

  /// The days of `others` belong to sales with the number 10.
  private func withSales(
    and others: [String] = [], _ body: @Sendable (ManagedObjectContext) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    for service in [
      try RecordingService(stack: DataStack(inMemory: [Sale.self])),
      RecordingService(sqlite: folder.file("a.sqlite"), entities: [Sale.self]),
    ] {
      try service.writeSync { context in
        for (number, day) in [
          "2026-01-31T21:59:59Z", "2026-01-31T22:00:00Z", "2026-02-28T21:59:59Z",
          "2025-12-31T23:00:00Z",
        ].enumerated() {
          let sale = Sale.create(in: context)
          (sale.number, sale.shop) = (number, number < 2 ? "a" : "b")
          (sale.kind, sale.day) = ("k\(number % 2)", try Self.date(day))
        }
        for day in others {
          let sale = Sale.create(in: context)
          (sale.number, sale.day) = (10, try Self.date(day))
        }
      }.get()
      try service.readValue(body)
      try service.close()
    }
  }

  @Test func monthsOfAZoneBeginThere() throws {
    try withSales { context in
      let groups = try Sale.request
        .grouped(by: (\Sale.day).startOfMonth(secondsFromGMT: 7200)) { $0.count }
        .fetch(in: context)
      #expect(groups.map(\.1) == [2, 2])
      #expect(
        groups.map(\.0) == [
          try Self.date("2025-12-31T22:00:00Z"), try Self.date("2026-01-31T22:00:00Z"),
        ])
      let first = try Self.date("2025-12-31T22:00:00Z")
      #expect(
        try Sale.count(
          where: (\Sale.day).startOfYear(secondsFromGMT: 7200) == first, in: context) == 4)
      #expect(
        try Sale.count(
          where: (\Sale.day).startOfDay(secondsFromGMT: -3600)
            == Self.date("2025-12-31T01:00:00Z"), in: context) == 1)
      let hours = try Sale.sorted(by: \.number)
        .pluck(\Sale.number, (\Sale.day).advanced(by: 7200).hour, in: context)
      #expect(hours.map(\.1) == [23, 0, 23, 1])
    }
  }

  /// Rome puts its clocks forward on March 29 and back on October 25.
  @Test func aNamedZoneKnowsItsClocks() throws {
    let rome = try #require(TimeZone(identifier: "Europe/Rome"))
    let others = ["2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z", "2026-10-25T23:30:00Z"]
    try withSales(and: others) { context in
      let clocks = try Sale.where(\.number == 10).sorted(by: \.day)
        .pluck((\Sale.day).clock(in: rome).hour, (\Sale.day).clock(in: rome).day, in: context)
      #expect(clocks.map(\.0) == [1, 3, 0])
      #expect(clocks.map(\.1) == [29, 29, 26])
      let groups = try Sale.request
        .grouped(by: (\Sale.day).startOfMonth(in: rome)) { $0.count }.fetch(in: context)
      #expect(
        groups.map(\.0) == [
          try Self.date("2025-12-31T23:00:00Z"), try Self.date("2026-01-31T23:00:00Z"),
          try Self.date("2026-02-28T23:00:00Z"), try Self.date("2026-09-30T22:00:00Z"),
        ])
      #expect(groups.map(\.1) == [3, 1, 2, 1])
      let day = try Self.date("2026-03-28T23:00:00Z")
      #expect(try Sale.count(where: (\Sale.day).startOfDay(in: rome) == day, in: context) == 2)
      let year = try Self.date("2025-12-31T23:00:00Z")
      #expect(try Sale.count(where: (\Sale.day).startOfYear(in: rome) == year, in: context) == 7)
    }
  }

  @Test func groupsHaveThreeKeys() throws {
    try withSales { context in
      let groups = try Sale.request
        .grouped(by: \.shop, \.kind, \.number) { ($0.count, $0.max(\.day)) }
        .having { $0.count == 1 }
        .fetch(in: context)
      #expect(
        groups.map { "\($0.0.0) \($0.0.1) \($0.0.2)" } == ["a k0 0", "a k1 1", "b k0 2", "b k1 3"])
      #expect(groups.map(\.1.0) == [1, 1, 1, 1])
      let computed = try Sale.request
        .grouped(by: (\Sale.day).year, (\Sale.day).month, \Sale.shop) { $0.count }
        .fetch(in: context)
      #expect(computed.map(\.1).reduce(0, +) == 4)
    }
  }
}

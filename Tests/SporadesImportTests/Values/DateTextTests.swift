// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import Testing

@testable import SporadesImport

@Suite struct DateTextTests {
  @Test(
    arguments: [
      ("2001-01-01T00:00:00Z", 0), ("2001-01-01", 0), ("20010101T000001Z", 1),
      ("2001-01-01 00:01", 60), ("2001-01-01T01:00:00+01:00", 0), ("2001-01-01T00:00:00.5Z", 0.5),
      ("2000-12-31T23:59:59,25-0000", -0.75), ("2000-02-29T00:00:00Z", -26_524_800),
      ("1970-01-01T00:00:00GMT", -978_307_200), ("2001-01-01T00:00:60Z", 60),
      ("2001-01-01T00:00:00-02", 7200), ("+002001-01-01", 0),
    ] as [(String, Double)])
  func readsISO8601(_ text: String, _ seconds: Double) {
    #expect(DateText.parse(Array(text.utf8)[...]) == seconds)
  }

  @Test(arguments: [
    "", "2001", "2001-13-01", "2001-02-29", "2001-01-01T", "2001-01-01T24:00:00", "2001-1-1",
    "2001-01-01T00:00:00X", "2001-01-01T00:00:00.Z", "2001-01-01T00:61", "today", "2001-01-01Zx",
  ])
  func refuses(_ text: String) { #expect(DateText.parse(Array(text.utf8)[...]) == nil) }

  @Test func everyDateComesBack() {
    // Some weeks around 2001, a double can say more than nine digits.
    let dates = (0..<5000).flatMap { _ -> [Double] in
      let date = Double.random(in: -5e10...5e10)
      return [date, date.rounded(), (date * 1000).rounded() / 1000]
    }
    let wrong = dates.filter { (date: Double) -> Bool in
      var bytes: [UInt8] = []
      DateText.append(date, to: &bytes)
      return abs(date) > 1e7 && DateText.parse(bytes[...]) != date
    }
    #expect(wrong.isEmpty)
  }

  @Test(arguments: [
    ("dd.MM.yyyy", "01.03.2026", "2026-03-01"), ("d.M.yy H:mm", "1.3.26 7:05", "2026-03-01T07:05Z"),
    ("MMMM d, yyyy", "March 1, 2026", "2026-03-01"),
    ("yyyyMMdd'T'HHmmssZ", "20260301T120000+0100", "2026-03-01T11:00:00Z"),
    ("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", "2026-03-01T12:00:00.250Z", "2026-03-01T12:00:00.25Z"),
    ("h 'o''clock' a", "1 o'clock PM", "1970-01-01T13:00:00Z"),
    ("EEE, dd MMM yyyy HH:mm:ss zzz", "Sun, 01 Mar 2026 10:00:00 GMT", "2026-03-01T10:00:00Z"),
  ])
  func readsPatterns(_ pattern: String, _ text: String, _ iso: String) throws {
    let read = try DatePattern(pattern).parse(Array(text.utf8)[...])
    #expect(read != nil)
    #expect(read == DateText.parse(Array(iso.utf8)[...]))
    var bytes: [UInt8] = []
    #expect(try DatePattern(pattern).append(read ?? 0, to: &bytes))
    #expect(try DatePattern(pattern).parse(bytes[...]) == read)
  }

  @Test func datesComeBackInEveryFormat() throws {
    var numbers = SeededNumbers(state: 7)
    let formats: [ImportDateFormat] = [
      .iso8601, .secondsSince1970, .millisecondsSince1970, .secondsSinceReferenceDate,
      .pattern("yyyy-MM-dd HH:mm:ss.SSSSSSSSSZ"),
    ]
    for format in formats {
      let coercion = try Coercion(.date, format)
      for _ in 0..<2000 {
        let seconds = Double.random(in: -6.2e10...2.5e11, using: &numbers)
        for date in [seconds, seconds / 200, seconds.rounded(), (seconds * 1000).rounded() / 1000]
        where abs(date) > 1e7 {
          var bytes: [UInt8] = []
          #expect(coercion.append(date: date, to: &bytes))
          let text = String(decoding: bytes, as: UTF8.self)
          let value: ImportValue = coercion.writesNumber ? .number(text) : .text(text)
          guard case .word(let word) = try coercion.coerce(value) else {
            Issue.record("\(text) is no date")
            continue
          }
          #expect(Double(bitPattern: word) == date, "\(format) \(text)")
        }
      }
    }
  }

  @Test(arguments: [
    ("0", -978_307_200), ("978307200", 0), ("978307200.5", 0.5), ("-0.5", -978_307_200.5),
    ("978307200.123456789", 0.123_456_789), ("9.783072e8", 0), ("253402300799", 252_423_993_599),
  ])
  func readsSecondsSince1970(text: String, seconds: Double) {
    #expect(DateNumber.parse(Array(text.utf8)[...], .secondsSince1970) == seconds)
    let shifted = DateNumber.parse(Array("\(text)".utf8)[...], .secondsSinceReferenceDate)
    #expect(shifted == Double(text))
  }

  @Test(arguments: [
    "1e18", "1e300", "-1e18", "1700000000000000", "1700000000000000000", "9223372036854775807",
    "253402300800", "-377705116801", "1700000000000000000.5",
  ])
  func refusesNumbersThatAreNoDates(text: String) throws {
    for format in [ImportDateFormat.iso8601, .pattern("yyyy"), .secondsSince1970] {
      let coercion = try Coercion(.date, format)
      #expect(throws: CoercionRefusal.self) { try coercion.coerce(.number(text)) }
    }
    let milliseconds = try Coercion(.date, .millisecondsSince1970)
    for text in ["1700000000000000", "1e18", "1e300", "253402300800000", "-9223372036854775808"] {
      #expect(throws: CoercionRefusal.self) { try milliseconds.coerce(.number(text)) }
      #expect(throws: CoercionRefusal.self) { try milliseconds.coerce(.text(text)) }
    }
  }

  @Test func aRefusedNumberLeadsToItsUnit() throws {
    func reason(_ text: String, _ format: ImportDateFormat) throws -> String? {
      let coercion = try Coercion(.date, format)
      return #expect(throws: CoercionRefusal.self) { try coercion.coerce(.number(text)) }?.reason
    }
    #expect(
      try reason("1700000000000", .iso8601)?.contains("milliseconds, name the format") == true)
    #expect(try reason("1700000000000000", .iso8601)?.contains("microseconds or nano") == true)
    #expect(try reason("1700000000000000", .millisecondsSince1970)?.contains("microsec") == true)
  }

  @Test(arguments: ["QQQ", "yyyy 'open", "w"])
  func refusesPatterns(_ pattern: String) {
    #expect(throws: CoercionRefusal.self) { try DatePattern(pattern) }
  }
}

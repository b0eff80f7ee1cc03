// SPDX-License-Identifier: MIT
import FoundationEssentials
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
    try DatePattern(pattern).append(read ?? 0, to: &bytes)
    #expect(try DatePattern(pattern).parse(bytes[...]) == read)
  }

  @Test(arguments: ["QQQ", "yyyy 'open", "w"])
  func refusesPatterns(_ pattern: String) {
    #expect(throws: CoercionRefusal.self) { try DatePattern(pattern) }
  }
}

// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// A value in a file is read as what it is, or refused; never as another.
@Suite struct OddValueTests {
  struct Odd: Sendable, CustomTestStringConvertible {
    let attribute: String
    let sql: String
    /// Nil where the value is refused.
    let value: Value?
    var testDescription: String { "\(attribute) \(sql)" }

    init(_ attribute: String, _ sql: String, _ value: Value?) {
      (self.attribute, self.sql, self.value) = (attribute, sql, value)
    }
  }

  static let uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

  static let large = Decimal(string: "100000000000000000000") ?? 0

  static let odds = [
    Odd("wealth", "'NaN'", .decimal(.nan)), Odd("wealth", "x'312E35'", .decimal(1.5)),
    Odd("wealth", "x'31653230'", .decimal(large)),
    Odd("wealth", "1e20", .decimal(large)), Odd("wealth", "12", .decimal(12)),
    Odd("wealth", "'12'", .decimal(12)), Odd("wealth", "9e999", nil), Odd("wealth", "-9e999", nil),
    Odd("wealth", "1e200", nil), Odd("wealth", "1e-200", nil), Odd("wealth", "'abc'", nil),
    Odd("wealth", "'1.5abc'", nil), Odd("wealth", "'-inf'", nil), Odd("wealth", "'0x10'", nil),
    Odd("wealth", "''", nil), Odd("wealth", "x''", nil), Odd("wealth", "x'FF'", nil),
    Odd("age", "'7'", .integer(7)), Odd("age", "2.0", .integer(2)), Odd("age", "1.5", nil),
    Odd("age", "'abc'", nil), Odd("age", "'12abc'", nil), Odd("age", "x'31'", nil),
    Odd("age", "3000000000", nil), Odd("age", "-2147483648", .integer(-2_147_483_648)),
    Odd("age", "2147483648", nil), Odd("age", "9e999", nil), Odd("age", "0", .integer(0)),
    Odd("height", "3", .double(3)), Odd("height", "'tall'", nil), Odd("height", "x'00'", nil),
    Odd("height", "0", .double(0)), Odd("height", "9e999", .double(.infinity)),
    Odd("born", "5", .date(Date(timeIntervalSinceReferenceDate: 5))),
    Odd("born", "'2020-01-01'", nil), Odd("born", "x'01'", nil),
    Odd("isAdult", "1", .boolean(true)), Odd("isAdult", "'yes'", nil), Odd("isAdult", "0.5", nil),
    Odd("code", "x'000102030405060708090a0b0c0d0e0f'", .uuid(uuid)), Odd("code", "x'0102'", nil),
    Odd("code", "'no'", nil), Odd("code", "7", nil), Odd("code", "x''", nil),
    Odd("name", "NULL", .null), Odd("wealth", "NULL", .null), Odd("age", "NULL", .null),
  ]

  private func run(_ sql: String, _ path: String) throws {
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(path, &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    try #require(unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
  }

  private func value(_ store: SQLiteStore, _ name: String) throws -> Value? {
    guard case .attribute(let attribute)? = Sample.shape("Person")[name] else { return nil }
    let pages = try store.rows(StoreFetch(Sample.shape("Person")), in: .committed)
    return pages.first?.value(0, of: attribute)
  }

  private func areEqual(_ left: Value?, _ right: Value?) -> Bool {
    if case .decimal(let left)? = left, case .decimal(let right)? = right {
      return left.isNaN == right.isNaN && (left.isNaN || left == right)
    }
    return left == right
  }

  @Test(arguments: odds)
  func aStoredValueIsReadAsItIsOrRefused(odd: Odd) throws {
    let path = Sample.temporaryPath()
    let first = try SQLiteStore(path: path, model: Sample.model)
    try first.execute(ChangeSet(inserted: [Sample.page("Person", [(1, ["name": "Ada"])])]))
    try first.commit(.immediate)
    try first.close()
    try run("UPDATE ZPERSON SET Z\(odd.attribute.uppercased()) = \(odd.sql)", path)
    let store = try SQLiteStore(path: path, model: Sample.model)
    defer { #expect(throws: Never.self) { try store.close() } }
    guard let expected = odd.value else {
      let error = #expect(throws: StoreError.self) { _ = try value(store, odd.attribute) }
      #expect(error?.code == .corrupt)
      #expect(error?.detail.contains(odd.attribute) == true)
      let byKey = #expect(throws: StoreError.self) {
        _ = try store.rows(for: [Sample.key("Person", 1)], in: .committed)
      }
      #expect(byKey?.code == .corrupt)
      return
    }
    #expect(areEqual(try value(store, odd.attribute), expected))
  }

  @Test func aDecimalThatIsNoNumberGoesIntoTheFileAndBack() throws {
    let path = Sample.temporaryPath()
    let first = try SQLiteStore(path: path, model: Sample.model)
    let rows: [(key: Int64, values: [String: Value])] = [
      (1, ["wealth": .decimal(.nan)]), (2, ["wealth": .decimal(0)]), (3, [:]),
    ]
    try first.execute(ChangeSet(inserted: [Sample.page("Person", rows)]))
    try first.commit(.immediate)
    try first.close()
    let store = try SQLiteStore(path: path, model: Sample.model)
    #expect(areEqual(try value(store, "wealth"), .decimal(.nan)))
    let memory = MemoryStore(model: Sample.model)
    try memory.execute(ChangeSet(inserted: [Sample.page("Person", rows)]))
    for (format, count) in [
      ("wealth == nil", 2), ("wealth == 0", 1), ("wealth < 1", 1), ("wealth != 0", 2),
    ] {
      let fetch = StoreFetch(Sample.shape("Person"), where: try FetchPredicate(format: format))
      #expect(try store.count(fetch, in: .committed) == count, "\(format)")
      #expect(try memory.count(fetch, in: .accepted) == count, "\(format)")
    }
    try store.close()
  }

  /// A sum over a number that no decimal holds is refused, and not 0.
  @Test(arguments: ["9e999", "-9e999"])
  func aSumOverAnInfiniteDecimalIsRefused(sql: String) throws {
    let path = Sample.temporaryPath()
    let first = try SQLiteStore(path: path, model: Sample.model)
    try first.execute(ChangeSet(inserted: [Sample.page("Person", [(1, ["name": "Ada"])])]))
    try first.commit(.immediate)
    try first.close()
    try run("UPDATE ZPERSON SET ZWEALTH = \(sql)", path)
    let store = try SQLiteStore(path: path, model: Sample.model)
    defer { #expect(throws: Never.self) { try store.close() } }
    let fetch = StoreFetch(Sample.shape("Person"))
    for function in [AggregateFunction.sum, .min, .max, .average] {
      let question = TableQuestion(fetch, [.aggregate(function, ["wealth"])])
      let error = #expect(throws: StoreError.self) {
        try store.answer(question, in: .committed)
      }
      #expect(error?.code == .corrupt, "\(function)")
    }
  }
}

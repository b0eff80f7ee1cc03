// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@Entity final class Reader: ManagedObject {
  var id: Int = 0
  var name: String?
  var age: Int?
}

/// The conditions of the tests of GRDB's query interface, each with the SQL that GRDB makes of it.
///
/// The SQL runs on a plain table with the same rows. One thing differs by design: a comparison is true or false and
/// never unknown, so `!=` and `NOT` find rows without a value. Their SQL says `IS NOT` here.
@Suite struct ConditionAgainstSQLTests {
  static let rows: [(id: Int, name: String?, age: Int?)] = [
    (1, "Arthur", 42), (2, "Barbara", 36), (3, nil, 10), (4, "B", nil), (5, "b", 0), (6, "", -3),
    (7, "foo", 11), (8, "Foo", 1), (9, "é", 9), (10, "zoé", 100), (11, nil, nil), (12, "a%b", 2),
  ]

  struct Case: Sendable, CustomTestStringConvertible {
    let sql: String
    let condition: FetchPredicate
    var testDescription: String { sql }

    init(_ sql: String, _ condition: TypedPredicate<Reader>) {
      self.sql = sql
      self.condition = condition.predicate
    }

    init(_ sql: String, format: String) {
      self.sql = sql
      // The format is written here, so a mistake in it is one of the tests.
      condition = try! FetchPredicate(format: format)
    }
  }

  static let membership: [Case] = [
    Case("0", \.id ~= [Int]()), Case("1", !(\.id ~= [Int]())), Case("id = 1", \.id ~= [1]),
    Case("id IN (1, 2, 3)", \.id ~= [1, 2, 3]), Case("id <> 1", !(\.id ~= [1])),
    Case("id NOT IN (1, 2, 3)", !(\.id ~= [1, 2, 3])), Case("id = 1", !(!(\.id ~= [1]))),
    Case("id IN (1, 2, 3)", !(!(\.id ~= [1, 2, 3]))),
    Case("id >= 1 AND id < 10", \.id ~= 1..<10), Case("id BETWEEN 1 AND 10", \.id ~= 1...10),
    Case("id NOT BETWEEN 1 AND 10", !(\.id ~= 1...10)), Case("id >= 5", \.id ~= 5...),
    Case("id < 5", \.id ~= ..<5), Case("id <= 5", \.id ~= ...5),
    Case("name >= 'A' AND name < 'z'", \.name ~= "A"..<"z"),
    Case("name BETWEEN 'A' AND 'z'", \.name ~= "A"..."z"),
    Case("(age IN (1, 2)) IS NOT TRUE", !(\.age ~= [1, 2])),
    Case("age IS NULL OR age IN (1, 2)", \.age ~= [1, 2, nil]),
    Case("name COLLATE NOCASE IN ('foo', 'b')", format: "name IN[c] {'foo', 'b'}"),
  ]

  static let comparisons: [Case] = [
    Case("age > 10", \.age > 10), Case("10 > age", format: "10 > age"),
    Case("age >= 10", \.age >= 10), Case("10 >= age", format: "10 >= age"),
    Case("age < 10", \.age < 10), Case("10 < age", format: "10 < age"),
    Case("age <= 10", \.age <= 10), Case("10 <= age", format: "10 <= age"),
    Case("age > id", format: "age > id"), Case("age < age", format: "age < age"),
    Case("name > 'B'", \.name > "B"), Case("'B' > name", format: "'B' > name"),
    Case("name >= 'B'", \.name >= "B"), Case("name < 'B'", \.name < "B"),
    Case("name <= 'B'", \.name <= "B"),
    Case("name COLLATE NOCASE > 'foo'", format: "name >[c] 'foo'"),
    Case("age = 10", \.age == 10), Case("age = 10", \.age == (10 as Int?)),
    Case("10 = age", format: "10 == age"), Case("age IS NULL", \.age == nil),
    Case("age IS NULL", format: "nil == age"), Case("age IS age", format: "age == age"),
    Case("age IS id", format: "age == id"), Case("name = 'B'", \.name == "B"),
    Case("name COLLATE NOCASE = 'fOo'", format: "name ==[c] 'fOo'"),
    Case("age = 1", format: "age == YES"),
    Case("age = 0", format: "age == NO"), Case("age IS NOT 10", \.age != 10),
    Case("age IS NOT NULL", \.age != nil), Case("age IS NOT 10", !(\.age == 10)),
    Case("age IS NOT NULL", !(\.age == nil)), Case("age IS NOT id", format: "age != id"),
    Case("name IS NOT 'B'", \.name != "B"), Case("age = 10", !(\.age != 10)),
    Case("age IS NULL", !(\.age != nil)),
  ]

  static let logic: [Case] = [
    Case("(age > 10) IS NOT TRUE", !(\.age > 10)),
    Case("age > 10 AND name > 'F'", \.age > 10 && \.name > "F"),
    Case("age > 10 OR name > 'F'", \.age > 10 || \.name > "F"),
    Case("(age > 10 OR age < 2) AND id < 9", (\.age > 10 || \.age < 2) && \.id < 9),
    Case("age > 10 OR (age < 2 AND id < 9)", \.age > 10 || \.age < 2 && \.id < 9),
    Case("(age > 10 AND id < 9) IS NOT TRUE", !(\.age > 10 && \.id < 9)),
    Case("1", format: "TRUEPREDICATE"), Case("0", format: "FALSEPREDICATE"),
    Case("1", format: "TRUEPREDICATE AND TRUEPREDICATE"),
    Case("age > 1", format: "TRUEPREDICATE AND age > 1"),
    Case("0", format: "FALSEPREDICATE AND age > 1"), Case("1", format: "TRUEPREDICATE OR age > 1"),
  ]

  static let computed: [Case] = [
    Case("LOWER(name) = 'foo'", format: "lowercase:(name) == 'foo'"),
    Case("UPPER(name) = 'FOO'", format: "uppercase:(name) == 'FOO'"),
    Case("-age > 1", \.age * -1 > 1), Case("age - 2 = 8", \.age - 2 == 8),
    Case("2 - age = 2", format: "2 - age == 2"), Case("age - id > 3", format: "age - id > 3"),
    Case("id - (age - 1) > 2", format: "id - (age - 1) > 2"),
    Case("age + 2 = 12", \.age + 2 == 12), Case("age + id = 13", format: "age + id == 13"),
    Case("1 + (age + 1) = 12", format: "1 + (age + 1) == 12"),
    Case("age * 2 = 20", \.age * 2 == 20), Case("age * id > 80", format: "age * id > 80"),
    Case("age / 2.0 = 21", format: "age / 2.0 == 21"), Case("-8 / 1 < age", format: "-8 / 1 < age"),
    Case("age + age * id - 1 > 60", format: "age + age * id - 1 > 60"),
    Case("age % 2 = 1", format: "modulus:by:(age, 2) == 1"),
    Case("(age & 2) = 2", format: "(age & 2) == 2"),
    Case("(age | 2) = 11", format: "(age | 2) == 11"),
    Case("~age = -12", format: "~age == -12"), Case("(age << 1) = 22", format: "(age << 1) == 22"),
    Case("(age >> 1) = 5", format: "(age >> 1) == 5"),
    Case("(age << id) > 500", format: "(age << id) > 500"),
    Case("IFNULL(age, 50) = 50", format: "TERNARY(age == nil, 50, age) == 50"),
    Case("COALESCE(age, id, 3) = id", format: "TERNARY(age == nil, id, age) == id"),
    Case("LENGTH(name) = 3", (\Reader.name).length == 3),
    Case("MIN(age, 10) = 10", format: "min:({age, 10}) == 10 AND age != nil"),
    Case("MAX(age, 10) = 10", format: "max:({age, 10}) == 10 AND age != nil"),
    Case("ABS(age) = 3", (\Reader.age).magnitude == 3),
    Case("CAST(age AS TEXT) = '10'", format: "CAST(age, 'NSString') == '10'"),
  ]

  static let texts: [Case] = [
    Case("name GLOB 'B*'", (\Reader.name).isLike("B*")),
    Case("name LIKE 'b%' AND name IS NOT NULL", (\Reader.name).isLike("b*", .caseInsensitive)),
    Case("(name GLOB '*o*') IS NOT TRUE", !(\Reader.name).isLike("*o*")),
    Case("name LIKE '%\\%%' ESCAPE '\\'", (\Reader.name).contains("%")),
    Case("name GLOB '?oo'", (\Reader.name).isLike("?oo")),
    Case("SUBSTR(name, 1, 3) = 'Bar'", (\Reader.name).hasPrefix("Bar")),
    Case("name LIKE '%a'", (\Reader.name).hasSuffix("a")),
  ]

  static var cases: [Case] { membership + comparisons + logic + computed + texts }

  @Test func eachConditionFindsWhatItsSQLFinds() throws {
    let plain = try PlainReaders(Self.rows)
    let service = try DataStack(store: SQLiteStore(inMemory: Self.model), classes: [Reader.self])
    let memory = DataStack(store: MemoryStore(model: Self.model), classes: [Reader.self])
    for stack in [service, memory] {
      try stack.newContext().performAndWait { context in
        for row in Self.rows {
          let reader = Reader.create(in: context)
          (reader.id, reader.name, reader.age) = row
        }
        // Unsaved, and then saved.
        for _ in 0..<2 {
          for question in Self.cases {
            let found = try Reader.all(where: question.condition, sortedBy: "id", in: context)
            #expect(try found.map(\.id) == plain.ids(question.sql), "\(question.sql)")
          }
          try context.save()
        }
      }
    }
    #expect(Self.cases.count == 102)
  }

  private static let model = try! ManagedObjectModel([Reader.self])

  // MARK: - Requests

  /// A request, and the SQL whose first column has the same texts.
  private static let requests:
    [(sql: String, ask: @Sendable (ManagedObjectContext) throws -> [String])] = [
      ("SELECT id FROM readers ORDER BY age, id", { try ids(Reader.sorted(by: \.age, \.id), $0) }),
      (
        "SELECT id FROM readers ORDER BY age DESC, id",
        { try ids(Reader.sorted(by: .descending(\.age), .ascending(\.id)), $0) }
      ),
      (
        "SELECT id FROM readers ORDER BY age DESC, id DESC",
        { try ids(Reader.sorted(by: \.age, \.id).reversed(), $0) }
      ),
      (
        "SELECT id FROM readers ORDER BY name, id LIMIT 3",
        { try ids(Reader.sorted(by: \.name, \.id).limit(3), $0) }
      ),
      (
        "SELECT id FROM readers ORDER BY id LIMIT 4 OFFSET 5",
        { try ids(Reader.sorted(by: \.id).limit(4).offset(5), $0) }
      ),
      (
        "SELECT id FROM readers ORDER BY id LIMIT 1",
        { try ids(Reader.sorted(by: \.id).limit(4).limit(1), $0) }
      ),
      (
        "SELECT id FROM readers WHERE age > 1 AND id < 9 ORDER BY id",
        { try ids(Reader.where(\.age > 1).where(\.id < 9).sorted(by: \.id), $0) }
      ),
      ("SELECT COUNT(*) FROM readers", { ["\(try Reader.count(in: $0))"] }),
      (
        "SELECT COUNT(*) FROM readers WHERE age > 5",
        { ["\(try Reader.where(\.age > 5).count(in: $0))"] }
      ),
      (
        "SELECT COUNT(*) FROM (SELECT id FROM readers LIMIT 10)",
        { ["\(try Reader.limit(10).count(in: $0))"] }
      ),
      ("SELECT AVG(age) FROM readers", { [text(try Reader.average(\.age, in: $0))] }),
      ("SELECT MIN(age) FROM readers", { [text(try Reader.min(\.age, in: $0))] }),
      ("SELECT MAX(age) FROM readers", { [text(try Reader.max(\.age, in: $0))] }),
      ("SELECT SUM(age) FROM readers", { ["\(try Reader.sum(\.age, in: $0))"] }),
      (
        "SELECT SUM(age) FILTER (WHERE age > 20) FROM readers",
        { ["\(try Reader.where(\.age > 20).sum(\.age, in: $0))"] }
      ),
      (
        "SELECT IFNULL(SUM(age), 0) FROM readers WHERE id > 100",
        { ["\(try Reader.where(\.id > 100).sum(\.age, in: $0))"] }
      ),
      (
        "SELECT MAX(age) FROM readers WHERE id > 100",
        { [text(try Reader.where(\.id > 100).max(\.age, in: $0))] }
      ),
      (
        "SELECT name FROM readers WHERE name IS NOT NULL ORDER BY id",
        { try Reader.where(\.name != nil).sorted(by: \.id).pluck(\.name, in: $0).map(text) }
      ),
      (
        "SELECT DISTINCT age > 10 FROM readers WHERE age IS NOT NULL ORDER BY 1",
        { context in
          var request = FetchRequest("Reader")
          request.predicate = try FetchPredicate(format: "age != nil")
          let isOld = try FetchPredicate(format: "age > 10")
          request.propertiesToFetch = [
            ExpressionDescription(
              "isOld", .conditional(isOld, .constant(.integer(1)), .constant(.integer(0))))
          ]
          request.returnsDistinctResults = true
          request.sortTerms = [SortTerm(.keyPath("isOld"))]
          return try context.fetchDictionaries(request).map {
            text($0.value("isOld", as: Int.self))
          }
        }
      ),
      (
        "SELECT age || ':' || COUNT(*) FROM readers WHERE age IS NOT NULL GROUP BY age ORDER BY age",
        { context in
          try Reader.where(\.age != nil).grouped(by: \.age) { $0.count }.fetch(in: context)
            .map { "\(text($0.0)):\($0.1)" }
        }
      ),
      (
        "SELECT COUNT(*) FROM readers WHERE name > '' GROUP BY name HAVING MAX(age) > 20 ORDER BY name",
        { context in
          try Reader.where(\.name > "").grouped(by: \.name) { ($0.count, $0.max(\.age)) }
            .having { $0.max(\.age) > 20 }.fetch(in: context).map { "\($0.1.0)" }
        }
      ),
      (
        "SELECT COUNT(*) = 0 FROM readers WHERE id > 100",
        { [try Reader.where(\.id > 100).exists(in: $0) ? "0" : "1"] }
      ),
    ]

  private static func ids(
    _ request: TypedRequest<Reader>, _ context: ManagedObjectContext
  ) throws -> [String] { try request.fetch(in: context).map { "\($0.id)" } }

  private static func text(_ value: (some CustomStringConvertible)?) -> String {
    value.map { "\($0)" } ?? "NULL"
  }

  @Test func boundsBeforeGroupsAreRefused() throws {
    let stack = try DataStack(inMemory: [Reader.self])
    try stack.newContext().performAndWait { context in
      for request in [Reader.request.limit(1), Reader.sorted(by: \.age).offset(2)] {
        let error = #expect(throws: FetchPredicateError.self) {
          try request.grouped(by: \.name) { $0.count }.fetch(in: context)
        }
        #expect(error?.description.contains("A limit or offset stands before grouped") == true)
      }
      let groups = try Reader.request.grouped(by: \.name) { $0.count }.limit(1).fetch(in: context)
      #expect(groups.isEmpty)
    }
  }

  @Test func eachRequestAnswersAsItsSQLDoes() throws {
    let plain = try PlainReaders(Self.rows)
    for store in [
      try SQLiteStore(inMemory: Self.model), MemoryStore(model: Self.model),
    ] as [any PersistentStore] {
      try DataStack(store: store, classes: [Reader.self]).newContext().performAndWait { context in
        for row in Self.rows {
          let reader = Reader.create(in: context)
          (reader.id, reader.name, reader.age) = row
        }
        for _ in 0..<2 {
          for (sql, ask) in Self.requests {
            #expect(try ask(context) == plain.texts(sql), "\(sql)")
          }
          try context.save()
        }
      }
    }
  }
}

/// The readers in a table that SQLite alone knows.
@safe
private final class PlainReaders {
  private let database: OpaquePointer

  init(_ rows: [(id: Int, name: String?, age: Int?)]) throws {
    var opened: OpaquePointer?
    try #require(unsafe sqlite3_open(":memory:", &opened) == SQLITE_OK)
    unsafe database = try #require(opened)
    var sql = "CREATE TABLE readers(id INTEGER, name TEXT, age INTEGER);"
    for row in rows {
      let name = row.name.map { "'\($0)'" } ?? "NULL"
      sql +=
        "INSERT INTO readers VALUES(\(row.id), \(name), \(row.age.map(String.init) ?? "NULL"));"
    }
    try #require(unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
  }

  deinit { unsafe sqlite3_close(database) }

  func ids(_ condition: String) throws -> [Int] {
    try texts("SELECT id FROM readers WHERE \(condition) ORDER BY id").compactMap { Int($0) }
  }

  /// The first column, with `NULL` for null.
  func texts(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    try #require(
      unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
    defer { unsafe sqlite3_finalize(statement) }
    var found: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      unsafe found.append(
        sqlite3_column_text(statement, 0).map { unsafe String(cString: $0) } ?? "NULL")
    }
    return found
  }
}

// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore
import Testing

/// The SQL of each construct of the predicate language, as the article about fetching shows it, and the plans of common
/// questions.
@Suite struct ConstructSQLTests {
  private static let model: ManagedObjectModel = {
    let person = EntityDescription(
      "Person",
      attributes: [
        AttributeDescription("name", .string, isOptional: true),
        AttributeDescription("age", .integer32, isOptional: true),
        AttributeDescription("born", .date, isOptional: true),
        AttributeDescription("wealth", .decimal, isOptional: true),
        .derived("plainName", "canonical:(name)", .string),
      ],
      relationships: [
        .toMany("pets", "Pet", inverse: "owner"),
        .toMany("tags", "Tag", inverse: "persons", isOrdered: true),
      ],
      indexes: [
        FetchIndexDescription("byName", on: "name"), FetchIndexDescription("byAge", on: "age"),
        FetchIndexDescription("byPlainName", on: "plainName"),
      ])
    let pet = EntityDescription(
      "Pet",
      attributes: [
        AttributeDescription("name", .string, isOptional: true),
        AttributeDescription("age", .integer32, isOptional: true),
      ],
      relationships: [.toOne("owner", "Person", inverse: "pets")])
    let tag = EntityDescription(
      "Tag", attributes: [AttributeDescription("title", .string, isOptional: true)],
      relationships: [.toMany("persons", "Person", inverse: "tags")])
    // The model is written here, so a mistake in it is a mistake of the tests.
    return try! ManagedObjectModel(entities: [person, pet, tag])
  }()
  private static let shape = model.shape(named: "Person")!

  private func statement(
    _ predicate: FetchPredicate?, sortedBy terms: [SortTerm] = [], limit: Int? = nil
  ) throws -> String {
    let layout = CoreDataLayout(Self.model).layout
    let compiler = try FetchCompiler(
      StoreFetch(Self.shape, where: predicate, sortedBy: terms, limit: limit),
      EntityStatements(Self.shape, layout, Self.model, SQLiteDialect()), Self.model, layout,
      StoreScope(identifier: "S", entityNames: []))
    return compiler.rows().sql
  }

  private func condition(_ predicate: FetchPredicate) throws -> String {
    let sql = try statement(predicate)
    let start = try #require(sql.firstRange(of: " WHERE ")).upperBound
    let end = try #require(sql.range(of: " ORDER BY t0.", options: .backwards)).lowerBound
    return String(sql[start..<end])
  }

  private static func compare(
    _ left: FetchExpression, _ comparator: FetchPredicate.Comparator = .equal,
    _ right: FetchExpression = .constant(.integer(1))
  ) -> FetchPredicate {
    .comparison(.init(left, comparator, right))
  }

  private static let old = compare(.keyPath(["$p", "age"]), .greater, .constant(.integer(3)))

  static let constructs: [(FetchPredicate, String)] = [
    (compare(.arithmetic(.add, .keyPath("age"), .constant(.integer(1)))), "(t0.ZAGE + ?) = ?"),
    (
      compare(.arithmetic(.modulus, .keyPath("age"), .constant(.integer(2)))),
      "SPORADES_MODULUS(t0.ZAGE, ?) = ?"
    ),
    (
      compare(.arithmetic(.power, .keyPath("age"), .constant(.integer(2)))),
      "SPORADES_POWER(t0.ZAGE, ?) = ?"
    ),
    (
      compare(.arithmetic(.shiftLeft, .keyPath("age"), .constant(.integer(2)))),
      "SPORADES_LEFT(t0.ZAGE, ?) = ?"
    ),
    (
      compare(.arithmetic(.add, .keyPath("wealth"), .constant(.integer(1)))),
      "SPORADES_NUMBER(SPORADES_DECIMAL('+', NULLIF(t0.ZWEALTH, 'NaN'), ?)) = ?"
    ),
    (compare(.function(.length, [.keyPath("name")])), "SPORADES_LENGTH(t0.ZNAME) = ?"),
    (compare(.function(.year, [.keyPath("born")])), "SPORADES_YEAR(t0.ZBORN) = ?"),
    (
      compare(.function(.max, [.list([.keyPath("age"), .constant(.integer(18))])])),
      "SPORADES_MAX(t0.ZAGE, ?) = ?"
    ),
    (
      compare(.function(.median, [.keyPath("pets.age")])),
      "(SELECT SPORADES_MEDIAN_OF(t1.ZAGE, 0) FROM ZPET t1 WHERE t1.ZOWNER = t0.Z_PK) = ?"
    ),
    (
      compare(.aggregate(.average, ["pets", "age"])),
      "(SELECT CAST(SUM(t1.ZAGE) AS REAL) / COUNT(t1.ZAGE) FROM ZPET t1 WHERE t1.ZOWNER = t0.Z_PK) = ?"
    ),
    (
      compare(
        .function(
          .sum,
          [
            FetchPredicate.members(
              ["pets"], where: .constant(true),
              computing: .arithmetic(.multiply, .keyPath("age"), .constant(.integer(2))))
          ])),
      "COALESCE((SELECT SPORADES_TOTAL((t1.ZAGE * ?)) FROM ZPET t1 WHERE t1.ZOWNER = t0.Z_PK), 0) = ?"
    ),
    (
      compare(
        .function(.prefix, [.keyPath("name"), .constant(.integer(1))]), .equal, .constant("R")),
      "SPORADES_PREFIX(t0.ZNAME, ?) = ?"
    ),
    (
      compare(
        .function(.concat, [.keyPath("name"), .constant("!")]), .equal, .constant("Rex!")),
      "SPORADES_CONCAT(t0.ZNAME, ?) = ?"
    ),
    (
      compare(.function(.startOfMonth, [.keyPath("born")]), .equal, .constant(.null)),
      "SPORADES_STARTOFMONTH(t0.ZBORN) IS NULL"
    ),
    (
      compare(
        .conditional(
          compare(.keyPath("age"), .greater), .keyPath("age"), .constant(.integer(0)))),
      "(CASE WHEN t0.ZAGE > ? THEN t0.ZAGE ELSE ? END) = ?"
    ),
    (
      compare(.cast(.keyPath("age"), to: .text), .equal, .constant("1")),
      "SPORADES_CAST(t0.ZAGE, 'plain', 'NSString') = ?"
    ),
    (
      compare(.element(["tags"], at: .first, then: ["title"]), .equal, .constant("a")),
      "(SELECT t1.ZTITLE FROM Z_1TAGS t2 JOIN ZTAG t1 ON t1.Z_PK = t2.Z_3TAGS WHERE "
        + "t2.Z_1PERSONS = t0.Z_PK ORDER BY t2.Z_FOK_3TAGS, t1.Z_PK LIMIT 1) = ?"
    ),
    (
      compare(.subquery(["pets"], "p", old, .count)),
      "(SELECT COUNT(*) FROM ZPET t1 WHERE t1.ZOWNER = t0.Z_PK AND t1.ZAGE > ?) = ?"
    ),
    (
      compare(.subquery(["pets"], "p", old, then: ["age"], .aggregate(.max))),
      "(SELECT MAX(t1.ZAGE) FROM ZPET t1 WHERE t1.ZOWNER = t0.Z_PK AND t1.ZAGE > ?) = ?"
    ),
    (
      .comparison(
        .init(
          .subquery(["pets"], "p", old, then: ["name"]), .equal, .constant("Rex"),
          quantifier: .any)),
      "EXISTS (SELECT 1 FROM ZPET t1 WHERE t1.ZOWNER = t0.Z_PK AND t1.ZAGE > ? AND t1.ZNAME = ?)"
    ),
    (
      compare(
        .collection(FetchCollection(["pets"], values: ["name"], union: .distinct, asking: .count))),
      "(SELECT COUNT(value) FROM (SELECT DISTINCT t1.ZNAME AS value FROM ZPET t1 WHERE "
        + "t1.ZOWNER = t0.Z_PK AND t1.ZNAME IS NOT NULL)) = ?"
    ),
    (
      compare(
        .keyPath("name"), .isIn,
        .combined(.minus, .keyPath("pets.name"), .constant(.list(["Rex"])))),
      "(EXISTS (SELECT 1 FROM ZPET t1 WHERE t1.ZOWNER = t0.Z_PK AND t1.ZNAME IS t0.ZNAME) AND "
        + "(t0.ZNAME NOT IN (?) OR t0.ZNAME IS NULL))"
    ),
    (compare(.keyPath("name"), .isIn, .constant("Rex and Max")), "instr(?, t0.ZNAME) > 0"),
  ]

  @Test(arguments: constructs)
  func eachConstructBecomesItsSQL(construct: (FetchPredicate, String)) throws {
    let sql = try condition(construct.0)
    #expect(sql == construct.1, "\(sql)")
  }

  // MARK: - Plans

  private func plan(
    _ predicate: FetchPredicate?, sortedBy terms: [SortTerm] = [], limit: Int? = nil
  ) throws -> [String] {
    let path = Sample.temporaryPath()
    let store = try SQLiteStore(path: path, model: Self.model)
    defer { #expect(throws: Never.self) { try store.close() } }
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(path, &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    // The plan does not depend on what a function answers.
    for (name, count) in [("SPORADES_FOLD", Int32(2)), ("SPORADES_LENGTH", 1)] {
      let code = unsafe sqlite3_create_function_v2(
        database, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
        { context, _, _ in unsafe sqlite3_result_null(context) }, nil, nil, nil)
      #expect(code == SQLITE_OK)
    }
    let sql = try statement(predicate, sortedBy: terms, limit: limit)
    var statement: OpaquePointer?
    try #require(
      unsafe sqlite3_prepare_v2(database, "EXPLAIN QUERY PLAN \(sql)", -1, &statement, nil)
        == SQLITE_OK, "\(sql)")
    defer { unsafe sqlite3_finalize(statement) }
    var details: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      unsafe details.append(String(cString: sqlite3_column_text(statement, 3)))
    }
    return details
  }

  static let indexed: [(FetchPredicate, String)] = [
    (compare(.keyPath("name"), .equal, .constant("a")), "Z_Person_byName (ZNAME=?)"),
    (
      compare(.keyPath("age"), .between, .constant(.list([.integer(1), .integer(5)]))),
      "Z_Person_byAge (ZAGE>? AND ZAGE<?)"
    ),
    (
      compare(.keyPath("age"), .isIn, .constant(.list([.integer(1), .integer(2)]))),
      "Z_Person_byAge (ZAGE=?)"
    ),
    (
      compare(.keyPath("name"), .beginsWith, .constant("Jo")),
      "Z_Person_byName (ZNAME>? AND ZNAME<?)"
    ),
    (
      .comparison(.init(.keyPath("pets.name"), .equal, .constant("Rex"), quantifier: .any)),
      "SEARCH t1 USING INDEX ZPET_ZOWNER_INDEX (ZOWNER=?)"
    ),
    (
      compare(.subquery(["pets"], "p", old, .count)),
      "SEARCH t1 USING INDEX ZPET_ZOWNER_INDEX (ZOWNER=?)"
    ),
    (
      .comparison(
        .init(
          .keyPath("name"), .beginsWith, .constant("Jo"),
          options: [.caseInsensitive, .diacriticInsensitive])),
      "Z_Person_byPlainName (ZPLAINNAME>? AND ZPLAINNAME<?)"
    ),
    (
      .comparison(
        .init(
          .keyPath("name"), .equal, .constant("Jo"),
          options: [.caseInsensitive, .diacriticInsensitive])),
      "Z_Person_byPlainName (ZPLAINNAME=?)"
    ),
  ]

  @Test(arguments: indexed)
  func commonQuestionsUseAnIndex(question: (FetchPredicate, String)) throws {
    let plan = try plan(question.0)
    #expect(plan.contains { $0.contains(question.1) }, "\(plan)")
  }

  static let openRanges: [(FetchPredicate, String)] = [
    (compare(.keyPath("age"), .greater), "Z_Person_byAge (ZAGE>?)"),
    (compare(.keyPath("age"), .lessOrEqual), "Z_Person_byAge (ZAGE<?)"),
    (compare(.constant(.integer(3)), .less, .keyPath("age")), "Z_Person_byAge (ZAGE>?)"),
    (
      compare(.keyPath("name"), .greaterOrEqual, .constant("Jo")), "Z_Person_byName (ZNAME>?)"
    ),
    (
      compare(.keyPath("age"), .greater) && compare(.keyPath("wealth"), .notEqual),
      "Z_Person_byAge (ZAGE>?)"
    ),
  ]

  @Test(arguments: openRanges)
  func openRangesUseAnIndexAndSortOnlyKeys(question: (FetchPredicate, String)) throws {
    let plan = try plan(question.0)
    #expect(plan.contains { $0.contains(question.1) }, "\(plan)")
    #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
  }

  @Test func aFewRowsOfAnOpenRangeAreSoughtInTheOrderOfKeys() throws {
    let plan = try plan(Self.compare(.keyPath("age"), .greater), limit: 3)
    #expect(plan == ["SCAN t0"])
  }

  @Test func openRangesWithoutAnIndexAreScanned() throws {
    #expect(try plan(Self.compare(.keyPath("wealth"), .greater)) == ["SCAN t0"])
    let either = Self.compare(.keyPath("age"), .greater) || Self.compare(.keyPath("wealth"), .less)
    #expect(try plan(either) == ["SCAN t0"])
    let computed = Self.compare(.arithmetic(.add, .keyPath("age"), .constant(.integer(1))), .less)
    #expect(try plan(computed) == ["SCAN t0"])
  }

  @Test func anOrderWithALimitUsesAnIndex() throws {
    let plan = try plan(nil, sortedBy: [SortTerm("name")], limit: 3)
    #expect(plan.contains { $0.contains("Z_Person_byName") }, "\(plan)")
  }

  @Test func aValueWithoutItsIndexIsSought() throws {
    let plan = try plan(Self.compare(.function(.withoutIndex, [.keyPath("age")])))
    #expect(!plan.contains { $0.contains("Z_Person_byAge") }, "\(plan)")
  }
}

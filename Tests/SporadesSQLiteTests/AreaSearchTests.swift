// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// Ranges of several attributes are found by an R-tree, with the answers of a store in memory.
@Suite struct AreaSearchTests {
  private static let model = try! ManagedObjectModel(entities: [
    EntityDescription(
      "Spot",
      attributes: [
        AttributeDescription("latitude", .double, isOptional: true),
        AttributeDescription("longitude", .float, isOptional: true),
        AttributeDescription("floor", .integer16, isOptional: true),
      ],
      indexes: [
        FetchIndexDescription(
          "byPlace",
          [.init("latitude", collation: .rTree), .init("longitude", collation: .rTree)]),
        FetchIndexDescription("byFloor", [.init("floor", collation: .rTree)]),
        FetchIndexDescription("plain", on: "latitude"),
      ]),
    EntityDescription("Harbour", superentityName: "Spot"),
  ])
  private static let spot = model.shape(named: "Spot")!

  /// Values that 32 bits do not hold, none, and the largest.
  private static let numbers: [Double?] = [
    nil, 0, -0.0, 0.1, 1.0 / 3, 48.858_222_222_2, 48.858_222_222_3, -33.86, 1e-40, 3.4e38, 3.5e38,
    1e300, -1e300, .infinity, -.infinity, 16_777_217, 9_007_199_254_740_992, 3.4028234663852886e38,
    3.4028235677973366e38, 3.40282356779733e38, 1.4e-45, 7e-46, 7.1e-46, 1.17549435e-38,
    1.1754942e-38, -1e38, 1e38, 1.0000000001e38, -1.4e-45, -1e-40, .leastNonzeroMagnitude,
  ]

  private func rows(_ count: Int, _ random: inout SeededGenerator) throws -> ChangeSet {
    func slot(_ name: String) -> Int {
      guard case .attribute(let attribute)? = Self.spot[name] else { return 0 }
      return attribute.slot ?? 0
    }
    var builder = RowPageBuilder(layout: Self.spot.layout)
    for key in 1...count {
      builder.appendRow(
        RowKey(entity: key % 3 == 0 ? 2 : 1, primaryKey: Int64(key)), version: 1)
      if let latitude = Self.numbers.randomElement(using: &random) ?? nil {
        builder.set(slot("latitude"), to: latitude)
      }
      if let longitude = Self.numbers.randomElement(using: &random) ?? nil {
        builder.set(slot("longitude"), to: Double(Float(longitude)))
      }
      builder.set(slot("floor"), to: Int64(key % 5))
    }
    return ChangeSet(inserted: [builder.finish()])
  }

  @Test func aNewFileHasTheTree() throws {
    let path = Sample.temporaryPath()
    let store = try SQLiteStore(path: path, model: Self.model)
    #expect(!store.hasTriggers)
    try store.close()
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    let texts = unsafe try SQLRows.texts(
      database,
      "SELECT sql FROM sqlite_master WHERE name LIKE 'Z\\_Spot%' ESCAPE '\\' AND name NOT LIKE '%\\_%\\_%\\_%' "
        + "ESCAPE '\\' ORDER BY rowid")
    #expect(
      texts == [
        "CREATE INDEX Z_Spot_plain ON ZSPOT (ZLATITUDE COLLATE BINARY ASC)",
        "CREATE VIRTUAL TABLE Z_Spot_byPlace USING RTREE (Z_PK INTEGER PRIMARY KEY, ZLATITUDE_MIN, "
          + "ZLATITUDE_MAX, ZLONGITUDE_MIN, ZLONGITUDE_MAX)",
      ])
    #expect(
      unsafe try SQLRows.texts(
        database, "SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid")
        == ["INSERT", "UPDATE", "DELETE"].map { "Z_Spot_byPlace_\($0)" })
  }

  // MARK: - Plans

  @Test(arguments: [
    ("latitude BETWEEN {1, 2} AND longitude BETWEEN {3, 4}", true),
    ("latitude >= 1 AND (longitude <= 4 AND floor == 1)", true),
    ("1 < latitude AND longitude == 2", true),
    ("indexed:by:(latitude, \"byPlace\") BETWEEN {1, 2}", true),
    ("latitude BETWEEN {1, 2}", false),
    ("latitude BETWEEN {1, 2} OR longitude BETWEEN {3, 4}", false),
    ("NOT (latitude BETWEEN {1, 2} AND longitude BETWEEN {3, 4})", false),
    ("latitude > longitude AND longitude > 1", false),
  ])
  func aRangeOfAllAttributesIsFoundByTheTree(format: String, isFound: Bool) throws {
    let path = Sample.temporaryPath()
    try SQLiteStore(path: path, model: Self.model).close()
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    let statement = unsafe try Self.statement(for: FetchPredicate(format: format), database)
    let plan = unsafe try Self.plan(database, statement)
    #expect(plan.contains { $0.contains("VIRTUAL TABLE INDEX 2") } == isFound, "\(plan)")
    if isFound { #expect(!plan.contains { $0.hasPrefix("SCAN t0") }, "\(plan)") }
  }

  /// The statement of a fetch of spots from a new store.
  @unsafe
  private static func statement(
    for predicate: FetchPredicate, _ database: OpaquePointer?
  ) throws -> String {
    let layout = try CoreDataLayout(model).existing(
      in: unsafe Catalog(database: database), SQLiteDialect())
    return try FetchCompiler(
      StoreFetch(spot, where: predicate),
      EntityStatements(spot, layout, model, SQLiteDialect()), model, layout,
      StoreScope(identifier: "S", entityNames: [])
    ).rows().sql
  }

  @unsafe
  private static func plan(_ database: OpaquePointer?, _ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    try #require(
      unsafe sqlite3_prepare_v2(database, "EXPLAIN QUERY PLAN \(sql)", -1, &statement, nil)
        == SQLITE_OK, "\(sql)")
    defer { unsafe sqlite3_finalize(statement) }
    var details: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      details.append(
        unsafe sqlite3_column_text(statement, 3).map { unsafe String(cString: $0) } ?? "")
    }
    return details
  }

  /// Fetches that differ in constants alone share a statement, so that no constant may keep them from the tree.
  @Test func aBoundBeyondTheTreeIsABoundOfTheSameStatement() throws {
    let path = Sample.temporaryPath()
    try SQLiteStore(path: path, model: Self.model).close()
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    let statements = try [1, 1e38, 1e39, .infinity].map { bound -> String in
      let predicate = try FetchPredicate(
        format: "latitude <= %@ AND longitude >= %@", bound, -bound)
      return unsafe try Self.statement(for: predicate, database)
    }
    #expect(statements[0].contains("Z_Spot_byPlace"))
    #expect(Set(statements).count == 1)
  }

  // MARK: - Answers

  @Test(arguments: [1, 2, 3]) func answersLikeAStoreInMemory(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let changes = try rows(200, &random)
    let file = try SQLiteStore(path: Sample.temporaryPath(), model: Self.model)
    let memory = MemoryStore(model: Self.model)
    for store in [file, memory] as [any PersistentStore] { try store.execute(changes) }
    try file.commit(.immediate)
    for _ in 0..<300 {
      let predicate = predicate(&random)
      for name in ["Spot", "Harbour"] {
        var fetch = StoreFetch(try #require(Self.model.shape(named: name)), where: predicate)
        fetch.includesSubentities = Bool.random(using: &random)
        let found = try file.keys(fetch, in: .committed).map(\.primaryKey)
        let expected = try memory.keys(fetch, in: .accepted).map(\.primaryKey)
        #expect(found == expected, "seed \(seed): \(predicate.predicateFormat)")
      }
    }
    try file.close()
  }

  private func predicate(_ random: inout SeededGenerator) -> FetchPredicate {
    let parts = ["latitude", "longitude"].map { name -> FetchPredicate in
      let path: FetchExpression =
        Bool.random(using: &random) ? .keyPath([name]) : .indexed([name], by: "byPlace")
      let bounds = (0..<2).map { _ in
        (Self.numbers.compactMap(\.self) + [.nan]).randomElement(using: &random) ?? 0
      }
      let comparators: [FetchPredicate.Comparator] = [
        .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual,
      ]
      if Bool.random(using: &random) {
        return .comparison(
          .init(path, .between, .constant(.list(bounds.map { .double($0) }))))
      }
      let comparator = comparators.randomElement(using: &random) ?? .less
      let sides: (FetchExpression, FetchExpression) = (path, .constant(.double(bounds[0])))
      return .comparison(
        Bool.random(using: &random)
          ? .init(sides.0, comparator, sides.1) : .init(sides.1, comparator, sides.0))
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .or(parts)
    case 1: return .and([.not(.and(parts)), parts[0]])
    case 2: return .and([.and(parts), .not(.not(parts[1]))])
    case 3: return .not(.or(parts))
    default: return .and(parts)
    }
  }

  // MARK: - The language

  @Test func thePredicateReadsAndWritesItself() throws {
    let format = "indexed:by:(latitude, \"byPlace\") >= 1"
    let predicate = try FetchPredicate(format: format)
    #expect(predicate.predicateFormat == format)
    #expect(try FetchPredicate(format: predicate.predicateFormat) == predicate)
    let other = try FetchPredicate(format: "indexed:by:(%K, %@) >= %d", "latitude", "byPlace", 1)
    #expect(other == predicate)
  }

  @Test(arguments: [
    "indexed:by:(latitude, \"byNothing\") > 1", "indexed:by:(floor, \"byPlace\") > 1",
    "indexed:by:(height, \"byPlace\") > 1",
  ])
  func anIndexThatDoesNotFitIsRefused(format: String) throws {
    let predicate = try FetchPredicate(format: format)
    let error = #expect(throws: FetchPredicateError.self) {
      try predicate.validate(in: Self.spot, Self.model)
    }
    #expect(error?.code == .unknownKeyPath)
  }

  @Test(arguments: ["indexed:by:(1, \"a\") > 1", "indexed:by:(latitude, b) > 1", "indexed:by > 1"])
  func aCallInAnotherFormIsASyntaxError(format: String) {
    #expect(throws: FetchPredicateError.self) { try FetchPredicate(format: format) }
  }

  // MARK: - Files

  @Test func theTreeFollowsUpdatesAndDeletions() throws {
    var random = SeededGenerator(seed: 4)
    let path = Sample.temporaryPath()
    let store = try SQLiteStore(path: path, model: Self.model)
    try store.execute(rows(3, &random))
    var builder = RowPageBuilder(layout: Self.spot.layout)
    builder.appendRow(RowKey(entity: 1, primaryKey: 1), version: 2)
    let slots = Self.spot.attributes.compactMap(\.slot).prefix(2)
    for slot in slots { builder.set(slot, to: 7.5) }
    try store.execute(
      ChangeSet(
        updated: [Sample.updates(builder.finish(), Array(slots))],
        deleted: [DeletedRow(key: RowKey(entity: 1, primaryKey: 2), version: 1)]))
    try store.commit(.immediate)
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    #expect(
      unsafe try SQLRows.texts(database, "SELECT Z_PK FROM Z_Spot_byPlace ORDER BY Z_PK")
        == ["1", "3"])
    #expect(
      unsafe try SQLRows.texts(
        database, "SELECT ZLATITUDE_MIN || ' ' || ZLONGITUDE_MAX FROM Z_Spot_byPlace WHERE Z_PK = 1"
      )
        == ["7.5 7.5"])
    try store.close()
  }

  /// A file of an earlier version has neither the tree nor its triggers.
  @Test func aFileWithoutTheTreeGoesOn() throws {
    let path = Sample.temporaryPath()
    try SQLiteStore(path: path, model: Self.model).close()
    let database = unsafe try StoreFixture.database(path)
    for event in ["INSERT", "UPDATE", "DELETE"] {
      unsafe try SQLRows.run(database, "DROP TRIGGER Z_Spot_byPlace_\(event)")
    }
    unsafe try SQLRows.run(database, "DROP TABLE Z_Spot_byPlace")
    unsafe sqlite3_close(database)
    var random = SeededGenerator(seed: 5)
    let store = try SQLiteStore(path: path, model: Self.model)
    try store.execute(rows(50, &random))
    let place = try FetchPredicate(
      format: "indexed:by:(latitude, \"byPlace\") >= -90 AND longitude <= 180")
    let count = try store.count(StoreFetch(Self.spot, where: place), in: .accepted)
    let all = try FetchPredicate(format: "latitude >= -90 AND longitude <= 180")
    #expect(try count == store.count(StoreFetch(Self.spot, where: all), in: .accepted))
    try store.close()
  }

  /// A tree without its triggers may miss rows that another program wrote.
  @Test func aTreeThatTheFileDoesNotMaintainIsNotAsked() throws {
    let path = Sample.temporaryPath()
    try SQLiteStore(path: path, model: Self.model).close()
    let database = unsafe try StoreFixture.database(path)
    unsafe try SQLRows.run(database, "DROP TRIGGER Z_Spot_byPlace_INSERT")
    unsafe try SQLRows.run(
      database,
      "INSERT INTO ZSPOT (Z_PK, Z_ENT, Z_OPT, ZLATITUDE, ZLONGITUDE) VALUES (1, 1, 1, 5, 5)")
    unsafe sqlite3_close(database)
    let store = try SQLiteStore(path: path, model: Self.model)
    let place = try FetchPredicate(format: "latitude == 5 AND longitude == 5")
    #expect(try store.count(StoreFetch(Self.spot, where: place), in: .committed) == 1)
    try store.close()
  }
}

/// A file's tables and triggers, as plain SQL reads them.
@safe private struct Catalog: StoreCatalog {
  private let database: OpaquePointer?

  init(database: OpaquePointer?) { unsafe self.database = unsafe database }

  var tables: Set<String> {
    let names = unsafe try? SQLRows.texts(
      database, "SELECT name FROM sqlite_master WHERE rootpage > 0 AND type = 'table'")
    return Set(names ?? [])
  }
  var numbers: [String: Int] { ["Spot": 1, "Harbour": 2] }

  func columns(of table: String) throws(StoreError) -> [String] {
    try texts("SELECT name FROM pragma_table_info('\(table)')")
  }

  func triggers() throws(StoreError) -> [String: String] {
    let names = try texts("SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid")
    let texts = try texts("SELECT sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid")
    return Dictionary(uniqueKeysWithValues: zip(names, texts))
  }

  private func texts(_ sql: String) throws(StoreError) -> [String] {
    do { return unsafe try SQLRows.texts(database, sql) } catch {
      throw StoreError(.corrupt, "\(error)")
    }
  }
}

// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Sporades
import SporadesContainers
import SporadesStatements
import SporadesStore
import SporadesTesting
import Testing

@Suite struct StatementRefusalTests {
  private func refusal(_ query: SQLQuery) throws -> SQLQueryError.Code? {
    try makeStack().main.performAndWait { context throws in
      code { _ = try context.rows(query, as: Int.self) }
    }
  }

  @Test(
    arguments: [
      "INSERT INTO ZPERSON (Z_PK) VALUES (1)", "INSERT INTO ZPERSON (Z_PK) VALUES (1) RETURNING 1",
      "UPDATE ZPERSON SET ZAGE = 1", "DELETE FROM ZPERSON",
      "REPLACE INTO ZPERSON (Z_PK) VALUES (1)",
      "WITH x AS (SELECT 1) DELETE FROM ZPERSON", "CREATE TABLE t (a)", "CREATE TEMP TABLE t (a)",
      "CREATE INDEX i ON ZPERSON (ZAGE)", "CREATE VIEW v AS SELECT 1", "DROP TABLE ZPERSON",
      "ALTER TABLE ZPERSON ADD COLUMN x", "PRAGMA user_version", "PRAGMA journal_mode = DELETE",
      "PRAGMA data_version", "ATTACH ':memory:' AS other", "DETACH main", "BEGIN",
      "BEGIN IMMEDIATE",
      "COMMIT", "ROLLBACK", "SAVEPOINT s", "RELEASE s", "VACUUM", "VACUUM INTO '/tmp/never'",
      "ANALYZE", "REINDEX", "EXPLAIN DELETE FROM ZPERSON", "SELECT * FROM pragma_user_version",
      "CREATE VIRTUAL TABLE r USING rtree(a, b, c)",
    ] as [SQLQuery])
  func whatDoesNotReadIsRefused(_ query: SQLQuery) throws {
    #expect(try refusal(query) == .writes, "\(query)")
  }

  @Test func theTableOfTablesIsRead() throws {
    #expect(try refusal("SELECT count(*) FROM sqlite_master") == nil)
    #expect(try refusal("UPDATE sqlite_master SET type = 'x'") != nil)
    #expect(
      try refusal("WITH x AS (SELECT 1) UPDATE sqlite_master SET type = 'x' RETURNING 1") != nil)
    #expect(try refusal("WITH x AS (SELECT 1) DELETE FROM sqlite_master RETURNING 1") != nil)
  }

  @Test func functionsWithEffectsAreRefused() throws {
    #expect(try refusal("SELECT load_extension('x')") == .function("load_extension"))
    #expect(try refusal("SELECT 1 WHERE sqlite_log(1, 'x')") == .function("sqlite_log"))
    #expect(try refusal("SELECT fts3_tokenizer('x')") == .function("fts3_tokenizer"))
    // The program registered it, and did not say that it is harmless.
    let store = try SQLiteStore(inMemory: try ManagedObjectModel(classes))
    unsafe store.withWriter { handle in
      unsafe sqlite3_create_function_v2(
        handle, "Writefile", 1, SQLITE_UTF8, nil,
        { context, _, _ in
          unsafe sqlite3_result_int(context, 1)
        }, nil, nil, nil)
    }
    try DataStack(store: store).main.performAndWait { context throws in
      let refused = code { _ = try context.rows("SELECT writefile('x')", as: Int.self) }
      #expect(refused == .function("writefile"))
    }
  }

  @Test func functionsWithoutEffectsAreAllowed() throws {
    try makeStack().main.performAndWait { context throws in
      let numbers = try context.rows("SELECT value FROM json_each('[3, 4]')", as: Int.self)
      #expect(numbers == [3, 4])
      #expect(try context.rows("SELECT json_extract('[1, 2]', '$[1]')", as: Int.self) == [2])
      #expect(try context.rows("SELECT abs(random()) >= 0", as: Bool.self) == [true])
      let plan = try context.rows("EXPLAIN QUERY PLAN SELECT 1", as: (Int, Int, Int, String).self)
      #expect(!plan.isEmpty)
    }
  }

  @Test func thereIsOneWholeStatement() throws {
    #expect(try refusal("SELECT 1; SELECT 2") == .severalStatements)
    #expect(try refusal("SELECT 1; DROP TABLE ZPERSON") == .severalStatements)
    #expect(try refusal("SELECT 1; ; nonsense") == .severalStatements)
    #expect(try refusal("SELECT 1; -- done\n ;;") == nil)
    #expect(try refusal("SELECT (1") == .unfinished)
    #expect(try refusal("SELECT") == .unfinished)
    #expect(try refusal("") == .unfinished)
    #expect(try refusal(" -- nothing") == .unfinished)
    #expect(try refusal("SELECT 1\0; DROP TABLE ZPERSON") == .failed)
  }

  @Test func whatTheDatabaseDoesNotUnderstandIsTold() throws {
    let error = #expect(throws: SQLQueryError.self) {
      try makeStack().main.performAndWait {
        try $0.rows("SELECT nosuch FROM \(Person.self)", as: Int.self)
      }
    }
    #expect(error?.code == .failed)
    #expect(error?.description == "SQLite says of the statement: no such column: nosuch.")
    #expect(try refusal("SELECT json('x')") == .failed)
  }

  @Test func aTextHasNoParametersOfItsOwn() throws {
    for query in ["SELECT ?", "SELECT ?1, \(2)", "SELECT :a", "SELECT \(1), @a"] as [SQLQuery] {
      #expect(try refusal(query) == .parameters)
    }
  }

  @Test func columnsFitTheType() throws {
    try makeStack().main.performAndWait { context throws in
      let count = code { _ = try context.rows("SELECT 1, 2, 3", as: (Int, Int).self) }
      #expect(count == .columnCount(expected: 2, found: 3))
      let single = code { _ = try context.rows("SELECT 1, 2", as: Int.self) }
      #expect(single == .columnCount(expected: 1, found: 2))
      #expect(try context.rows("SELECT 1 WHERE 0", as: Int.self) == [])
    }
  }

  private struct Named: Decodable {
    var size: Int
    var other: Int?
  }

  @Test func errorsNameTheColumn() throws {
    try makeStack().main.performAndWait { context throws in
      #expect(
        code { _ = try context.rows("SELECT 1, NULL AS size", as: (Int, Int).self) }
          == .null(column: "size"))
      #expect(
        code { _ = try context.rows("SELECT 'a' AS size", as: Int.self) }
          == .mismatch(column: "size"))
      #expect(
        code { _ = try context.rows("SELECT 300 AS size", as: UInt8.self) }
          == .mismatch(column: "size"))
      #expect(
        code { _ = try context.rows("SELECT 40000 AS size, 1", as: (Int16, Int).self) }
          == .mismatch(column: "size"))
      #expect(
        code { _ = try context.rows("SELECT 1 AS size", as: Named.self) } == .missingColumn("other")
      )
      #expect(
        code { _ = try context.rows("SELECT 1 AS size, 2 AS size, 3 AS other", as: Named.self) }
          == .ambiguousColumn("size"))
      #expect(
        code { _ = try context.rows("SELECT 1.5 AS size, 2 AS other", as: Named.self) }
          == .mismatch(column: "size"))
      #expect(
        code { _ = try context.rows("SELECT x'00' AS size, 2", as: (UUID, Int).self) }
          == .mismatch(column: "size"))
    }
  }

  @Test func aKeyOfAnUnknownEntityIsNoId() throws {
    let stack = try makeStack()
    try stack.fillOrganization()
    try stack.main.performAndWait { context throws in
      let query: SQLQuery = "SELECT max(\(\Person.objectID)) AS last FROM \(Person.self)"
      #expect(
        code { _ = try context.rows(query, as: ManagedObjectID.self) } == .mismatch(column: "last"))
      // The class says it.
      #expect(try context.rows(query, as: Person.self).map(\.name) == ["Gail"])
      let boss: SQLQuery =
        "SELECT \(\Person.boss) AS boss FROM \(Person.self) WHERE \(\Person.name) = 'Bob'"
      #expect(code { _ = try context.rows(boss, as: Project.self) } == .mismatch(column: "boss"))
    }
  }

  @Test func whatNoColumnHoldsIsRefused() throws {
    let queries: [SQLQuery] = [
      "SELECT \(\Person.reports) FROM \(Person.self)",
      "SELECT \(\Person.projects) FROM \(Person.self)",
      "SELECT \(\Person.boss?.name) FROM \(Person.self)",
      "SELECT \(\Sample.spot) FROM \(Sample.self)",
      "SELECT \(\Person.name.count) FROM \(Person.self)", "SELECT * FROM \(links: \Person.boss)",
      "SELECT s.\(\Sample.photo) FROM \(Sample.self, as: "s")",
    ]
    for query in queries { #expect(try refusal(query) == .interpolation) }
    try makeStack().newContext().performAndWait { context throws in
      let new = Person.create(in: context)
      #expect(code { _ = try context.rows("SELECT \(new)", as: Int.self) } == .interpolation)
    }
  }

  @Test func aStoreWithoutSQLIsRefusedByName() throws {
    let stack = DataStack(
      store: MemoryStore(model: try ManagedObjectModel(classes)), classes: classes)
    let error = #expect(throws: SQLQueryError.self) {
      try stack.main.performAndWait { try $0.rows("SELECT 1", as: Int.self) }
    }
    #expect(error?.code == .noSQL)
    #expect(error?.description.contains("MemoryStore") == true)
  }

  @Test func oneStoreOfSeveralIsMeant() throws {
    let model = try ManagedObjectModel(classes)
    let coordinator = PersistentStoreCoordinator(model: model)
    let (first, second) = (try SQLiteStore(inMemory: model), try SQLiteStore(inMemory: model))
    try coordinator.addPersistentStore(first)
    try coordinator.addPersistentStore(second)
    let stack = DataStack(store: coordinator, classes: classes)
    try stack.fill { context in
      for (name, store) in [("Ann", first), ("Bob", second)] {
        let person = Manager.create(in: context)
        person.name = name
        try context.assign(person, to: store)
      }
    }
    try stack.main.performAndWait { context throws in
      var query: SQLQuery = "SELECT \(\Person.name), \(\Person.objectID) FROM \(Person.self)"
      let refused = code { _ = try context.rows(query, as: (String, ManagedObjectID).self) }
      #expect(refused == .notOneStore([first.identifier, second.identifier]))
      query.storeIdentifier = second.identifier
      let rows = try context.rows(query, as: (String, Manager).self)
      #expect(rows.map(\.0) == ["Bob"])
      #expect(rows.map(\.1.name) == ["Bob"])
      let bob = try #require(rows.first?.1)
      var own: SQLQuery =
        "SELECT \(\Person.name) FROM \(Person.self) WHERE \(\Person.objectID) = \(bob)"
      own.storeIdentifier = second.identifier
      #expect(try context.rows(own, as: String.self) == ["Bob"])
      own.storeIdentifier = first.identifier
      #expect(code { _ = try context.rows(own, as: String.self) } == .interpolation)
      own.storeIdentifier = "none"
      #expect(code { _ = try context.rows(own, as: String.self) } == .notOneStore([]))
    }
  }

  /// The R-tree of an index of places prepares statements that write, when a connection meets it.
  @Test func aVirtualTableIsReadByAFreshConnection() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("places.sqlite")
    try makeStack(at: url).store.close()
    try run(
      "CREATE VIRTUAL TABLE places USING rtree(id, low, high); INSERT INTO places VALUES (1, 2, 3);"
        + "CREATE VIRTUAL TABLE words USING fts5(word); INSERT INTO words VALUES ('hello world')",
      on: url)
    try makeStack(at: url).main.performAndWait { context throws in
      #expect(try context.rows("SELECT low FROM places WHERE high > 1", as: Double.self) == [2])
      let found = try context.rows(
        "SELECT highlight(words, 0, '<', '>') FROM words WHERE words MATCH 'world'", as: String.self
      )
      #expect(found == ["hello <world>"])
      #expect(
        code { _ = try context.rows("DELETE FROM places RETURNING 1", as: Int.self) } == .writes)
    }
  }
}

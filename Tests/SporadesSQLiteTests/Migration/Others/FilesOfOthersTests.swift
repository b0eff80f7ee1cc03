// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// What the tests and issues of other projects ask of a migration, about the file: other people's tables, views,
/// triggers and indexes, failures, and repeated attempts.
@Suite struct FilesOfOthersTests {
  private let old = entity("Dog", text("name"), attribute("age", .integer16), text("nick"))
  /// The table is written anew: an attribute goes, and one changes its type.
  private let new = entity("Dog", text("call", was: "name"), text("age"))

  private func dogs() throws -> OtherStore {
    try OtherStore(old) { context throws in
      try context.add("Dog", ["name": "Rex", "age": 3, "nick": "R"])
      try context.add("Dog", ["name": "Bo", "age": 12])
    }
  }

  // MARK: - GRDB

  @Test func aSecondOpeningWritesNothing() throws {
    let store = try dogs()
    try store.open(new) { _ in }
    let before = try store.rows("SELECT rootpage, sql FROM sqlite_master")
    let version = try store.texts("PRAGMA schema_version")
    try store.open(new) { context throws in
      #expect(try context.valuesByKey("Dog", "call") == ["Rex", "Bo"])
    }
    #expect(try store.rows("SELECT rootpage, sql FROM sqlite_master") == before)
    #expect(try store.texts("PRAGMA schema_version") == version)
    #expect(try store.forecast(new).steps.isEmpty)
  }

  @Test func aRefusedMigrationLeavesTheFileAndTheNextAttemptSucceeds() throws {
    let store = try OtherStore(entity("Dog", text("age"))) { try $0.add("Dog", ["age": "old"]) }
    let newer = entity("Dog", attribute("age", .integer16))
    let before = try PlainStore(store.path).contents()
    #expect(try store.problems(newer).count == 1)
    #expect(try PlainStore(store.path).contents() == before)
    try store.change(store.model) { try $0.allByKey("Dog")[0]["age"] = "7" }
    try store.open(newer) { context throws in #expect(try context.valuesByKey("Dog", "age") == [7])
    }
  }

  /// A table that refers to the rows with ON DELETE CASCADE loses none when their table is written anew.
  @Test func rowsThatReferToATableSurviveItsRewriting() throws {
    let store = try dogs()
    try store.sql(
      "CREATE TABLE notes (id INTEGER PRIMARY KEY, dog INTEGER REFERENCES ZDOG(Z_PK) ON DELETE CASCADE, text TEXT);"
        + "INSERT INTO notes VALUES (1, 1, 'good'), (2, 2, 'bad')")
    try store.open(new) { _ in }
    #expect(try store.texts("SELECT text FROM notes ORDER BY id") == ["good", "bad"])
    #expect(try store.rows("PRAGMA foreign_key_check") == [])
    #expect(
      try store.texts("SELECT sql FROM sqlite_master WHERE name = 'notes'")[0].contains(
        "REFERENCES ZDOG"))
  }

  @Test func aReferenceFollowsARenamedTable() throws {
    let store = try dogs()
    try store.sql(
      "CREATE TABLE notes (dog INTEGER REFERENCES ZDOG(Z_PK)); INSERT INTO notes VALUES (1)")
    let creation = try store.texts("SELECT sql FROM sqlite_master WHERE name = 'notes'")
    try store.open(
      entity("Hound", text("name"), attribute("age", .integer16), text("nick")) {
        $0.renamingIdentifier = "Dog"
      }
    ) { context throws in #expect(try context.valuesByKey("Hound", "name") == ["Rex", "Bo"]) }
    #expect(try store.texts("SELECT dog FROM notes") == ["1"])
    // The text of what others made stays as it was.
    #expect(try store.texts("SELECT sql FROM sqlite_master WHERE name = 'notes'") == creation)
  }

  @Test func readersInOtherConnectionsSeeOneStateOrTheOther() throws {
    let store = try dogs()
    let reader = try PlainStore(store.path)
    try reader.run("BEGIN")
    #expect(try reader.rows("SELECT ZNAME FROM ZDOG").count == 2)
    try store.open(new) { _ in }
    #expect(try reader.rows("SELECT ZNAME FROM ZDOG").count == 2)
    try reader.run("COMMIT")
    #expect(try reader.rows("SELECT ZCALL FROM ZDOG").count == 2)
  }

  // MARK: - Rails, EF Core

  @Test func aViewAndATriggerSurviveARewrittenTable() throws {
    let store = try dogs()
    try store.sql(
      "CREATE VIEW names AS SELECT Z_PK AS number FROM ZDOG;"
        + "CREATE TABLE log (text TEXT);"
        + "CREATE TRIGGER mine AFTER INSERT ON ZDOG BEGIN INSERT INTO log VALUES ('inserted'); END")
    try store.open(new) { try $0.add("Dog", ["call": "New"]) }
    #expect(try store.texts("SELECT COUNT(*) FROM names") == ["3"])
    #expect(try store.texts("SELECT text FROM log") == ["inserted"])
  }

  @Test func aTriggerThatNeedsAGoneColumnIsAProblemByName() throws {
    let store = try dogs()
    try store.sql(
      "CREATE TABLE log (text TEXT);"
        + "CREATE TRIGGER mine AFTER UPDATE ON ZDOG BEGIN INSERT INTO log VALUES (NEW.ZNICK); END")
    let error = try store.refusal(new)
    #expect(error?.detail.contains("mine") == true, "\(error as Any)")
    let forecast = try store.forecast(new)
    #expect(
      forecast.problems.map(\.sentence) == [
        "The trigger mine of another program does not fit the new tables: no such column: NEW.ZNICK. Change it, or drop "
          + "it."
      ])
    #expect(try store.texts("SELECT name FROM sqlite_master WHERE type = 'trigger'") == ["mine"])
  }

  @Test func columnsAndIndexesOfOthersSurvive() throws {
    let store = try dogs()
    try store.sql(
      "ALTER TABLE ZDOG ADD COLUMN color TEXT DEFAULT 'brown'; UPDATE ZDOG SET color = 'red' WHERE Z_PK = 2;"
        + "CREATE INDEX colors ON ZDOG (color) WHERE color NOT NULL")
    try store.open(new) { _ in }
    #expect(try store.texts("SELECT color FROM ZDOG ORDER BY Z_PK") == ["brown", "red"])
    #expect(try store.texts("SELECT name FROM sqlite_master WHERE name = 'colors'") == ["colors"])
    try store.open(new, entity("Aardvark", text("x"))) { try $0.add("Dog", ["call": "New"]) }
    #expect(try store.texts("SELECT color FROM ZDOG ORDER BY Z_PK") == ["brown", "red", "brown"])
  }

  @Test func anIndexOfOthersOverAGoneColumnGoes() throws {
    let store = try dogs()
    try store.sql("CREATE INDEX nicks ON ZDOG (ZNICK); CREATE INDEX ages ON ZDOG (ZAGE)")
    try store.open(new) { _ in }
    let names = try store.texts("SELECT name FROM sqlite_master WHERE name IN ('nicks', 'ages')")
    #expect(names == ["ages"])
  }

  @Test func partialIndexesOfTheModelFollowTheirAttributes() throws {
    let store = try OtherStore(
      entity("Dog", text("name"), attribute("age", .integer16)) {
        $0.indexes = [.init("grown", [.init("name")], where: .compare("age"))]
      }
    ) { try $0.add("Dog", ["name": "Rex", "age": 3]) }
    try store.open(
      entity("Dog", text("call", was: "name"), attribute("years", .integer16, was: "age")) {
        $0.indexes = [.init("grown", [.init("call")], where: .compare("years"))]
      }
    ) { context throws in #expect(try context.valuesByKey("Dog", "call") == ["Rex"]) }
    let texts = try store.texts("SELECT sql FROM sqlite_master WHERE name LIKE '%grown%'")
    #expect(texts.count == 1 && texts[0].contains("ZCALL") && texts[0].contains("ZYEARS"))
  }

  // MARK: - MagicalRecord

  /// Rows that still lie in the log of a process that ended are there afterwards.
  @Test func rowsInTheLogAreNotLost() throws {
    let store = try dogs()
    let writer = try PlainStore(store.path)
    try writer.run(
      "PRAGMA wal_autocheckpoint = 0; INSERT INTO ZDOG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (9, 1, 1, 'Log')"
    )
    let target = Sample.temporaryPath()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: store.path + suffix, toPath: target + suffix)
    }
    let model = try ManagedObjectModel(entities: [new])
    try SQLiteStore.migrate(
      storeAt: URL(fileURLWithPath: target), to: model, options: .losing)
    let names = try PlainStore(target).rows("SELECT ZCALL FROM ZDOG ORDER BY Z_PK")
    #expect(names == [[.text("Rex")], [.text("Bo")], [.text("Log")]])
  }

  @Test func metadataOfTheApplicationAndTheIdentifierStay() throws {
    let store = try dogs()
    let opened = try SQLiteStore(path: store.path, model: store.model)
    var metadata = try opened.metadata()
    metadata["account"] = .string("ada")
    try opened.setMetadata(metadata)
    try opened.commit(.eventual)
    let identifier = opened.identifier
    try opened.close()
    let newer = try SQLiteStore(
      path: store.path, model: ManagedObjectModel(entities: [new]), options: .losing)
    #expect(try newer.metadata()["account"] == .string("ada"))
    #expect(newer.identifier == identifier)
    try newer.close()
  }

  @Test func aCancelledMigrationChangesNothing() throws {
    let store = try dogs()
    let before = try PlainStore(store.path).contents()
    let progress = MigrationProgress()
    progress.observe { _ in progress.cancel() }
    var options = SQLiteStoreOptions.losing
    options.migration.progress = progress
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore.migrate(
        storeAt: store.url, to: ManagedObjectModel(entities: [new]), options: options)
    }
    guard case .cancelled? = error?.code else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(try PlainStore(store.path).contents() == before)
    try store.open(new) { context throws in
      #expect(try context.valuesByKey("Dog", "age") == ["3", "12"])
    }
  }

  @Test func aForecastChangesNothing() throws {
    let store = try dogs()
    let before = try FolderImage(ofStoreAt: store.path)
    let forecast = try store.forecast(new)
    #expect(!forecast.steps.isEmpty && forecast.rows > 0)
    #expect(forecast.losses.map(\.property) == ["nick"])
    #expect(try FolderImage(ofStoreAt: store.path) == before)
  }

  @Test func progressGrowsToOne() throws {
    let store = try dogs()
    let progress = MigrationProgress()
    var options = SQLiteStoreOptions.losing
    options.migration.progress = progress
    try SQLiteStore.migrate(
      storeAt: store.url, to: ManagedObjectModel(entities: [new]), options: options)
    #expect(progress.fractionCompleted == 1)
  }
}

extension FetchPredicate {
  /// `age > 1`
  fileprivate static func compare(_ name: String) -> FetchPredicate {
    // The format is written here, so a mistake in it is a mistake of the tests.
    do { return try FetchPredicate(format: "\(name) > 1") } catch {
      preconditionFailure("\(error)")
    }
  }
}

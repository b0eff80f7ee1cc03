// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesCare
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Every error of SQLite that reaches a user names the file, the attempt, SQLite's words and code, and what to do.
@Suite struct ErrorTextTests {
  private let persons = StoreFetch(Sample.shape("Person"))
  private let path = Sample.temporaryPath()

  private func open(_ change: (inout SQLiteStoreOptions) -> Void = { _ in }) throws -> SQLiteStore {
    var options = SQLiteStoreOptions()
    options.busyMilliseconds = 1
    change(&options)
    return try SQLiteStore(path: path, model: Sample.model, options: options)
  }

  private func insert(_ store: SQLiteStore, _ key: Int64, _ values: [String: Value] = [:]) throws {
    try store.execute(ChangeSet(inserted: [Sample.page("Person", [(key, values)])]))
  }

  private func edit(_ sql: String) throws {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close_v2(database) }
    try #require(unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
  }

  private func expect(
    _ error: StoreError?, _ code: StoreError.Code, _ parts: [String],
    _ location: SourceLocation = #_sourceLocation
  ) {
    let text = error.map { "\($0)" } ?? ""
    #expect(error?.code == code, "\(text)", sourceLocation: location)
    for part in [path] + parts {
      #expect(text.contains(part), "\(text)", sourceLocation: location)
    }
    #expect(text.components(separatedBy: path).count == 2, "\(text)", sourceLocation: location)
  }

  @Test func aFileThatAnotherHolds() throws {
    let (first, second) = (try open(), try open())
    try insert(first, 1)
    let busy = #expect(throws: StoreError.self) { try insert(second, 2) }
    expect(
      busy, .busy,
      ["BEGIN", "SQLite 5: database is locked", "busyMilliseconds", "End the other transaction"])
  }

  @Test func aFullDisk() throws {
    let store = try open()
    unsafe store.withWriter {
      unsafe _ = sqlite3_exec($0, "PRAGMA max_page_count = 1", nil, nil, nil)
    }
    let full = #expect(throws: StoreError.self) {
      for key in 1...999 { try insert(store, Int64(key), ["name": .string("\(key)")]) }
    }
    expect(full, .full, ["INSERT INTO ZPERSON", "SQLite 13: database or disk is full", "room"])
  }

  @Test func aFileThatMayOnlyBeRead() throws {
    try open().close()
    let store = try open()
    unsafe store.withWriter {
      unsafe _ = sqlite3_exec($0, "PRAGMA query_only = 1", nil, nil, nil)
    }
    let refused = #expect(throws: StoreError.self) { try insert(store, 1) }
    expect(refused, .readOnly, ["SQLite 8: attempt to write a readonly database", "permissions"])
    var options = SQLiteStoreOptions()
    options.isReadOnly = true
    let reader = try SQLiteStore(path: path, model: Sample.model, options: options)
    expect(
      #expect(throws: StoreError.self) { try insert(reader, 1) }, .readOnly,
      ["was opened for reading only"])
  }

  @Test func aDamagedFile() throws {
    let store = try open()
    for key in 1...200 { try insert(store, Int64(key), ["name": "some name"]) }
    try store.commit(.immediate)
    try store.close()
    let again = try open()
    try damage()
    let corrupt = #expect(throws: StoreError.self) { try again.rows(persons, in: .committed) }
    expect(
      corrupt, .corrupt,
      ["SQLite 11: database disk image is malformed", "integrityProblems()", "Restore a copy"])
  }

  /// Overwrites every page but the first, and leaves the first one whole.
  private func damage() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seek(toOffset: 4096)
    file.write(Data(repeating: 0xEE, count: bytes.count - 4096))
    try file.close()
  }

  @Test func damageIsListedAndNotThrown() throws {
    let store = try open()
    for key in 1...200 { try insert(store, Int64(key), ["name": "some name"]) }
    try store.close()
    let again = try open()
    try damage()
    let problems = try again.integrityProblems()
    #expect(!problems.isEmpty)
    #expect(problems.contains { $0.contains("malformed") || $0.contains("damaged") }, "\(problems)")
    #expect(Set(problems).count == problems.count, "\(problems)")
  }

  @Test func aFileThatIsNoDatabase() throws {
    try Data(repeating: 65, count: 9000).write(to: URL(fileURLWithPath: path))
    expect(
      #expect(throws: StoreError.self) { try open() }, .corrupt,
      ["SQLite 26: file is not a database", "name another file"])
  }

  @Test func tablesThatAnotherProgramChanged() throws {
    let store = try open()
    try insert(store, 1)
    try store.commit(.immediate)
    try edit("ALTER TABLE ZPERSON RENAME COLUMN ZNAME TO ZFIRSTNAME")
    let changed = #expect(throws: StoreError.self) { try store.rows(persons, in: .committed) }
    expect(changed, .unsupported, ["SQLite 1: no such column", "SELECT", "tables"])
  }

  @Test func aRequestWithoutEnd() throws {
    let store = try open { $0.stepLimit = 250_000 }
    try edit(
      """
      CREATE TRIGGER endless AFTER INSERT ON ZPERSON BEGIN
      INSERT INTO ZTAG (Z_ENT, Z_OPT) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n)
      SELECT 1, COUNT(i) FROM n; END
      """)
    let interrupted = #expect(throws: StoreError.self) { try insert(store, 1) }
    expect(interrupted, .interrupted, ["SQLite 9: interrupted", "stepLimit", "INSERT"])
  }

  @Test func aRuleOfTheFile() throws {
    let store = try open()
    try edit(
      """
      CREATE TRIGGER rule BEFORE INSERT ON ZPERSON BEGIN SELECT RAISE(ABORT, 'no more persons'); END
      """)
    let refused = #expect(throws: StoreError.self) { try insert(store, 1) }
    expect(
      refused, .constraint(entity: "", properties: []),
      ["SQLite 1811: no more persons", "trigger", "INSERT"])
  }

  @Test func aValueThatIsTooLarge() throws {
    let store = try open { $0.largestRow = 100_000 }
    let error = #expect(throws: StoreError.self) {
      try insert(store, 1, ["name": .string(String(repeating: "a", count: 200_000))])
    }
    guard case .tooLarge? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error.map { "\($0)".contains(path) } == true, "\(String(describing: error))")
  }

  @Test func aClosedStore() throws {
    let store = try open()
    try store.close()
    expect(
      #expect(throws: StoreError.self) { try store.rows(persons, in: .committed) }, .closed,
      ["was closed"])
  }
}

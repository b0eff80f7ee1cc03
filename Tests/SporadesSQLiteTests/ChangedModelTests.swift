// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesArchives
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Another process changes an open store to another version of its model.
@Suite struct ChangedModelTests {
  private let path = Sample.temporaryPath()

  /// The statements that a migration runs when an entity with a smaller number joins the model, in short: other
  /// hashes, other numbers, another table.
  private func migrate() throws {
    let hashes: [String: MetadataValue] = ["Person": .data([1])]
    let url = URL(fileURLWithPath: path)
    var metadata = try SQLiteStore.metadata(ofStoreAt: url)
    metadata["NSStoreUUID"] = nil
    metadata["NSStoreModelVersionHashes"] = .dictionary(hashes)
    let plist = try MetadataValue.binaryPropertyList(metadata)
    let digits = plist.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    try change(
      """
      BEGIN;
      CREATE TABLE ZARTIST (Z_PK INTEGER PRIMARY KEY);
      UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT - 1;
      UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT;
      UPDATE ZPET SET Z_ENT = Z_ENT + 1;
      UPDATE Z_METADATA SET Z_PLIST = x'\(digits)';
      COMMIT
      """)
  }

  /// Runs statements on a connection of their own.
  private func change(_ sql: String) throws {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    let code = unsafe sqlite3_exec(database, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(unsafe String(cString: sqlite3_errmsg(database)))")
  }

  private func count(_ store: SQLiteStore, _ entity: String) throws -> Int {
    try store.rows(StoreFetch(Sample.shape(entity)), in: .committed).reduce(0) { $0 + $1.count }
  }

  private func makeStore() throws -> SQLiteStore {
    let store = try SQLiteStore(path: path, model: Sample.model)
    try store.execute(
      ChangeSet(inserted: [
        Sample.page("Person", [(1, ["name": "Ada"]), (2, [:])]), Sample.page("Pet", [(1, [:])]),
      ]))
    try store.commit(.immediate)
    return store
  }

  private func expectChanged(_ body: () throws -> Void) {
    let error = #expect(throws: StoreError.self) { try body() }
    #expect(error?.code == .modelChanged, "\(String(describing: error))")
  }

  @Test func everyReadFails() throws {
    let store = try makeStore()
    #expect(try count(store, "Pet") == 1)
    try migrate()
    expectChanged { _ = try count(store, "Pet") }
    expectChanged { _ = try store.count(StoreFetch(Sample.shape("Person")), in: .committed) }
    expectChanged { _ = try store.rows(for: [Sample.key("Person", 1)], in: .committed) }
    expectChanged { _ = try store.keys(StoreFetch(Sample.shape("Pet")), in: .accepted) }
    try store.close()
  }

  /// Statements of this form are prepared only after the change.
  @Test func aFirstReadFails() throws {
    let store = try makeStore()
    try migrate()
    expectChanged { _ = try count(store, "Tag") }
    try store.close()
  }

  @Test func lookUpsThatShareATransactionFail() throws {
    let store = try makeStore()
    for _ in 0..<50 { _ = try store.rows(for: [Sample.key("Person", 1)], in: .committed) }
    try migrate()
    expectChanged { _ = try store.rows(for: [Sample.key("Person", 1)], in: .committed) }
    try store.close()
  }

  @Test func aWriteFailsAndWritesNothing() throws {
    let store = try makeStore()
    try migrate()
    let sum = "SELECT COUNT(*) || ' ' || TOTAL(Z_OPT) FROM ZPERSON"
    let before = try value(sum)
    expectChanged {
      try store.execute(ChangeSet(inserted: [Sample.page("Person", [(3, ["name": "Eve"])])]))
    }
    expectChanged { _ = try store.reserveKeys(100, for: Sample.shape("Person")) }
    expectChanged { try store.removeAllRows() }
    expectChanged { try store.setMetadata(["app": .string("x")]) }
    try store.commit(.immediate)
    try store.close()
    #expect(try value(sum) == before)
    #expect(try value("SELECT COUNT(*) FROM Z_PRIMARYKEY WHERE Z_ENT = 1") == "0")
  }

  private func value(_ sql: String) throws -> String {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    return unsafe try SQLRows.texts(database, sql).joined(separator: " ")
  }

  /// The state was chosen before the change, and shows the rows of then.
  @Test func aKeptStateStaysReadable() throws {
    let store = try makeStore()
    let state = try store.generation()
    let pets = StoreFetch(Sample.shape("Pet"))
    #expect(try store.rows(pets, in: .generation(state)).count == 1)
    try migrate()
    #expect(try store.rows(pets, in: .generation(state)).count == 1)
    expectChanged { _ = try store.rows(pets, in: .committed) }
  }

  @Test func otherChangesOfTheTablesHurtNothing() throws {
    let store = try makeStore()
    let changes = [
      "CREATE INDEX OTHER ON ZPERSON (ZNAME)", "ANALYZE", "VACUUM", "DROP INDEX OTHER",
      "CREATE TABLE OTHERS (A)", "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0)",
      "ALTER TABLE ZPERSON ADD COLUMN OTHER", "REINDEX",
    ]
    for (number, sql) in changes.enumerated() {
      try change(sql)
      #expect(try count(store, "Person") == number + 2)
      let page = Sample.page("Person", [(Int64(number + 3), [:])])
      try store.execute(ChangeSet(inserted: [page]))
      try store.commit(.immediate)
      #expect(try store.rows(for: [page.key(0)], in: .committed).count == 1)
    }
    try store.close()
  }

  @Test func acceptedChangesOfALostTransactionAreReportedAsLost() throws {
    let store = try makeStore()
    let changes = ChangeSet(inserted: [Sample.page("Person", [(3, ["name": "Eve"])])])
    try store.execute(changes)
    unsafe store.withWriter { unsafe sqlite3_exec($0, "ROLLBACK", nil, nil, nil) }
    try migrate()
    #expect(throws: StoreError.self) { try store.commit(.immediate) }
    let lost = try store.restoreAccepted()
    #expect(lost.map { $0.changes === changes } == [true])
    #expect(lost.first?.reason.code == .modelChanged)
    try store.close()
    #expect(try value("SELECT COUNT(*) FROM ZPERSON") == "2")
  }

  @Test func aContextReportsIt() throws {
    let stack = DataStack(store: try makeStore())
    try migrate()
    try stack.newContext().performAndWait { context in
      expectChanged { _ = try context.fetch(FetchRequest("Pet")) }
      try context.insert(entityNamed: "Tag")["title"] = "x"
      #expect(throws: (any Error).self) { try context.save() }
    }
  }
}

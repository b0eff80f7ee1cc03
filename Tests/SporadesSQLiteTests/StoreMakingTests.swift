// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesCare
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@Suite struct StoreMakingTests {
  /// Runs statements on a file without the library.
  private func run(_ sql: String, on path: String) throws {
    var database: OpaquePointer?
    defer { unsafe _ = sqlite3_close(database) }
    try #require(unsafe sqlite3_open(path, &database) == SQLITE_OK)
    try #require(unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
  }

  @Test(arguments: [
    "PRAGMA journal_mode = WAL", "PRAGMA user_version = 7", "PRAGMA page_size = 1024; VACUUM",
  ])
  func makesAStoreInADatabaseWithoutTables(_ sql: String) throws {
    let path = Sample.temporaryPath()
    try run(sql, on: path)
    let store = try SQLiteStore(path: path, model: Sample.model)
    try store.execute(ChangeSet(inserted: [Sample.page("Person", [(1, ["name": "Ada"])])]))
    try store.commit(.immediate)
    #expect(try store.integrityProblems() == [])
    try store.close()
    let again = try SQLiteStore(path: path, model: Sample.model)
    #expect(try again.count(StoreFetch(Sample.shape("Person")), in: .committed) == 1)
  }

  @Test(arguments: [true, false])
  func refusesToReadAFileThatHoldsNoStoreYet(_ isReadOnly: Bool) throws {
    let path = Sample.temporaryPath()
    try run("PRAGMA journal_mode = WAL", on: path)
    let empty = Sample.temporaryPath()
    #expect(FileManager.default.createFile(atPath: empty, contents: nil))
    var options = SQLiteStoreOptions()
    options.isReadOnly = isReadOnly
    options.createsFile = false
    for path in [path, empty] {
      let bytes = FileManager.default.contents(atPath: path)
      let error = #expect(throws: StoreError.self) {
        try SQLiteStore(path: path, model: Sample.model, options: options)
      }
      #expect(error?.code == .cannotOpen)
      #expect(error?.detail.contains("holds no store yet") == true)
      #expect(FileManager.default.contents(atPath: path) == bytes)
    }
    let unnamed = #expect(throws: StoreError.self) {
      try SQLiteStore.metadata(ofStoreAt: URL(fileURLWithPath: empty))
    }
    #expect(unnamed?.code == .cannotOpen)
  }

  @Test(arguments: ["CREATE TABLE letters (text)", "CREATE VIEW letters AS SELECT 1"])
  func leavesADatabaseOfAnotherKindAsItIs(_ sql: String) throws {
    let path = Sample.temporaryPath()
    try run(sql, on: path)
    let bytes = FileManager.default.contents(atPath: path)
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(path: path, model: Sample.model)
    }
    #expect(error?.code == .corrupt)
    #expect(FileManager.default.contents(atPath: path) == bytes)
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
  }

  @Test func saysWhyAFileThatWasLeftInAChangeCannotBeRead() throws {
    let path = Sample.temporaryPath()
    try SQLiteStore(path: path, model: Sample.model).close()
    var database: OpaquePointer?
    defer { unsafe _ = sqlite3_close(database) }
    try #require(unsafe sqlite3_open(path, &database) == SQLITE_OK)
    let change = """
      PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN;
      UPDATE Z_METADATA SET Z_PLIST = zeroblob(400000)
      """
    try #require(unsafe sqlite3_exec(database, change, nil, nil, nil) == SQLITE_OK)
    // What a process leaves that is ended now.
    let left = Sample.temporaryPath()
    for end in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: path + end, toPath: left + end)
    }
    var options = SQLiteStoreOptions()
    options.isReadOnly = true
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(path: left, model: Sample.model, options: options)
    }
    #expect(error?.code == .readOnly)
    #expect(error?.detail.contains("Open the store once without isReadOnly") == true)
    #expect(try SQLiteStore(path: left, model: Sample.model).integrityProblems() == [])
  }
}

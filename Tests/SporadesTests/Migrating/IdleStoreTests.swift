// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// A plan with code needs the file alone, and does not wait for days.
@Suite struct IdleStoreTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("Contacts.sqlite").path
    let stack = try DataStack(
      sqlite: folder.file("Contacts.sqlite"), entities: ContactsV1.entities)
    try stack.main.performAndWait { context in
      ContactsV1.Contact.create(in: context).firstname = "Ada"
      try context.save()
    }
    if let error = stack.root.close() { throw error }
  }

  /// Opens the store with a plan that has code, and waits for others for a moment.
  static func migrate(_ path: String, patienceMilliseconds: Int = 600_000) throws {
    var options = SQLiteStoreOptions()
    options.busyMilliseconds = 20
    options.migration.patienceMilliseconds = patienceMilliseconds
    options.migrationPlan = MigrationPlan(ContactsPlan.self)
    let stack = try DataStack(
      sqlite: URL(fileURLWithPath: path), entities: ContactsV3.entities, options: options)
    if let error = stack.root.close() { throw error }
  }

  /// Opens the file as another program does, and reads it once.
  private func openElsewhere() throws -> OpaquePointer {
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(path, &database) == SQLITE_OK)
    let reading = "PRAGMA journal_mode = WAL; SELECT COUNT(*) FROM ZCONTACT"
    try #require(unsafe sqlite3_exec(database, reading, nil, nil, nil) == SQLITE_OK)
    return unsafe try #require(database)
  }

  @Test func anIdleConnectionOfThisProcessIsNamed() throws {
    let database = unsafe try openElsewhere()
    let error = #expect(throws: StoreError.self) { try Self.migrate(path) }
    #expect(error?.code == .busy)
    #expect(error?.isRetryable == true)
    let text = error?.description ?? ""
    for part in ["busyMilliseconds", "needs the file alone", "Close the store there"] {
      #expect(text.contains(part), "\(text)")
    }
    #if os(Linux)
      #expect(
        text.contains("open in this process, by a connection that is not of Sporades"), "\(text)")
    #endif
    #expect(throws: StoreError.self) { try Self.migrate(path, patienceMilliseconds: 0) }
    unsafe sqlite3_close(database)
    try Self.migrate(path)
  }

  @Test func anIdleProcessIsNamed() async throws {
    let database = unsafe try openElsewhere()
    await #expect(processExitsWith: .success) {
      [path = path as String, parent = getpid() as Int32] in
      do {
        try IdleStoreTests.migrate(path)
        exit(2)
      } catch let error as StoreError {
        let isNamed = error.description.contains("open in process \(parent) (")
        print(error)
        exit(error.code == .busy && isNamed ? 0 : 3)
      }
    }
    unsafe sqlite3_close(database)
    try Self.migrate(path)
  }
}

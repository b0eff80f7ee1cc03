// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Sporades
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Copies of a store that a killed process left beside it.
@Suite struct AbandonedDraftTests {
  private let folder: TemporaryFolder
  private let file: URL
  private let abandoned = [
    ".Contacts.sqlite.draft", ".Contacts.sqlite.draft-wal", ".Contacts.sqlite.draft-shm",
    ".Contacts.sqlite.draft.migrating", "Contacts-before-1.sqlite.draft",
  ]

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("Contacts.sqlite")
    try close(stack())
    for name in abandoned { try Data("left".utf8).write(to: folder.file(name)) }
  }

  private func stack(isReadOnly: Bool = false) throws -> DataStack {
    var options = SQLiteStoreOptions()
    options.isReadOnly = isReadOnly
    return try DataStack(sqlite: file, entities: ContactsV1.entities, options: options)
  }

  private func close(_ stack: DataStack) throws {
    if let error = stack.root.close() { throw error }
  }

  private func left() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      .filter(abandoned.contains).sorted()
  }

  /// Also by a program that migrates nothing.
  @Test func theNextOpeningRemovesThem() throws {
    try close(stack())
    #expect(try left() == [])
  }

  @Test func anOpeningForReadingChangesNothing() throws {
    try close(stack(isReadOnly: true))
    #expect(try left() == abandoned.sorted())
  }

  /// They may belong to a migration that runs.
  @Test func theyStayWhileAnotherConnectionWrites() throws {
    var writer: OpaquePointer?
    try #require(unsafe sqlite3_open(file.path, &writer) == SQLITE_OK)
    try #require(unsafe sqlite3_exec(writer, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    let stack = try stack()
    #expect(try left() == abandoned.sorted())
    try #require(unsafe sqlite3_exec(writer, "COMMIT", nil, nil, nil) == SQLITE_OK)
    #expect(unsafe sqlite3_close(writer) == SQLITE_OK)
    try close(stack)
    try close(self.stack())
    #expect(try left() == [])
  }
}

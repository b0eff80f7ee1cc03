// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// Makes the tables of a store in a database that has none.
///
/// A file of no bytes is such a database, and so is one that somebody began and did not finish:
/// the change to write-ahead mode writes the first page before the tables are committed.
struct StoreMaking {
  let path: String?
  let layout: any ModelLayout
  let options: SQLiteStoreOptions

  /// Makes the tables unless there are any. All tables appear in one transaction, so that an end at
  /// any moment leaves none or all.
  func makeIfEmpty(_ connection: Connection) throws(StoreError) {
    try BusyWait.retrying(milliseconds: options.busyMilliseconds) { () throws(StoreError) in
      guard try Self.isEmpty(connection) else { return }
      try make(on: connection)
      guard let path, !SystemFile.syncFolder(of: path) else { return }
      throw StoreError(
        .io,
        "The folder of the new store at \(path) cannot be synced: "
          + "\(SystemFile.message(SystemFile.lastError)). The store is there; open it again.")
    }
  }

  static func isEmpty(_ connection: Connection) throws(StoreError) -> Bool {
    try connection.number(.countSchema) == 0
  }

  private func make(on connection: Connection) throws(StoreError) {
    // The size and the vacuum can be chosen only before the first table.
    try connection.run(.settingsOfFile)
    // Where the system cannot share a log, SQLite stays in another mode, which the opening asks for.
    if path != nil { try connection.run(.setJournalMode("WAL")) }
    try connection.run(.beginToWrite)
    do throws(StoreError) {
      // Another process may have made the store while this one waited.
      if try Self.isEmpty(connection) { try makeTables(on: connection) }
      try connection.run(.commit)
    } catch {
      // A rollback that fails leaves SQLite outside the transaction all the same.
      if !connection.isOutsideTransaction { try? connection.run(.rollback) }
      throw error
    }
  }

  private func makeTables(on connection: Connection) throws(StoreError) {
    for statement in CreateStatements(layout, SQLiteDialect()).all { try connection.run(statement) }
    let metadata = StoreMetadata.initial(for: layout.model, options.configuration)
    let names = type(of: layout).names
    try connection.run(
      MetadataStatements(names, SQLiteDialect()).add(
        identifier: options.identifier ?? UUID().uuidString,
        contents: StoreMetadata.plist(metadata)))
  }
}

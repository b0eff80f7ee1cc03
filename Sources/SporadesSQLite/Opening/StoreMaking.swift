// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// Creates the tables of a store in a database without tables.
///
/// An empty file is such a database, and so is an unfinished store: the change to write-ahead mode writes the
/// first page before the transaction commits the tables.
struct StoreMaking {
  let path: String?
  let layout: any ModelLayout
  let options: SQLiteStoreOptions

  /// Creates the tables if there are none. One transaction creates all of them, so an interruption leaves
  /// none or all. Returns true if the file had pages before: somebody began a store, or copied one without its log.
  func makeIfEmpty(_ connection: Connection) throws(StoreError) -> Bool {
    try BusyWait.retrying(milliseconds: options.busyMilliseconds) { () throws(StoreError) in
      guard try Self.isEmpty(connection) else { return false }
      // A file without pages gives no answer.
      let hadPages = try (connection.number(.pageCount) ?? 0) > 0
      try make(on: connection)
      guard let path, !SystemFile.syncFolder(of: path) else { return hadPages }
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
    // SQLite accepts the page size and the vacuum mode only before the first table exists.
    try connection.run(.settingsOfFile)
    // If the system cannot share a log, SQLite stays in another mode. The opening checks the mode later.
    if path != nil { try connection.run(.setJournalMode("WAL")) }
    try connection.transaction { () throws(StoreError) in
      // Another process may have created the store while this one waited for the lock.
      if try Self.isEmpty(connection) { try makeTables(on: connection) }
    }
  }

  private func makeTables(on connection: Connection) throws(StoreError) {
    for statement in CreateStatements(layout, SQLiteDialect()).all { try connection.run(statement) }
    let metadata = StoreMetadata.initial(
      for: layout.model, options.configuration, after: earlierChecksums)
    if options.persistentHistory == .on { try History.makeTables(for: layout, on: connection) }
    let names = type(of: layout).names
    try connection.run(
      MetadataStatements(names, SQLiteDialect()).add(
        identifier: options.identifier ?? UUID().uuidString,
        contents: StoreMetadata.plist(metadata)))
    if let cache = names.modelCache {
      try connection.run(
        ModelCacheStatements(cache, SQLiteDialect()).add(contents: CachedModel.bytes(layout.model)))
    }
  }

  /// The versions before the program's that the program lists, in the options or in a plan.
  private var earlierChecksums: [String] {
    // A store in memory meets no other program.
    guard path != nil else { return [] }
    let planned =
      options.migrationPlan?.earlierChecksums(
        than: layout.model, inConfiguration: options.configuration) ?? []
    return planned
      + KnownVersions(options.migration.versions, of: layout.model)
      .earlierChecksums(inConfiguration: options.configuration)
  }
}

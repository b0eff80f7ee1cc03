// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The file of a closed store, as a whole.
struct StoreFile {
  let path: String

  /// Throws if there is no file, or if this process has it open.
  init(_ path: String) throws(StoreError) {
    guard SystemFile.kind(path) == .file else {
      throw StoreError(.cannotOpen, "There is no store at \(path).")
    }
    guard !OpenStores.contains(path) else {
      throw StoreError(
        .busy,
        "The store at \(path) is open in this process. Close its service or stack, or remove it "
          + "from its coordinator, before its file is replaced or removed.")
    }
    self.path = path
  }

  func connect(_ access: Connection.Access = .readWrite) throws(StoreError) -> Connection {
    try Connection(path: path, access: access, busyMilliseconds: 1_000)
  }

  /// Throws if the file holds no store.
  func identity(on connection: Connection) throws(StoreError) -> StoreIdentity {
    if let error = StoreError.text(path) { throw error }
    return try StoreContent(on: connection).identity(at: path)
  }

  /// Moves the log into the file and removes the log, and runs `body` while no other process can open the store.
  /// Without that lock, `body` could remove the log of a process that opened the store meanwhile. Throws if another
  /// process has the store open. Returns the names of the files of large values.
  func settle(_ body: () throws(StoreError) -> Void) throws(StoreError) -> [ValueName] {
    let connection = try connect()
    defer { connection.close() }
    _ = try identity(on: connection)
    let names = try Self.names(connection)
    do throws(StoreError) {
      let mode = try connection.rows(.setJournalMode("DELETE")).first?.first?.text
      guard mode == "delete" else { throw StoreError(.busy, "The log is in use.") }
      try connection.run(.beginExclusively)
    } catch  where error.code == .busy {
      throw StoreError(
        .busy, "The store at \(path) is open in another process. End that process and try again.",
        underlying: error)
    }
    // Closing the connection ends the transaction, which has written nothing.
    try body()
    return names
  }

  /// The names of the files that hold the values of all rows.
  static func names(_ connection: Connection) throws(StoreError) -> [ValueName] {
    var names: [ValueName] = []
    try UnusedFiles.visitNames(connection) { names.append($0) }
    return names
  }

  /// Opens a store's file and locks it exclusively until the connection closes. Its log needs no index then, so nobody
  /// else can read or write the store.
  ///
  /// Waits for a process that migrates the store as long as the migration's patience allows, and for any other process as
  /// long as a request does: it may have the store open for days.
  static func own(_ path: String, _ options: SQLiteStoreOptions) throws(StoreError) -> Connection {
    // Waiting would not help for a store that this process has open.
    _ = try StoreFile(path)
    do throws(StoreError) {
      return try MigrationTurn.patiently(
        path, options.migration, usually: options.busyMilliseconds
      ) { () throws(StoreError) in try owned(path) }
    } catch  where error.code == .busy {
      throw refusal(path, options, error)
    }
  }

  private static func owned(_ path: String) throws(StoreError) -> Connection {
    let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 10)
    do throws(StoreError) {
      try connection.run(.beginAlone)
      try connection.run(.commit)
      // The process that had the lock before may have put another file in the place.
      guard !connection.hasMoved else { throw StoreError(.busy, "The store was replaced.") }
      return connection
    } catch {
      connection.close()
      throw error
    }
  }

  private static func refusal(
    _ path: String, _ options: SQLiteStoreOptions, _ error: StoreError
  ) -> StoreError {
    let holders = LockHolders(of: path)
    let others = holders.others
    let own = "this process, by a connection that is not of Sporades"
    let waited = min(options.busyMilliseconds, options.migration.patienceMilliseconds)
    return StoreError(
      .busy,
      "The store at \(path) is open in \(others ?? (holders.includesThisProcess ? own : "another process")), and this "
        + "migration needs the file alone. It has waited for \(waited) milliseconds, as busyMilliseconds and the migration's "
        + "patienceMilliseconds say. Close the store there, and open it here again. Nothing was changed.",
      underlying: error)
  }
}

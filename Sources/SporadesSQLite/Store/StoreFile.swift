// SPDX-License-Identifier: MIT
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
        "The store at \(path) is open in this process. Close it, or remove it from its coordinator, "
          + "and try again.")
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
  /// else can read or write the store. Waits at most so long for other processes.
  static func own(_ path: String, patienceMilliseconds: Int) throws(StoreError) -> Connection {
    // Waiting would not help for a store that this process has open.
    _ = try StoreFile(path)
    do throws(StoreError) {
      return try BusyWait.retrying(milliseconds: patienceMilliseconds) { () throws(StoreError) in
        let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 1_000)
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
    } catch  where error.code == .busy {
      throw StoreError(
        .busy,
        "The store at \(path) is open in another process. It must be closed there. End that process, and try again.",
        underlying: error)
    }
  }
}

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

  /// Moves the log into the file and removes the log. Throws if another process has the store open. Returns
  /// the names of the files of large values.
  func settle() throws(StoreError) -> [ValueName] {
    let connection = try connect()
    defer { connection.close() }
    _ = try identity(on: connection)
    let names = try Self.names(connection)
    do throws(StoreError) {
      let mode = try connection.rows(.setJournalMode("DELETE")).first?.first?.text
      guard mode == "delete" else { throw StoreError(.busy, "The log is in use.") }
      try connection.run(.tryToOwn)
    } catch  where error.code == .busy {
      throw StoreError(
        .busy, "The store at \(path) is open in another process. End that process and try again.",
        underlying: error)
    }
    return names
  }

  /// The names of the files that hold the values of all rows.
  static func names(_ connection: Connection) throws(StoreError) -> [ValueName] {
    var names: [ValueName] = []
    try UnusedFiles.visitNames(connection) { names.append($0) }
    return names
  }
}

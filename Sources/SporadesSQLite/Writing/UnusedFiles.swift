// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesStore

/// Files of large values without a row, which processes left that ended in the middle of a write.
///
/// A process writes a file inside the transaction that names it, under the write lock. While this process
/// holds the write lock, an older file that no row names is therefore unused, unless this process itself
/// still needs it.
struct UnusedFiles {
  let folder: ValueFolder
  let connection: Connection

  /// Returns the names that no row contains. The caller holds the write lock, and listed the names before it
  /// took the lock.
  func among(_ names: [ValueName]) throws(StoreError) -> [ValueName] {
    guard !names.isEmpty else { return [] }
    var unnamed = Set(names)
    // A column of any program's table keeps the file that it names.
    try Self.visitNames(connection, anyColumn: true) { unnamed.remove($0) }
    return names.filter(unnamed.contains)
  }

  /// Calls `visit` with each file name in the tables of the store, but for those of some tables.
  // `dynamic`, because the optimizer would else make a copy for each block that a caller passes.
  static dynamic func visitNames(
    _ connection: Connection, anyColumn: Bool = false, leavingOut others: Set<String> = [],
    _ visit: (ValueName) throws(StoreError) -> Void
  ) throws(StoreError) {
    for table in try connection.texts(.tables) where !others.contains(table) {
      for column in try connection.rows(.columns(of: table))
      where anyColumn || column[2].text == "BLOB" {
        guard let name = column[1].text else { continue }
        let statement = try Statement(
          .values(ofLength: ValueName.storedCount, column: name, table: table), on: connection)
        defer { statement.finalize() }
        while try statement.step() {
          if let name = statement.value(0).blob.flatMap({ ValueName(stored: $0) }) {
            try visit(name)
          }
        }
      }
    }
  }

  // MARK: - When

  /// Removes the unused files of a store after a process ended without closing it. Returns false, and removes nothing, if
  /// another process has the store open, because that process may keep files for its readers.
  ///
  /// A folder without files needs no work.
  @discardableResult
  static func collect(storeAt path: String) throws(StoreError) -> Bool {
    let folder = ValueFolder(ofStoreAt: SystemFile.absolute(path))
    let present = try listed(folder)
    guard !present.isEmpty else { return true }
    let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 0)
    // The lock lasts until the connection closes, so that no process starts to use a file during its removal.
    defer { connection.close() }
    do throws(StoreError) {
      try connection.run(.beginAlone)
      try connection.run(.commit)
    } catch  where error.code == .busy { return false }
    try UnusedFiles(folder: folder, connection: connection).remove(among: present)
    return true
  }

  /// Removes those of some files that no row names. Nobody else can open the store meanwhile. Removes nothing if another
  /// store may have files in the same folder.
  func remove(among names: [ValueName]) throws(StoreError) {
    guard !names.isEmpty, try Self.otherOfStem(folder) == nil else { return }
    let unused = try among(names)
    // Emptying the log makes the current rows final. A crash cannot bring back a row that names a removed file.
    if !unused.isEmpty { try connection.run(.emptyLog) }
    // If another store has replaced this one, its rows may name the files.
    guard !connection.hasMoved else { return }
    try Self.remove(unused, folder)
  }

  static func listed(_ folder: ValueFolder) throws(StoreError) -> [ValueName] {
    do throws(SystemFailure) { return try folder.names() } catch {
      throw error.error("The folder of large values, \(folder.path), cannot be read.")
    }
  }

  static func otherOfStem(_ folder: ValueFolder) throws(StoreError) -> String? {
    do throws(SystemFailure) { return try folder.otherOfStem() } catch {
      throw error.error("The folder above \(folder.path) cannot be read.")
    }
  }

  static func remove(_ names: [ValueName], _ folder: ValueFolder) throws(StoreError) {
    for name in names {
      do throws(SystemFailure) { try folder.remove(name) } catch {
        throw error.error("An unused file of a large value cannot be removed from \(folder.path).")
      }
    }
  }
}

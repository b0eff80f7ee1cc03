// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesStore

/// Files of large values that no row names: what processes left that were ended while they wrote.
///
/// A file is written inside the transaction that names it, by us and while its row is locked. Who holds
/// the lock for writing therefore knows that a file which was there before, and which no row names, is
/// nobody's, but for those of this process.
struct UnusedFiles {
  let folder: ValueFolder
  let connection: Connection

  /// The names in the folder and in no row; called by who holds the lock for writing, with the names
  /// that were there before it was taken.
  func among(_ names: [ValueName]) throws(StoreError) -> [ValueName] {
    guard !names.isEmpty else { return [] }
    var unnamed = Set(names)
    // Any program's column keeps the file it names.
    try Self.visitNames(connection, anyColumn: true) { unnamed.remove($0) }
    return names.filter(unnamed.contains)
  }

  /// Calls `visit` with each name of a file in the tables of the store.
  static func visitNames(
    _ connection: Connection, anyColumn: Bool = false, _ visit: (ValueName) -> Void
  ) throws(StoreError) {
    let tables = try connection.rows(.tables)
    for table in tables.compactMap(\.first?.text) {
      for column in try connection.rows(.columns(of: table))
      where anyColumn || column[2].text == "BLOB" {
        guard let name = column[1].text else { continue }
        let statement = try Statement(
          .values(ofLength: ValueName.storedCount, column: name, table: table), on: connection)
        defer { statement.finalize() }
        while try statement.step() {
          if let name = statement.value(0).blob.flatMap({ ValueName(stored: $0) }) { visit(name) }
        }
      }
    }
  }

  // MARK: - When

  /// Removes the unused files of a store that a process left without closing it, unless another process
  /// has it open: that one may hold files for those who still read them. Where another store may have its
  /// files in the folder nothing is removed.
  ///
  /// Nothing is done for a store that was closed, and nothing that no large value was ever written to.
  static func collect(storeAt path: String) throws(StoreError) {
    let folder = ValueFolder(ofStoreAt: SystemFile.absolute(path))
    let present = try listed(folder)
    guard !present.isEmpty, try otherOfStem(folder) == nil else { return }
    let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 0)
    // The lock is held until the connection is closed, so that nobody begins to use a file that goes.
    defer { connection.close() }
    let unused: [ValueName]
    do throws(StoreError) {
      try connection.run(.beginAlone)
      unused = try UnusedFiles(folder: folder, connection: connection).among(present)
      try connection.run(.commit)
      // A row must not come back that names a file which is gone.
      if !unused.isEmpty { try connection.run(.emptyLog) }
    } catch  where error.code == .busy { return }
    // Rows of another store that was put there meanwhile may name them.
    guard !connection.hasMoved else { return }
    try remove(unused, folder)
  }

  static func listed(_ folder: ValueFolder) throws(StoreError) -> [ValueName] {
    do throws(SystemFailure) { return try folder.names() } catch {
      throw error.error("The folder of large values, \(folder.path), can not be read.")
    }
  }

  static func otherOfStem(_ folder: ValueFolder) throws(StoreError) -> String? {
    do throws(SystemFailure) { return try folder.otherOfStem() } catch {
      throw error.error("The folder above \(folder.path) can not be read.")
    }
  }

  static func remove(_ names: [ValueName], _ folder: ValueFolder) throws(StoreError) {
    for name in names {
      do throws(SystemFailure) { try folder.remove(name) } catch {
        throw error.error("A file that no row names can not be removed from \(folder.path).")
      }
    }
  }
}

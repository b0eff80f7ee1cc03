// SPDX-License-Identifier: MIT
import SporadesSQL
public import SporadesStore

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

extension SQLiteStore {
  /// Removes the files of large values that no row names, and returns how many there were.
  ///
  /// Stores do it by themselves when they are opened after an end that was not their closing, by the one
  /// process that has them open. Call it where a store is always open somewhere. What other processes
  /// write meanwhile is safe; an object of theirs that shows a row that was since changed can lose its
  /// former large value a little sooner.
  ///
  /// Refused where a file beside the store differs from it only behind the last dot: if that is a store,
  /// its large values lie in the same folder.
  @discardableResult
  public func removeUnusedFiles() throws(StoreError) -> Int {
    guard let files else { return 0 }
    let before = try UnusedFiles.listed(files.folder)
    guard !before.isEmpty else { return 0 }
    // Asked after the files were listed: a store is there before its large values are.
    if let other = try UnusedFiles.otherOfStem(files.folder) {
      throw StoreError(
        .unsupported,
        "The large values of \(other) may lie in \(files.folder.path) too. Move that file, or this "
          + "store, to a folder of its own.")
    }
    return try write { (writer) throws(StoreError) in
      try writer.transact { (writer) throws(StoreError) in
        let known = files.known
        let unused = try UnusedFiles(folder: files.folder, connection: writer.connection)
          .among(before.filter { !known.contains($0) })
        guard !unused.isEmpty else { return 0 }
        // What dropped them may be a commit of another process that is not on the disk yet.
        try log?.syncAll()
        // Rows of a store that was put into the place of this one may name them.
        try place?.check()
        try UnusedFiles.remove(unused, files.folder)
        return unused.count
      }
    }
  }
}

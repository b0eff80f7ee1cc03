// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  /// Writes a copy of the committed store, with the files of its large values, to a path where no file
  /// exists.
  ///
  /// Throws if both stores would keep their large values in one folder. That happens when their file names
  /// differ only after the last dot.
  ///
  /// Commits wait until the copy ends, so that no file of a copied row is removed. Readers do not wait.
  public func copy(to path: String) throws(StoreError) {
    try checkOpen()
    guard SystemFile.kind(path) == .none else {
      throw StoreError(
        .cannotOpen, "\(path) exists already. Choose another path for the copy.")
    }
    // An exclusive creation leaves a file alone that another process creates at the same moment.
    try SystemFile.makeForCopy(path)
    do {
      try writer.state.withLock { (writer) throws(StoreError) in
        try checkOpen()
        // If the file has left its path, only the writer is certain to have it open.
        if let readers, place?.isInPlace != false {
          try readers.read { (connection) throws(StoreError) in
            try copy(connection, to: path)
          }
        } else {
          writer.connection.limit.renew()
          try writer.withCommittedState { (connection) throws(StoreError) in
            try copy(connection, to: path)
          }
        }
      }
      try Self.finish(path)
    } catch {
      for end in ["", "-wal", "-shm", "-journal"] { SystemFile.remove(path + end) }
      throw error
    }
  }

  private func copy(_ connection: Connection, to path: String) throws(StoreError) {
    try connection.run(.copy(to: path))
    guard let files, plan.namesFiles else { return }
    var names: [ValueName] = []
    try UnusedFiles.visitNames(connection) { names.append($0) }
    let copies = FileCopies(from: files.folder, to: ValueFolder(ofStoreAt: path))
    do throws(StoreError) { try copies.take(names, leavesOutMissing: true) } catch {
      copies.removeTaken()
      throw error
    }
  }

  /// Gives the copy the settings of a new store, and waits until it is on the disk. No other connection has
  /// the copy open, so opening and closing its file releases nobody's locks.
  static func finish(_ path: String) throws(StoreError) {
    let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 1_000)
    defer { connection.close() }
    try connection.run(.setJournalMode("WAL"))
    connection.close()
    let descriptor = SystemFile.openForSync(path)
    defer { if descriptor >= 0 { SystemFile.shut(descriptor) } }
    guard descriptor >= 0, SystemFile.sync(descriptor), SystemFile.syncFolder(of: path) else {
      throw StoreError(.io, "The copy at \(path) cannot be synced.")
    }
  }
}

extension SystemFile {
  /// Creates the file for SQLite's copy. A file created by SQLite would be readable by everybody.
  static func makeForCopy(_ path: String) throws(StoreError) {
    let error = create(path)
    guard error == 0 else {
      throw StoreError(.cannotOpen, "No copy can be created at \(path): \(message(error)).")
    }
  }
}

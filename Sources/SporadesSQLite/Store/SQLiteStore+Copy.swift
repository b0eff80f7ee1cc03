// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  /// Writes a copy of the committed store to a file that does not exist yet, with the files of its
  /// large values.
  ///
  /// Refused where the large values of both would lie in one folder: where the names of the files differ
  /// only behind the last dot.
  ///
  /// Commits wait meanwhile, so that no large value whose row is copied goes; readers do not.
  public func copy(to path: String) throws(StoreError) {
    try checkOpen()
    guard SystemFile.kind(path) == .none else {
      throw StoreError(
        .cannotOpen, "There is something at \(path) already; a copy needs a place of its own.")
    }
    // A file that somebody else puts there meanwhile is not touched.
    try SystemFile.makeForCopy(path)
    do {
      try writer.state.withLock { (writer) throws(StoreError) in
        try checkOpen()
        // Where the file is gone from its place, only the writer is sure to have it open still.
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

  /// Makes the copy a store like those made here, and waits until it is on the disk. Nobody has
  /// opened it yet, so opening its file takes nobody's locks.
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
  /// Makes the file that SQLite copies into. SQLite itself would make one that everybody can read.
  static func makeForCopy(_ path: String) throws(StoreError) {
    let error = create(path)
    guard error == 0 else {
      throw StoreError(.cannotOpen, "No copy can be made at \(path): \(message(error)).")
    }
  }
}

// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesSQL
public import SporadesStore

// Removes and replaces the files of closed stores.
extension SQLiteStore {
  /// Removes the store in a file: the file, its log, and the files of its large values. Throws, and removes
  /// nothing, if the store is open or the file holds no store.
  public static func destroy(storeAt url: URL) throws(StoreError) {
    let file = try StoreFile(url.path)
    let names = try file.settle()
    for end in ["-wal", "-shm", "-journal", ""] {
      let error = SystemFile.remove(file.path + end)
      guard error == 0 else {
        throw StoreError(
          .io, "The store at \(file.path) cannot be removed: \(SystemFile.message(error)).")
      }
    }
    // The large values go last: a loss of power before this line leaves the complete store.
    try sync(folderOf: file.path)
    let folder = ValueFolder(ofStoreAt: file.path)
    try UnusedFiles.remove(names, folder)
    guard !isShared(folder) else { return }
    do throws(SystemFailure) { try folder.removeIfEmpty() } catch {
      throw error.error("The folder of large values, \(folder.path), cannot be removed.")
    }
  }

  /// Whether another store may keep its large values in the same folder. A failed look-up counts as yes.
  private static func isShared(_ folder: ValueFolder) -> Bool {
    do throws(SystemFailure) { return try folder.otherOfStem() != nil } catch { return true }
  }

  private static func sync(folderOf path: String) throws(StoreError) {
    guard SystemFile.syncFolder(of: path) else {
      throw StoreError(
        .io, "The folder of \(path) cannot be synced: \(SystemFile.message(SystemFile.lastError))."
      )
    }
  }

  /// Replaces the store at one path with a copy of another store, or creates it there. The source is only
  /// read. A failure leaves either the complete former store or the complete new one.
  public static func replace(storeAt target: URL, withStoreFrom source: URL) throws(StoreError) {
    let origin = try StoreFile(source.path)
    guard SystemFile.identity(source.path) != SystemFile.identity(target.path) else {
      throw StoreError(.unsupported, "\(source.path) cannot be replaced with itself.")
    }
    let replaced = SystemFile.kind(target.path) == .none ? nil : try StoreFile(target.path)
    _ = try replaced?.check()
    let copy = "\(target.path).\(UUID().uuidString)"
    let folder = ValueFolder(ofStoreAt: target.path)
    let files = FileCopies(from: ValueFolder(ofStoreAt: source.path), to: folder)
    let names: [ValueName]
    let former: [ValueName]
    do throws(StoreError) {
      names = try origin.copy(to: copy)
      try files.take(names, keeping: Set(try replaced?.check() ?? []))
      former = try replaced?.settle() ?? []
      // SQLite would read a leftover log as the log of the copy.
      for end in ["-wal", "-shm", "-journal"] { SystemFile.remove(target.path + end) }
      let error = SystemFile.move(copy, to: target.path)
      guard error == 0 else {
        throw StoreError(
          .io, "The copy cannot be moved to \(target.path): \(SystemFile.message(error)).")
      }
    } catch {
      for end in ["", "-wal", "-shm", "-journal"] { SystemFile.remove(copy + end) }
      files.removeTaken()
      throw error
    }
    // The new store is in place. The large values of the former store go after the rename has reached the
    // disk.
    try sync(folderOf: target.path)
    let taken = Set(names)
    try UnusedFiles.remove(former.filter { !taken.contains($0) }, folder)
  }
}

extension StoreFile {
  /// Returns the names of the files of large values. Throws if the file holds no store.
  func check() throws(StoreError) -> [ValueName] {
    let connection = try connect(.readOnly)
    defer { connection.close() }
    _ = try identity(on: connection)
    return try Self.names(connection)
  }

  /// Writes the store to a path where no file exists, and waits until it is on the disk. Returns the names of
  /// the files of large values, which are not copied.
  func copy(to copy: String) throws(StoreError) -> [ValueName] {
    let connection = try connect(.reading(path))
    defer { connection.close() }
    _ = try identity(on: connection)
    try SystemFile.makeForCopy(copy)
    try connection.run(.copy(to: copy))
    let copied = try Connection(path: copy, access: .readOnly, busyMilliseconds: 1_000)
    defer { copied.close() }
    let names = try Self.names(copied)
    copied.close()
    try SQLiteStore.finish(copy)
    return names
  }
}

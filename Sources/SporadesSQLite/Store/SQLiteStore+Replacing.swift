// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesSQL
public import SporadesStore

// What is done with the file of a store that is not open.
extension SQLiteStore {
  /// Removes the store in a file: the file, its log, and the files of its large values. Nothing else
  /// is touched, and nothing at all where the store is open or the file is none.
  public static func destroy(storeAt url: URL) throws(StoreError) {
    let file = try StoreFile(url.path)
    let names = try file.settle()
    SystemFile.remove(file.path)
    guard SystemFile.kind(file.path) == .none else {
      throw StoreError(
        .io,
        "The store at \(file.path) cannot be removed: \(SystemFile.message(SystemFile.lastError)).")
    }
    for end in ["-wal", "-shm", "-journal"] { SystemFile.remove(file.path + end) }
    ExternalFiles(storePath: file.path).removeAll(named: names)
    _ = SystemFile.syncFolder(of: file.path)
  }

  /// Puts a copy of the store in one file into the place of the store in another, or where there is
  /// none yet. The source is only read. Up to the moment the copy takes its place the former store is
  /// whole, and from then on the new one is.
  public static func replace(storeAt target: URL, withStoreFrom source: URL) throws(StoreError) {
    let origin = try StoreFile(source.path)
    guard SystemFile.identity(source.path) != SystemFile.identity(target.path) else {
      throw StoreError(.unsupported, "\(source.path) cannot be replaced with itself.")
    }
    let former = SystemFile.kind(target.path) == .none ? nil : try StoreFile(target.path)
    try former?.check()
    let copy = "\(target.path).\(UUID().uuidString)"
    let files = ExternalFiles(storePath: target.path)
    var taken: [String] = []
    do throws(StoreError) {
      let names = try origin.copy(to: copy)
      for name in names {
        let isNew = !files.has(name)
        guard try files.take(name, from: ExternalFiles(storePath: source.path)) else {
          throw StoreError(
            .io,
            "A large value of \(source.path) is missing, the file \(name); nothing was replaced.")
        }
        if isNew { taken.append(name) }
      }
      let abandoned = try former?.settle() ?? []
      // A log that somebody left there would be taken for the copy's.
      for end in ["-wal", "-shm", "-journal"] { SystemFile.remove(target.path + end) }
      let error = SystemFile.move(copy, to: target.path)
      guard error == 0 else {
        throw StoreError(
          .io, "The copy cannot be moved to \(target.path): \(SystemFile.message(error)).")
      }
      _ = SystemFile.syncFolder(of: target.path)
      files.remove(abandoned.filter { !names.contains($0) })
    } catch {
      for end in ["", "-wal", "-shm", "-journal"] { SystemFile.remove(copy + end) }
      files.remove(taken)
      throw error
    }
  }
}

extension StoreFile {
  /// Throws where the file is no store.
  func check() throws(StoreError) {
    let connection = try connect(.readOnly)
    defer { connection.close() }
    _ = try SQLiteStore.identity(connection, path)
  }

  /// Writes the store to a file that does not exist yet, and waits until it is on the disk; returns the
  /// names of the files of large values, which are not copied.
  func copy(to copy: String) throws(StoreError) -> [String] {
    let connection = try connect(.reading(path))
    defer { connection.close() }
    _ = try SQLiteStore.identity(connection, path)
    try SystemFile.makeForCopy(copy)
    _ = try connection.rows("VACUUM INTO ?", [.text(copy)])
    let copied = try Connection(path: copy, access: .readOnly, busyMilliseconds: 1_000)
    defer { copied.close() }
    let names = try Self.externalNames(copied)
    copied.close()
    try SQLiteStore.finish(copy)
    return names
  }
}

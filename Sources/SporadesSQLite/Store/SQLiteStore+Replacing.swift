// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesSQL
public import SporadesStore

// Removes and replaces the files of closed stores.
extension SQLiteStore {
  /// Removes the store in a file: the file, its log, and the files of its large values. Throws, and removes
  /// nothing, if the store is open or the file holds no store.
  public static func destroy(storeAt url: URL) throws(StoreError) {
    let file = try StoreFile(url.storePath)
    let names = try file.settle { () throws(StoreError) in
      for end in SystemFile.sidecars + [""] {
        let error = SystemFile.remove(file.path + end)
        guard error == 0 else {
          throw StoreError(
            .io, "The store at \(file.path) cannot be removed: \(SystemFile.message(error)).")
        }
      }
    }
    // The large values go last: a loss of power before this line leaves the complete store.
    try SystemFile.sync(folderOf: file.path)
    try removeValues(names, ofStoreAt: file.path)
  }

  private static func removeValues(
    _ names: [ValueName], ofStoreAt path: String
  ) throws(StoreError) {
    let folder = ValueFolder(ofStoreAt: path)
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

  /// Replaces the store at one path with a copy of another store, or creates it there. The source is only
  /// read. A failure leaves either the complete former store or the complete new one.
  public static func replace(storeAt target: URL, withStoreFrom source: URL) throws(StoreError) {
    let (source, target) = (try source.storePath, try target.storePath)
    guard SystemFile.identity(source) != SystemFile.identity(target) else {
      throw StoreError(.unsupported, "\(source) cannot be replaced with itself.")
    }
    let origin = try StoreFile(source)
    _ = try put(target, from: source) { (destination, values) throws(StoreError) in
      try destination.makeDraft()
      let names = try origin.copy(to: destination.draft)
      try values.take(names)
      return names
    }
  }

  /// Puts a draft beside a store in its place, or creates the store there. No draft is left then. A failure leaves
  /// either the complete former store or the complete new one.
  package static func replace(
    storeAt target: URL, withDraftAt source: URL
  ) throws(StoreError) {
    let (source, target) = (try source.storePath, try target.storePath)
    let origin = try StoreFile(source)
    let names = try put(target, from: source) { (destination, values) throws(StoreError) in
      let names = try origin.check()
      try values.take(names)
      try origin.move(to: destination.draft)
      return names
    }
    try removeValues(names, ofStoreAt: source)
  }

  /// Removes the files of a draft. Throws if another process is making it.
  package static func removeDraft(at url: URL) throws(StoreError) {
    let path = try url.storePath
    guard SystemFile.kind(path) != .none else { return }
    do throws(StoreError) { try destroy(storeAt: url) } catch {
      // A process that was killed in its first moments leaves a file that is no store yet.
      switch error.code {
      case .corrupt, .cannotOpen: SystemFile.removeDatabase(path)
      default: throw error
      }
    }
  }

  /// Lets `write` put a store into the draft of a place, and the draft into the place. `write` returns the names of the
  /// large values that it copied.
  private static func put(
    _ target: String, from source: String,
    _ write: (CopyDestination, FileCopies) throws(StoreError) -> [ValueName]
  ) throws(StoreError) -> [ValueName] {
    let destination = try CopyDestination(target, replacing: true)
    let values = destination.values(from: ValueFolder(ofStoreAt: source))
    let names: [ValueName]
    let former: [ValueName]
    do throws(StoreError) {
      names = try write(destination, values)
      former = try destination.takePlace()
    } catch {
      // The destination comes last, because its claim ends with it.
      values.removeTaken()
      destination.removeDraft()
      throw error
    }
    try destination.settle(naming: names, insteadOf: former)
    return names
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

  /// Gives the store a new name in its folder, without its log, and waits until it is on the disk. Nobody else has it open.
  func move(to path: String) throws(StoreError) {
    _ = try settle { () throws(StoreError) in
      let error = SystemFile.move(self.path, toNew: path)
      guard error == 0 else {
        throw StoreError(
          .io, "\(self.path) cannot be moved to \(path): \(SystemFile.message(error)).")
      }
    }
    try SQLiteStore.finish(path)
  }

  /// Writes the store to an empty file, and waits until it is on the disk. Returns the names of the files of large
  /// values, which are not copied.
  func copy(to copy: String) throws(StoreError) -> [ValueName] {
    let connection = try connect(.reading(path))
    defer { connection.close() }
    _ = try identity(on: connection)
    try Snapshot.begin(connection)
    defer { connection.endRead() }
    try connection.copy(toFile: copy)
    let names = try Self.names(connection)
    try SQLiteStore.finish(copy)
    return names
  }
}

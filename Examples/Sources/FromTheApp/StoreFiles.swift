// SPDX-License-Identifier: MIT
import Foundation

/// The files of a store: the database, its log, and the folder of its large values.
struct StoreFiles {
  let store: URL
  /// Whether there was an index of the log. Only processes that have the file open need one.
  private let hadIndex: Bool

  init(_ store: URL) {
    self.store = store
    hadIndex = FileManager.default.fileExists(atPath: store.path + "-shm")
  }

  /// Copies all files that are there into a new folder. The copies belong to their owner, who may write them.
  func copy(to folder: URL) throws -> StoreFiles {
    let files = FileManager.default
    guard files.fileExists(atPath: store.path) else {
      throw Finding("There is no file at \(store.path).")
    }
    // A copy of a pipe would never end, and that of a folder would bring all that is in it.
    let target = store.resolvingSymlinksInPath().path
    guard try files.attributesOfItem(atPath: target)[.type] as? FileAttributeType == .typeRegular
    else { throw Finding("\(store.path) is no file.") }
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = StoreFiles(folder.appendingPathComponent(store.lastPathComponent))
    for (own, other) in zip(places, copy.places) where files.fileExists(atPath: own.path) {
      try files.copyItem(at: own.resolvingSymlinksInPath(), to: other)
      let isFolder = try other.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
      try files.setAttributes(
        [.posixPermissions: isFolder ? 0o700 : 0o600], ofItemAtPath: other.path)
    }
    return copy
  }

  /// Whether all files have the same bytes, and none is there that was not.
  func areEqual(to other: StoreFiles) -> Bool {
    let files = FileManager.default
    guard files.fileExists(atPath: store.path + "-shm") == hadIndex else { return false }
    return zip(places, other.places).allSatisfy { own, other in
      guard files.fileExists(atPath: own.path) else { return !files.fileExists(atPath: other.path) }
      return files.contentsEqual(atPath: own.resolvingSymlinksInPath().path, andPath: other.path)
    }
  }

  private var places: [URL] {
    let name = store.deletingPathExtension().lastPathComponent
    return ["", "-wal", "-journal"].map { URL(fileURLWithPath: store.path + $0) }
      + [store.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT")]
  }
}

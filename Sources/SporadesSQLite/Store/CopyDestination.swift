// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// The place of a copy of a store.
///
/// The copy grows under another name, ``draft``, and takes its place in one step. Until then the place holds what it
/// held before. A process that ends in between leaves the draft, and files of large values that no row names; a later
/// copy to the place uses those files again.
struct CopyDestination {
  let path: String
  /// The name under which the copy grows, in the folder of the place.
  let draft: String
  private let replaced: StoreFile?
  private let kept: Set<ValueName>
  private let folder: ValueFolder
  private let claim: CopyClaim

  /// Throws if there is something at the place, unless it is a store that nobody has open and `replacing` holds.
  init(_ path: String, replacing: Bool) throws(StoreError) {
    self.path = path
    draft = "\(path).\(UUID().uuidString)"
    folder = ValueFolder(ofStoreAt: path)
    claim = try CopyClaim(folder, path)
    guard SystemFile.kind(path) != .none else {
      (replaced, kept) = (nil, [])
      return
    }
    guard replacing, SystemFile.kind(path) != .folder else { throw Self.isTaken(path) }
    let store = try StoreFile(path)
    (replaced, kept) = (store, Set(try store.check()))
  }

  private static func isTaken(_ path: String) -> StoreError {
    StoreError(
      .cannotOpen,
      SystemFile.kind(path) == .folder
        ? "\(path) is a folder. Name a file in it for the copy: \(path)/Copy.sqlite."
        : "There is something at \(path) already. Choose another path for the copy, or replace the store there: replacing: true."
    )
  }

  /// Throws if the place is the file that would be copied.
  static func check(_ path: String, isNot source: String?) throws(StoreError) {
    guard let source, let file = SystemFile.identity(path), file == SystemFile.identity(source)
    else { return }
    throw StoreError(
      .cannotOpen, "\(path) is the store itself. Choose another path for the copy.")
  }

  /// Makes the empty draft. An exclusive creation leaves a file alone that has this name already.
  func makeDraft() throws(StoreError) {
    let error = SystemFile.create(draft)
    guard error == 0 else {
      throw StoreError(
        .cannotOpen, "No copy can be created at \(path): \(SystemFile.message(error)).")
    }
  }

  /// The copies of large values, from the folder of the source.
  func values(from source: ValueFolder) -> FileCopies {
    FileCopies(from: source, to: folder, keeping: kept)
  }

  /// Puts the finished draft in its place. Returns the large values of the replaced store.
  func takePlace() throws(StoreError) -> [ValueName] {
    if let replaced { return try replaced.settle { () throws(StoreError) in try moveDraft() } }
    guard SystemFile.kind(path) == .none else { throw Self.isTaken(path) }
    try moveDraft()
    return []
  }

  /// Renames the draft. The store at the place has no log, because it is settled. Where there is none, SQLite would
  /// read a leftover log as the log of the copy. The draft's own log is empty, and stays if SQLite could not remove it.
  private func moveDraft() throws(StoreError) {
    for end in SystemFile.sidecars {
      SystemFile.remove(path + end)
      SystemFile.remove(draft + end)
    }
    let error =
      replaced == nil
      ? SystemFile.move(draft, toNew: path) : SystemFile.move(draft, to: path)
    if replaced == nil, error == SystemFile.exists { throw Self.isTaken(path) }
    guard error == 0 else {
      throw StoreError(
        .io, "The copy cannot be moved to \(path): \(SystemFile.message(error)).")
    }
  }

  /// Waits until the copy's name is on the disk, and then removes the large values that only the replaced store
  /// named.
  func settle(
    naming names: [ValueName], insteadOf former: [ValueName]
  ) throws(StoreError) {
    try SystemFile.sync(folderOf: path)
    let taken = Set(names)
    try UnusedFiles.remove(former.filter { !taken.contains($0) }, folder)
  }

  /// Removes the draft.
  func removeDraft() {
    SystemFile.removeDatabase(draft)
  }
}

/// The right to copy a store to a place, as long as the instance lives. Of two copies that share the files of their
/// large values, the one that fails would remove files that the other one names.
private final class CopyClaim: Sendable {
  private static let claimed = Guarded<Set<String>>([])
  private let folder: String

  init(_ folder: ValueFolder, _ path: String) throws(StoreError) {
    let resolved = folder.resolved
    guard Self.claimed.withLock({ $0.insert(resolved).inserted }) else {
      throw StoreError(
        .busy, "Another copy to \(path) is under way. Wait for its end, or choose another path.")
    }
    self.folder = resolved
  }

  deinit { Self.claimed.withLock { _ = $0.remove(folder) } }
}

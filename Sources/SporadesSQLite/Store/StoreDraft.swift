// SPDX-License-Identifier: MIT
package import SporadesModel
import SporadesSQL
package import SporadesStore

/// A copy of a store that is changed beside it and then takes its place in one step.
///
/// The store itself is locked against everybody until then. A process that ends in between leaves the store as it
/// was, and a draft that nobody opens.
package final class StoreDraft {
  /// The file of the draft, beside the store. Its name begins with a dot.
  package let path: String
  /// The store that the draft will replace.
  package let original: String
  private let owner: Connection
  private let target: String
  /// Tells those who wait for the store that they wait for a migration.
  private let sign: WaitingSign?
  private var isOpen = true
  /// Removes the copy that the options ask for, unless the draft takes the store's place.
  private var removeCopy: (() -> Void)?

  /// Locks the store and copies it. Waits for other processes as long as the options say.
  ///
  /// Returns nil, and copies nothing, if `isNeeded` says so of the metadata under the lock: another process may have
  /// done the work meanwhile. `model` is the store's version, for the error of a missing file.
  package init?(
    of path: String, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions,
    isNeeded: ([String: MetadataValue]) throws(StoreError) -> Bool
  ) throws(StoreError) {
    original = path
    target = SystemFile.target(of: path)
    // Under the lock of the store nobody else uses this name, so what has it is left of a process that ended.
    self.path = Self.path(ofDraftFor: target)
    owner = try StoreFile.own(target, options)
    sign = WaitingSign(for: target, .migrating)
    // Without the sign, others wait for a shorter time.
    _ = sign?.raise()
    try removeAbandoned()
    var isComplete = false
    defer { if !isComplete { discard() } }
    let metadata = try StoreContent(on: owner).identity(at: path).metadata
    guard try isNeeded(metadata) else { return nil }
    do throws(StoreError) {
      removeCopy = try FormerStore.keeping(path, options)?(owner)
      try copy()
    } catch {
      throw try error.namingMissingFiles(ofStoreAt: target, owner, model, options.configuration)
    }
    isComplete = true
  }

  deinit { discard() }

  /// The place of the draft for a store whose file is at `target`.
  static func path(ofDraftFor target: String) -> String {
    let folder = SystemFile.folder(of: target)
    let name = target.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
    return "\(folder)/.\(name ?? target).draft"
  }

  /// Removes what a process left that ended during its migration.
  private func removeAbandoned() throws(StoreError) {
    guard Self.isThere(at: path) else { return }
    try UnusedFiles(folder: storeValues, connection: owner).remove(
      among: UnusedFiles.listed(storeValues))
    removeDraft()
  }

  /// Something is left of a draft: its file, its folder of large values, or the draft that a mapping model makes beside it.
  static func isThere(at path: String) -> Bool {
    [path, ValueFolder(ofStoreAt: path).path, path + ".migrating"]
      .contains { SystemFile.kind($0) != .none }
  }

  // MARK: - Copying

  private func copy() throws(StoreError) {
    let error = SystemFile.create(path)
    guard error == 0 else {
      throw StoreError(
        .cannotOpen,
        "No draft of \(original) can be made beside it: \(SystemFile.message(error)). This process needs "
          + "write permission in the folder.")
    }
    try owner.copy(toFile: path)
    try values(to: draftValues).take(StoreFile.names(owner))
    try SQLiteStore.finish(path)
  }

  private var draftValues: ValueFolder { ValueFolder(ofStoreAt: path) }
  private var storeValues: ValueFolder { ValueFolder(ofStoreAt: original) }

  private func values(to folder: ValueFolder) -> FileCopies {
    FileCopies(from: storeValues, to: folder, keeping: [])
  }

  // MARK: - The end

  /// Puts the draft in the place of the store, and waits until its name is on the disk.
  package func takePlace() throws(StoreError) {
    let former = try StoreFile.names(owner)
    let names = try settledNames()
    let values = FileCopies(from: draftValues, to: storeValues, keeping: Set(former))
    do throws(StoreError) {
      try values.take(names)
      try move()
    } catch {
      values.removeTaken()
      throw error
    }
    removeCopy = nil
    let taken = Set(names)
    try SystemFile.sync(folderOf: target)
    try UnusedFiles.remove(former.filter { !taken.contains($0) }, storeValues)
    discard()
  }

  /// Moves the draft's log into its file. Returns the names of its large values.
  private func settledNames() throws(StoreError) -> [ValueName] {
    let names = try StoreFile(path).settle {}
    try SQLiteStore.finish(path)
    return names
  }

  private func move() throws(StoreError) {
    // Without a log, nothing of the old store outlives its name. The lock lasts until the connection closes.
    let mode = try owner.rows(.setJournalMode("DELETE")).first?.first?.text
    guard mode == "delete" else {
      throw StoreError(.busy, "The log of \(original) cannot be ended. Try again.")
    }
    for end in SystemFile.sidecars { SystemFile.remove(path + end) }
    let error = SystemFile.move(path, to: target)
    guard error == 0 else {
      throw StoreError(
        .io, "The draft cannot be moved to \(original): \(SystemFile.message(error)).")
    }
  }

  /// Removes the files of the draft, and unlocks the store.
  package func discard() {
    guard isOpen else { return }
    isOpen = false
    // Another process may make its draft under the same name as soon as the store is unlocked, so the files go first.
    removeDraft()
    removeCopy?()
    owner.close()
    // A failure leaves the sign up until the draft goes, in which case others wait a little longer.
    _ = sign?.lower()
  }

  private func removeDraft() { Self.removeFiles(ofDraftAt: path) }

  /// Removes a draft, its large values, and the draft that a mapping model makes beside it.
  static func removeFiles(ofDraftAt path: String) {
    for path in [path, path + ".migrating"] {
      SystemFile.removeDatabase(path)
      let values = ValueFolder(ofStoreAt: path)
      // `try?`, because files that stay have no store and harm nobody.
      for name in (try? values.names()) ?? [] { try? values.remove(name) }
      try? values.removeIfEmpty()
    }
  }
}

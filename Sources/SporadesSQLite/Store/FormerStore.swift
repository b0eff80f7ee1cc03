// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// A store as it was before a migration, beside the store: `Shop-before-1.sqlite`, or with the next number that is free.
struct FormerStore {
  /// The path, which nothing had before.
  let path: String
  private let original: String
  /// The place of the copy until it is complete.
  var draft: String { "\(path).draft" }

  /// Throws if the system refuses to tell whether a name is free.
  init(of original: String) throws(StoreError) {
    self.original = SystemFile.target(of: original)
    let (stem, ending) = SystemFile.parts(self.original)
    var number = 1
    var path = "\(stem)-before-1\(ending)"
    while true {
      let kind = SystemFile.kind(path, followsLinks: false)
      if kind == .none { break }
      guard kind != .hidden else {
        let message = SystemFile.message(SystemFile.lastError)
        throw StoreError(
          .cannotOpen,
          "The system refuses to tell whether \(path) is there: \(message). A copy of the store gets the first such "
            + "name that is free. Change the permissions of the folder, or the links that lead to it."
        )
      }
      number += 1
      path = "\(stem)-before-\(number)\(ending)"
    }
    self.path = path
  }

  /// Keeps the store before it is migrated; nil if the options ask for no copy.
  static func keeping(
    _ path: String?, _ options: SQLiteStoreOptions
  ) -> StoreMigration.Keeping? {
    guard options.migration.keepsCopy, let path else { return nil }
    return { (connection) throws(StoreError) in
      let former = try FormerStore(of: path)
      let values = try former.copy(connection)
      options.migration.progress?.note(formerStore: former.path)
      return {
        // The store stays as it was, and each attempt would leave another copy.
        SystemFile.removeDatabase(former.path)
        values.removeTaken()
        options.migration.progress?.note(formerStore: nil)
      }
    }
  }

  /// Copies what a connection shows. The copy has its name when it is complete and on the disk.
  private func copy(_ connection: Connection) throws(StoreError) -> FileCopies {
    let values = copies
    SystemFile.remove(draft)
    do throws(StoreError) {
      let error = SystemFile.create(draft)
      guard error == 0 else { throw failure("made", error) }
      try connection.copy(toFile: draft)
      try values.take(StoreFile.names(connection))
      try SQLiteStore.finish(draft)
      let moved = SystemFile.move(draft, toNew: path)
      guard moved == 0 else { throw failure("named", moved) }
      try SystemFile.sync(folderOf: path)
      return values
    } catch {
      SystemFile.remove(draft)
      values.removeTaken()
      throw error
    }
  }

  /// Gives the store itself this name. The caller owns its file.
  func takeStore(_ owner: Connection) throws(StoreError) {
    let names = try StoreFile.names(owner)
    let values = copies
    try values.take(names)
    let mode = try owner.rows(.setJournalMode("DELETE")).first?.first?.text
    guard mode == "delete" else {
      throw StoreError(.busy, "The log of \(original) cannot be ended. Try again.")
    }
    let error = SystemFile.move(original, toNew: path)
    guard error == 0 else {
      values.removeTaken()
      throw failure("named", error)
    }
    try SystemFile.sync(folderOf: path)
    try UnusedFiles.remove(names, ValueFolder(ofStoreAt: original))
  }

  private var copies: FileCopies {
    FileCopies(
      from: ValueFolder(ofStoreAt: original), to: ValueFolder(ofStoreAt: path), keeping: [])
  }

  private func failure(_ verb: String, _ error: Int32) -> StoreError {
    StoreError(
      .io,
      "The store as it was before the migration cannot be \(verb) \(path): \(SystemFile.message(error)). The store "
        + "was not migrated.")
  }
}

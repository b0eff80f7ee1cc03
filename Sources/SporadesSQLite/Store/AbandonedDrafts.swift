// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Copies of a store that a process left when it ended in the middle of a migration: the draft of a plan, and the beginning
/// of a copy that `keepsCopy` asks for. Each is as large as the store.
///
/// A process makes them under the write lock of the store, or while nobody else can open it. While this process holds that
/// lock, they are therefore abandoned.
struct AbandonedDrafts {
  private let path: String
  private let draft: String
  private let formerDraft: String

  /// `path` is the file of the store, which links lead to.
  init(ofStoreAt path: String) throws(StoreError) {
    self.path = path
    draft = StoreDraft.path(ofDraftFor: path)
    formerDraft = try FormerStore(of: path).draft
  }

  private var areThere: Bool {
    StoreDraft.isThere(at: draft) || SystemFile.kind(formerDraft) != .none
  }

  /// Removes them, if there are any and no other process writes the store. The process may also have left large values in
  /// the folder of the store, before or after the draft took its place. These go first.
  func remove() throws(StoreError) {
    guard areThere, try UnusedFiles.collect(storeAt: path) else { return }
    let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 0)
    defer { connection.close() }
    do throws(StoreError) { try connection.run(.beginToWrite) } catch  where error.code == .busy {
      return
    }
    // The lock of a file that has lost its name keeps nobody from the store in its place.
    guard !connection.hasMoved else { return }
    StoreDraft.removeFiles(ofDraftAt: draft)
    // Its large values lie in the folder of the copy, and the next copy of that name takes them over.
    SystemFile.removeDatabase(formerDraft)
  }
}

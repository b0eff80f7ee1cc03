// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Synchronization

/// The files of an open store, and whether they are still where they were opened.
///
/// The system lets anybody remove, move or replace a file that is open. SQLite goes on writing to the
/// file it has opened, which nobody finds again.
final class StorePlace: Sendable {
  private let path: String
  private let files: [(path: String, identity: SystemFile.Identity)]
  private let isLost = Atomic<Bool>(false)
  /// The folder that all the files lie in; nil where the path is a link to another folder.
  private let folder: String?
  /// The state of the folder in which all files were found in place, if a later change of the folder
  /// cannot look the same.
  private let settled = Guarded<SystemFile.FolderState?>(nil)

  /// Notes the files that must stay: the database, and where it is written with a log the log and
  /// the memory that processes share. SQLite has opened them all by then.
  ///
  /// The path may be a link to `file`, and the log lies beside the file.
  init(_ path: String, file: String, isLogged: Bool) throws(StoreError) {
    self.path = path
    var files: [(path: String, identity: SystemFile.Identity)] = []
    for name in isLogged ? [path, file + "-wal", file + "-shm"] : [path] {
      guard let identity = SystemFile.identity(name) else { throw Self.lost(path, name) }
      files.append((name, identity))
    }
    self.files = files
    folder = path == file ? SystemFile.folder(of: path) : nil
  }

  /// Throws where a file is gone or another one lies at its place.
  ///
  /// A folder tells when a name in it was last given or taken, so that one question of the folder
  /// answers for all files as long as nobody changed it.
  func check() throws(StoreError) {
    let state = folder.flatMap(SystemFile.folderState)
    if let state, settled.withLock({ $0 }) == state { return }
    try checkFiles()
    settled.withLock { $0 = state.flatMap { $0.isPast ? $0 : nil } }
  }

  private func checkFiles() throws(StoreError) {
    for file in files where SystemFile.identity(file.path) != file.identity {
      isLost.store(true, ordering: .relaxed)
      throw Self.lost(path, file.path)
    }
    isLost.store(false, ordering: .relaxed)
  }

  /// The last check has thrown.
  var wasLost: Bool { isLost.load(ordering: .relaxed) }

  var isInPlace: Bool {
    do throws(StoreError) {
      try check()
      return true
    } catch {
      return false
    }
  }

  /// The files beside the database are still those that were opened, whatever became of itself.
  var ownsLog: Bool {
    files.dropFirst().allSatisfy { SystemFile.identity($0.path) == $0.identity }
  }

  /// Throws where an open file is another log than the one that was opened with the store.
  func checkLog(_ descriptor: Int32) throws(StoreError) {
    guard files.count > 1, descriptor >= 0 else { return }
    guard SystemFile.identity(ofOpen: descriptor) == files[1].identity else {
      throw Self.lost(path, files[1].path)
    }
  }

  private static func lost(_ path: String, _ file: String) -> StoreError {
    StoreError(
      .moved,
      "\(file) was removed, moved or replaced while the store was open, and what is written is lost "
        + "with it. Put the file back, or save what can be read with copy(to:) and open the store at "
        + "\(path) anew.")
  }
}

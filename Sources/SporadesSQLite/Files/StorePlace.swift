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
  }

  /// Throws where a file is gone or another one lies at its place.
  func check() throws(StoreError) {
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

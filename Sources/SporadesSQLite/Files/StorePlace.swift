// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Synchronization

/// The files of an open store, with a check that they are still at their paths.
///
/// The system lets any process remove, move or replace an open file. SQLite then continues to write to the
/// file it opened, which no process can open by its path again.
final class StorePlace: Sendable {
  private let path: String
  private let files: [(path: String, identity: SystemFile.Identity)]
  private let isLost = Atomic<Bool>(false)

  /// Records the files that must stay: the database and, if it has a write-ahead log, the log and the shared
  /// memory. SQLite has opened all of them at this point.
  ///
  /// The path may be a link to `file`. The log lies beside `file`.
  init(_ path: String, file: String, isLogged: Bool) throws(StoreError) {
    self.path = path
    var files: [(path: String, identity: SystemFile.Identity)] = []
    for name in isLogged ? [path, file + "-wal", file + "-shm"] : [path] {
      guard let identity = SystemFile.identity(name) else { throw Self.lost(path, name) }
      files.append((name, identity))
    }
    self.files = files
  }

  /// Throws if a file is missing or another file lies at its path.
  func check() throws(StoreError) {
    for file in files where SystemFile.identity(file.path) != file.identity {
      isLost.store(true, ordering: .relaxed)
      throw Self.lost(path, file.path)
    }
    isLost.store(false, ordering: .relaxed)
  }

  /// Whether the last check has thrown.
  var wasLost: Bool { isLost.load(ordering: .relaxed) }

  var isInPlace: Bool {
    do throws(StoreError) {
      try check()
      return true
    } catch {
      return false
    }
  }

  /// Whether the log and the shared memory are still the opened files. The database itself may have moved.
  var ownsLog: Bool {
    files.dropFirst().allSatisfy { SystemFile.identity($0.path) == $0.identity }
  }

  /// Throws if the descriptor is not the log that the store opened.
  func checkLog(_ descriptor: Int32) throws(StoreError) {
    guard files.count > 1, descriptor >= 0 else { return }
    guard SystemFile.identity(ofOpen: descriptor) == files[1].identity else {
      throw Self.lost(path, files[1].path)
    }
  }

  private static func lost(_ path: String, _ file: String) -> StoreError {
    StoreError(
      .moved,
      "\(file) was removed, moved or replaced while the store was open. Everything written to it is lost "
        + "with it. Put the file back, or save the readable rows with copy(to:) and open the store at "
        + "\(path) again.")
  }
}

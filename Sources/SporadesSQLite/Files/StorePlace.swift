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
  private let isMissing = Atomic<Bool>(false)
  /// Somebody has emptied the database. It never comes back: what gets into the file later is another database.
  private let isEmptied = Atomic<Bool>(false)

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

  /// Throws if a file is missing, if another file lies at its path, or if somebody has emptied the database. A commit whose
  /// check throws is not acknowledged, and nor is a later one until a check succeeds.
  func check() throws(StoreError) {
    do throws(StoreError) { try look() } catch {
      isLost.store(true, ordering: .relaxed)
      throw error
    }
    isLost.store(false, ordering: .relaxed)
  }

  /// Throws like ``check()``, but counts as no failed commit.
  func look() throws(StoreError) {
    for (place, file) in files.enumerated() {
      let found = place == 0 ? findDatabase() : SystemFile.identity(file.path)
      guard found != file.identity || wasEmptied else { continue }
      isMissing.store(true, ordering: .relaxed)
      throw Self.lost(path, file.path)
    }
  }

  /// Whether a look has ever thrown. A look that succeeds does not take it back, since it may have begun before the loss.
  var wasMissing: Bool { isMissing.load(ordering: .relaxed) }

  /// The error of a look, if an earlier one has thrown and the next one does.
  var loss: StoreError? {
    guard wasMissing else { return nil }
    do throws(StoreError) { try look() } catch { return error }
    return nil
  }

  /// The loss of the database, if somebody has emptied it. Whoever reads from it before anybody has looked is told of
  /// damage, of missing tables or of another model. Another process may have found the database empty before a checkpoint
  /// filled it again: then the log is gone.
  func cause(of error: StoreError) -> StoreError {
    guard error.code != .closed else { return error }
    _ = findDatabase()
    guard wasEmptied || !hasLog else { return error }
    do throws(StoreError) { try look() } catch { return error }
    return error
  }

  /// Looks for the database at its path, and notes whether it is empty. A log is, between two checkpoints; a database never
  /// is, once it was opened.
  ///
  /// The log of an empty database goes, as when SQLite opens such a file. Its absence tells every other process, also after a
  /// checkpoint that had begun before has put pages into the database.
  private func findDatabase() -> SystemFile.Identity? {
    let found = SystemFile.identityAndSize(files[0].path)
    if found?.size == 0, found?.identity == files[0].identity,
      !isEmptied.exchange(true, ordering: .relaxed), hasLog
    {
      removeLog()
    }
    return found?.identity
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

  /// Whether the database was found empty. No later check succeeds.
  var wasEmptied: Bool { isEmptied.load(ordering: .relaxed) }

  /// Throws if the database was found empty. What a connection reads then may be of another one.
  func checkContents() throws(StoreError) { if wasEmptied { try look() } }

  /// Whether the log at the path has no bytes.
  var isLogEmpty: Bool { files.count > 1 && SystemFile.size(files[1].path) == 0 }

  /// Removes the empty log and the shared memory from beside the database that has replaced the opened one. Else whoever
  /// opens that database would take them for its own, and read the pages of one by the index of the other.
  func leaveOtherDatabase() {
    guard files.count > 1 else { return }
    let database = SystemFile.identity(String(files[1].path.dropLast("-wal".count)))
    guard let database, database != files[0].identity else { return }
    // A log that is not empty stays until the next attempt.
    _ = leavePath()
  }

  private func removeLog() {
    for file in files.dropFirst().reversed() { SystemFile.remove(file.path) }
  }

  /// Removes the empty log and the shared memory from the path of a database that has left it, so that a new one gets its
  /// own. Returns false if they stay.
  func leavePath() -> Bool {
    guard files.count > 1, ownsLog else { return true }
    guard isLogEmpty else { return false }
    removeLog()
    return true
  }

  /// Whether the log and the shared memory are still the opened files.
  private var hasLog: Bool {
    files.dropFirst().allSatisfy { SystemFile.identity($0.path) == $0.identity }
  }

  /// Whether the log and the shared memory are still the opened files, and the database has not been emptied: the pages of
  /// the log would make a damaged database of it. It may have moved.
  var ownsLog: Bool {
    guard hasLog else { return false }
    _ = findDatabase()
    return !wasEmptied
  }

  /// Throws if the descriptor is not the log that the store opened, or there is none because the log is gone.
  func checkLog(_ descriptor: Int32) throws(StoreError) {
    guard files.count > 1 else { return }
    guard descriptor >= 0 else {
      if SystemFile.kind(files[1].path) == .none { throw Self.lost(path, files[1].path) }
      return
    }
    guard SystemFile.identity(ofOpen: descriptor) == files[1].identity else {
      throw Self.lost(path, files[1].path)
    }
  }

  private static func lost(_ path: String, _ file: String) -> StoreError {
    StoreError(
      .moved,
      "\(file) was removed, moved, replaced or emptied while the store was open. Everything written to it is lost "
        + "with it. Put the file back, or save the readable rows with copy(to:) and open the store at "
        + "\(path) again.")
  }
}

// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesStore
import Synchronization

/// The log beside the database: synced when a commit asks for it, moved into the database in the
/// background.
final class WriteAheadLog: Sendable {
  private let path: String
  private let threshold: Int
  private let place: StorePlace
  private let upkeep: UpkeepAccount
  private let connect: @Sendable () throws(StoreError) -> Connection
  private let state = Guarded(State())
  private let commits = Atomic<Int>(0)
  private let isChecking = Atomic<Bool>(false)
  private let isReleasing = Atomic<Bool>(false)
  /// Frames in the log after the last commit, and after the one that began the last checkpoint.
  private let frames = Atomic<Int>(0)
  private let lastFrames = Atomic<Int>(0)
  private let hasRest = Atomic<Bool>(false)
  private let queue = DispatchQueue(label: "sporades.checkpoint", qos: .utility)
  private let checker = Guarded<Connection?>(nil)

  private struct State {
    var descriptor: Int32 = -1
    var synced = 0
  }

  init(
    databasePath: String, threshold: Int, place: StorePlace, upkeep: UpkeepAccount,
    connect: @escaping @Sendable () throws(StoreError) -> Connection
  ) {
    path = databasePath + "-wal"
    self.threshold = max(1, threshold)
    self.place = place
    self.upkeep = upkeep
    self.connect = connect
  }

  deinit {
    let descriptor = state.withLock { $0.descriptor }
    if descriptor >= 0 { SystemFile.shut(descriptor) }
  }

  func noteCommit(frames: Int) {
    self.frames.store(frames, ordering: .relaxed)
    commits.add(1, ordering: .acquiringAndReleasing)
  }

  /// Returns when all commits so far are on the disk; false if they were there already.
  ///
  /// `PRAGMA synchronous` cannot change while a transaction is open, so commits run under NORMAL,
  /// which writes the log and does not wait for it. A sync of the log afterwards is the very step
  /// FULL would add (https://sqlite.org/pragma.html#pragma_synchronous). The log may be opened and
  /// closed here: SQLite holds its locks on other files.
  @discardableResult
  func sync() throws(StoreError) -> Bool { try sync(all: false) }

  /// The same, with what other processes committed.
  func syncAll() throws(StoreError) { _ = try sync(all: true) }

  private func sync(all: Bool) throws(StoreError) -> Bool {
    try state.withLock { (state) throws(StoreError) -> Bool in
      let upTo = commits.load(ordering: .acquiring)
      guard all || state.synced < upTo else { return false }
      if state.descriptor < 0 { state.descriptor = try openLog() }
      guard SystemFile.sync(state.descriptor) else {
        throw StoreError(.io, "The log of the store at \(path) cannot be synced.")
      }
      state.synced = upTo
      return true
    }
  }

  /// Opens the log of this store, and no other that lies in its place for a while.
  private func openLog() throws(StoreError) -> Int32 {
    let descriptor = SystemFile.openForSync(path)
    do throws(StoreError) {
      try place.checkLog(descriptor)
      guard descriptor >= 0, SystemFile.syncFolder(of: path) else {
        throw StoreError(.io, "The log of the store at \(path) cannot be synced.")
      }
    } catch {
      if descriptor >= 0 { SystemFile.shut(descriptor) }
      throw error
    }
    return descriptor
  }

  /// Has the files go that commits so far dropped, in the background, once these are on the disk.
  func release(_ files: ExternalFiles) {
    guard !isReleasing.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [self] in
      // What is dropped from here on asks again.
      isReleasing.store(false, ordering: .releasing)
      let drops = files.takeDrops()
      guard !drops.isEmpty else { return }
      do throws(StoreError) {
        try sync()
        files.release(drops)
      } catch {
        // They stay until a later commit is synced.
        files.keep(drops)
        upkeep.note(error, of: .removingFiles)
      }
    }
  }

  // MARK: - Checkpoints

  /// Starts moving the log into the database once it has grown by the threshold since the last time.
  func checkpointIfNeeded(_ writer: LockedWriter) {
    let frames = frames.load(ordering: .relaxed)
    let last = lastFrames.load(ordering: .relaxed)
    // Fewer frames than last time: the log was begun anew.
    if frames < last { lastFrames.store(0, ordering: .relaxed) }
    guard frames >= (frames < last ? 0 : last) + threshold,
      !isChecking.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    lastFrames.store(frames, ordering: .relaxed)
    let writerWaits = frames >= threshold * 16
    queue.async { [self] in
      defer { isChecking.store(false, ordering: .releasing) }
      guard let left = checkpoint() else { return }
      hasRest.store(0 < left && left < threshold, ordering: .relaxed)
      // SQLite begins its log anew only when all of it was moved. A writer that never rests could
      // let it grow for ever, so the short rest of a very long log is moved while the writer is
      // held. What then is left, the next checkpoint moves.
      if left > 0, writerWaits { writer.state.withLock { _ in _ = checkpoint() } }
    }
  }

  /// Moves what was committed while the background moved what was there before.
  ///
  /// Called while the writer is held, by a commit that waits for the disk anyway. Such commits one
  /// after the other leave no moment in which the log does not grow, and to sync a file that grows
  /// takes twice as long as one that was begun anew: its new length is written too.
  func moveRest() {
    guard hasRest.load(ordering: .relaxed),
      !isChecking.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    defer { isChecking.store(false, ordering: .releasing) }
    hasRest.store(false, ordering: .relaxed)
    // What still is left, the next checkpoint moves.
    _ = checkpoint()
  }

  /// Returns the number of frames that were committed and not moved. Nil where the log is another store's,
  /// and where the move failed: the account of the upkeep then has the error.
  private func checkpoint() -> Int? {
    // Processes that use another log see none of our locks.
    guard place.ownsLog else { return nil }
    return checker.withLock { checker in
      do throws(StoreError) {
        let connection = if let checker { checker } else { try connect() }
        checker = connection
        let moved = try connection.checkpoint(truncating: false)
        upkeep.noteSuccess(of: .movingLog)
        return frames.load(ordering: .relaxed) - moved
      } catch {
        // The log keeps everything. The next checkpoint tries on a new connection: one that found no
        // descriptor for writing never writes.
        checker = nil
        upkeep.note(error, of: .movingLog)
        return nil
      }
    }
  }

  func waitForCheckpoints() {
    queue.sync {}
    checker.withLock { $0 = nil }
  }

  func close() {
    state.withLock { state in
      if state.descriptor >= 0 { SystemFile.shut(state.descriptor) }
      state.descriptor = -1
    }
  }
}

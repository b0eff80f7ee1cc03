// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesStore
import Synchronization

/// The log beside the database. A commit syncs it on request, and the background moves it into the database.
final class WriteAheadLog: Sendable {
  private let path: String
  private let threshold: Int
  private let place: StorePlace
  private let upkeep: UpkeepAccount
  /// Ends the transactions of idle readers, because SQLite moves no frames that a reader may still need.
  private let endIdleReads: @Sendable () -> Void
  private let connect: @Sendable () throws(StoreError) -> Connection
  private let state = Guarded(State())
  private let commits = Atomic<Int>(0)
  private let isChecking = Atomic<Bool>(false)
  private let isReleasing = Atomic<Bool>(false)
  /// The number of frames in the log after the last commit, and at the start of the last checkpoint.
  private let frames = Atomic<Int>(0)
  private let lastFrames = Atomic<Int>(0)
  private let hasRest = Atomic<Bool>(false)
  /// The number of frames at which a writer waits for readers, so that SQLite can begin the log anew.
  private let overdue: Atomic<Int>
  private let queue = DispatchQueue(label: "sporades.checkpoint", qos: .utility)
  private let checker = Guarded<Connection?>(nil)

  private struct State {
    var descriptor: Int32 = -1
    var synced = 0
  }

  init(
    databasePath: String, threshold: Int, place: StorePlace, upkeep: UpkeepAccount,
    endIdleReads: @escaping @Sendable () -> Void,
    connect: @escaping @Sendable () throws(StoreError) -> Connection
  ) {
    path = databasePath + "-wal"
    self.threshold = max(1, threshold)
    overdue = Atomic(Self.overdue(self.threshold))
    self.place = place
    self.upkeep = upkeep
    self.endIdleReads = endIdleReads
    self.connect = connect
  }

  deinit {
    let descriptor = state.withLock { $0.descriptor }
    if descriptor >= 0 { SystemFile.shut(descriptor) }
  }

  func noteCommit(frames: Int) {
    let former = self.frames.exchange(frames, ordering: .relaxed)
    if frames < former { overdue.store(Self.overdue(threshold), ordering: .relaxed) }
    commits.add(1, ordering: .acquiringAndReleasing)
  }

  /// Waits until all commits so far are on the disk; false if they were there already.
  ///
  /// `PRAGMA synchronous` cannot change inside a transaction, so commits run under NORMAL, which writes the
  /// log without waiting for the disk. A sync of the log after the commit is the step that FULL would add
  /// (https://sqlite.org/pragma.html#pragma_synchronous). Opening and closing the log here is safe, because
  /// SQLite holds its locks on other files.
  @discardableResult
  func sync() throws(StoreError) -> Bool { try sync(all: false) }

  /// Does the same, and includes the commits of other processes.
  func syncAll() throws(StoreError) { _ = try sync(all: true) }

  private func sync(all: Bool) throws(StoreError) -> Bool {
    try state.withLock { (state) throws(StoreError) -> Bool in
      let upTo = commits.load(ordering: .acquiring)
      guard all || state.synced < upTo else { return false }
      if state.descriptor < 0 { state.descriptor = try openLog() }
      guard SystemFile.sync(state.descriptor) else {
        throw syncFailure
      }
      state.synced = upTo
      return true
    }
  }

  private var syncFailure: StoreError {
    StoreError(
      .io,
      "The log \(path) cannot be synced: \(SystemFile.message(SystemFile.lastError)). Look at the "
        + "disk.")
  }

  /// Opens this store's log. Throws if another file lies at its path.
  private func openLog() throws(StoreError) -> Int32 {
    let descriptor = SystemFile.openForSync(path)
    do throws(StoreError) {
      try place.checkLog(descriptor)
      guard descriptor >= 0, SystemFile.syncFolder(of: path) else {
        throw syncFailure
      }
    } catch {
      if descriptor >= 0 { SystemFile.shut(descriptor) }
      throw error
    }
    return descriptor
  }

  /// Removes the files that commits have dropped, in the background, after these commits are on the disk.
  func release(_ files: ExternalFiles) {
    guard !isReleasing.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [self] in
      // A file dropped after this line needs another call.
      isReleasing.store(false, ordering: .releasing)
      do throws(StoreError) {
        try files.removeDropped { () throws(StoreError) in try sync() }
      } catch {
        // The files stay until a later commit is synced.
        upkeep.note(error, of: .removingFiles)
      }
    }
  }

  // MARK: - Checkpoints

  /// Starts a checkpoint after the log has grown by the threshold since the last one.
  func checkpointIfNeeded() {
    let frames = frames.load(ordering: .relaxed)
    let last = lastFrames.load(ordering: .relaxed)
    // A smaller number of frames means that SQLite has restarted the log.
    if frames < last { lastFrames.store(0, ordering: .relaxed) }
    guard frames >= (frames < last ? 0 : last) + threshold,
      !isChecking.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    lastFrames.store(frames, ordering: .relaxed)
    queue.async { [self] in
      defer { isChecking.store(false, ordering: .releasing) }
      guard let left = checkpoint() else { return }
      hasRest.store(0 < left && left < threshold, ordering: .relaxed)
    }
  }

  /// Lets SQLite begin the log anew, if it is overdue. The caller holds the writer's lock, and no transaction is open.
  ///
  /// SQLite begins its log anew only when all of it is in the database and nobody reads from it. Neither happens by
  /// itself while writes follow each other, or while reads overlap: each checkpoint meets later frames, or a reader that
  /// shows an earlier state. Here no frame can follow. The readers of earlier states end, and later readers need the
  /// log no more. If a reader takes longer than the patience, the next attempt comes when the log has twice the length.
  func beginAnewIfOverdue(_ writer: Connection) {
    let frames = writer.framesInLog
    guard frames >= overdue.load(ordering: .relaxed), writer.isOutsideTransaction else { return }
    // A checkpoint in the background ends first, so that a log on a slow disk does not outgrow it.
    let isAnew = withChecker { (checker) throws(StoreError) in
      try checker.beginLogAnew(patience: Self.patience)
    }
    guard isAnew == true else {
      return overdue.store(Self.times(2, frames), ordering: .relaxed)
    }
    hasRest.store(false, ordering: .relaxed)
    lastFrames.store(0, ordering: .relaxed)
    overdue.store(Self.overdue(threshold), ordering: .relaxed)
  }

  /// The longest time in milliseconds that a writer waits for readers.
  private static let patience: Int32 = 100

  /// Four times the length at which checkpoints in the background begin, so that most logs never get there.
  private static func overdue(_ threshold: Int) -> Int { times(4, threshold) }

  private static func times(_ factor: Int, _ frames: Int) -> Int {
    let (product, isOver) = frames.multipliedReportingOverflow(by: factor)
    return isOver ? .max : product
  }

  /// Moves the frames that commits added during the background checkpoint.
  ///
  /// A commit that waits for the disk anyway calls this while it holds the writer's lock. A series of such
  /// commits leaves no other moment in which the log does not grow. A sync of a growing file takes twice as
  /// long as a sync of a restarted one, because it also writes the new length.
  func moveRest() {
    guard hasRest.load(ordering: .relaxed),
      !isChecking.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    defer { isChecking.store(false, ordering: .releasing) }
    hasRest.store(false, ordering: .relaxed)
    // The next checkpoint moves any frames that still remain.
    _ = checkpoint()
  }

  /// Returns the number of committed frames that are still in the log; nil if it could not be moved.
  private func checkpoint() -> Int? {
    let moved = withChecker { (checker) throws(StoreError) in
      try checker.checkpoint(truncating: false)
    }
    return moved.map { frames.load(ordering: .relaxed) - $0 }
  }

  /// Runs `body` on the connection of checkpoints. Returns nil if the log belongs to another store, or if `body` failed
  /// and the upkeep account has the error.
  private func withChecker<Output>(
    _ body: (Connection) throws(StoreError) -> Output
  ) -> Output? {
    // A process that uses another log does not see this store's locks.
    guard place.ownsLog else { return nil }
    endIdleReads()
    return checker.withLock { checker in
      do throws(StoreError) {
        let connection = if let checker { checker } else { try connect() }
        checker = connection
        let output = try body(connection)
        upkeep.noteSuccess(of: .movingLog)
        return output
      } catch {
        // The log keeps every commit. The next checkpoint opens a new connection: SQLite opens a file for
        // reading only if descriptors run out, and such a connection never writes.
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

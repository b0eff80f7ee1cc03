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
  private let connect: @Sendable () throws(StoreError) -> Connection
  private let state = Guarded(State())
  private let commits = Atomic<Int>(0)
  private let isChecking = Atomic<Bool>(false)
  private let lastFrames = Atomic<Int>(0)
  private let queue = DispatchQueue(label: "sporades.checkpoint", qos: .utility)
  private let checker = Guarded<Connection?>(nil)

  private struct State {
    var descriptor: Int32 = -1
    var synced = 0
  }

  init(
    databasePath: String, threshold: Int,
    connect: @escaping @Sendable () throws(StoreError) -> Connection
  ) {
    path = databasePath + "-wal"
    self.threshold = max(1, threshold)
    self.connect = connect
  }

  deinit {
    let descriptor = state.withLock { $0.descriptor }
    if descriptor >= 0 { SystemFile.shut(descriptor) }
  }

  func noteCommit() { commits.add(1, ordering: .acquiringAndReleasing) }

  /// Returns when all commits so far are on the disk.
  ///
  /// `PRAGMA synchronous` cannot change while a transaction is open, so commits run under NORMAL,
  /// which writes the log and does not wait for it. A sync of the log afterwards is the very step
  /// FULL would add (https://sqlite.org/pragma.html#pragma_synchronous). The log may be opened and
  /// closed here: SQLite holds its locks on other files.
  func sync() throws(StoreError) {
    try state.withLock { (state) throws(StoreError) in
      let upTo = commits.load(ordering: .acquiring)
      guard state.synced < upTo else { return }
      if state.descriptor < 0 {
        state.descriptor = SystemFile.openForSync(path)
        guard state.descriptor >= 0, SystemFile.syncFolder(of: path) else {
          throw StoreError(.io, "The log of the store at \(path) cannot be synced.")
        }
      }
      guard SystemFile.sync(state.descriptor) else {
        throw StoreError(.io, "The log of the store at \(path) cannot be synced.")
      }
      state.synced = upTo
    }
  }

  // MARK: - Checkpoints

  /// Starts moving the log into the database once it has grown by the threshold since the last time.
  func checkpointIfNeeded(frames: Int, _ writer: LockedWriter) {
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
      let left = checkpoint()
      // SQLite begins its log anew only when all of it was moved. A writer that never rests could
      // let it grow for ever, so the short rest of a very long log is moved while the writer is
      // held.
      if left > 0, writerWaits { writer.state.withLock { _ in _ = checkpoint() } }
    }
  }

  private func checkpoint() -> Int {
    checker.withLock { checker in
      if checker == nil { checker = try? connect() }
      return checker?.checkpoint(truncating: false) ?? 0
    }
  }

  func waitForCheckpoints() {
    queue.sync {}
    checker.withLock { $0 = nil }
  }

  /// Empties the log, unless others are using it.
  func close(_ connection: Connection) {
    connection.checkpoint(truncating: true)
    state.withLock { state in
      if state.descriptor >= 0 { SystemFile.shut(state.descriptor) }
      state.descriptor = -1
    }
  }
}

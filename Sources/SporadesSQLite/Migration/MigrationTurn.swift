// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// Takes the write lock for a migration, and waits for its turn as long as the options allow.
///
/// Processes that start together all see the former version. The first one migrates. The others wait for its lock, and
/// then find the store migrated.
struct MigrationTurn {
  private let path: String
  private let milliseconds: Int
  /// Tells others that a migration runs or waits.
  private let sign: WaitingSign?

  init(_ path: String, _ options: MigrationOptions) {
    self.path = path
    milliseconds = options.patienceMilliseconds
    sign = WaitingSign(for: path, .migrating)
    // Without the sign, an opening of a file without a log waits for a shorter time.
    _ = sign?.raise()
  }

  /// Begins the transaction.
  func begin(_ connection: Connection) throws(StoreError) {
    connection.wait.sign = WaitingSign(for: path)
    connection.wait.allow(milliseconds: Int32(clamping: milliseconds))
    defer { connection.wait.end() }
    do throws(StoreError) { try connection.run(.beginToWrite) } catch  where error.code == .busy {
      let holder = LockHolders(of: SystemFile.target(of: path), writeLock: true).others
      throw StoreError(
        .busy,
        "\(holder.map { $0.prefix(1).uppercased() + $0.dropFirst() } ?? "Another process") has migrated the store at \(path), or written to it, for \(milliseconds) milliseconds. Wait for "
          + "its end, or raise patienceMilliseconds in the migration's options. Nothing was changed.",
        underlying: error)
    }
  }

  /// Repeats a step that another process blocks while it migrates the store at a path. A file without a write-ahead log
  /// cannot be read at the end of a migration, and no file while a plan's code works.
  ///
  /// A process that does not migrate blocks the step for as long as `usually` says.
  static func patiently<Output>(
    _ path: String, _ options: MigrationOptions, usually milliseconds: Int = 0,
    _ step: () throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(options.patienceMilliseconds)
    // The time at which nobody was seen to migrate any more.
    var quiet = clock.now
    var naps: Int32 = 0
    while true {
      do throws(StoreError) { return try step() } catch  where error.code == .busy {
        let (now, isMigrating) = (clock.now, isRunning(path))
        if isMigrating { quiet = now }
        guard now < end, isMigrating || now < quiet + .milliseconds(milliseconds) else {
          throw error
        }
        BusyWait.nap(naps)
        naps += 1
      }
    }
  }

  private static func isRunning(_ path: String) -> Bool {
    WaitingSign(for: path, .migrating)?.isRaisedByOthers ?? false
  }
}

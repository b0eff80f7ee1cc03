// SPDX-License-Identifier: MIT
import SporadesStore

/// A read transaction that stays open between look-ups by key.
///
/// A separate transaction costs each look-up three calls of the system, which take longer than the look-up.
///
/// Rules:
/// 1. A look-up shows the newest committed state. If anybody has committed since the transaction began, the
///    look-up begins another.
/// 2. The transaction begins at a look-up that follows another within a millisecond. It ends when no look-up
///    came for ten milliseconds, because SQLite restarts its log only when nobody reads it.
/// 3. There is none while the log is about as long as checkpoints let it grow. Whoever writes then finds the same
///    gaps between readers as without it: a checkpoint moves only what no reader needs, and SQLite begins its log anew
///    only if nobody reads it.
/// 4. Every other request on the connection, and a checkpoint of this process, ends the transaction first.
struct LastingRead {
  /// Nil while no transaction is open.
  private var header: LogHeader?
  private var lookUps = 0
  /// The number of look-ups when the pool looked last.
  private var lookUpsSeen = 0
  /// The time of the last look-up outside the transaction.
  private var lastSingle: ContinuousClock.Instant?

  var isOpen: Bool { header != nil }

  /// The transaction ends after this many look-ups, so that a checkpoint of another process gets its turn.
  private static let longest = 256
  private static let density = Duration.milliseconds(1)

  /// Prepares the connection for a look-up. A log of more frames gets no transaction.
  mutating func prepare(_ connection: Connection, upTo frames: Int) throws(StoreError) {
    if let header {
      lookUps += 1
      // SQLite ends the transaction itself if the disk fails.
      if lookUps < Self.longest, header.isCurrent, !connection.isOutsideTransaction { return }
      end(connection)
      return try begin(connection, upTo: frames)
    }
    let now = ContinuousClock.now
    if let lastSingle, now - lastSingle < Self.density {
      return try begin(connection, upTo: frames)
    }
    lastSingle = now
  }

  /// Copies the header before the transaction begins, so that the copy is never newer than the transaction.
  private mutating func begin(_ connection: Connection, upTo frames: Int) throws(StoreError) {
    guard let header = LogHeader(of: connection), header.frames <= frames else { return }
    try connection.statement(StatementNumber(.beginRead), .begin).run()
    self.header = header
    lookUps = 0
    lookUpsSeen = 0
  }

  mutating func end(_ connection: Connection) {
    guard isOpen else { return }
    header = nil
    connection.endRead()
  }

  /// Ends the transaction if no look-up came since the last call.
  mutating func endIfUnused(_ connection: Connection) {
    if lookUps == lookUpsSeen { end(connection) }
    lookUpsSeen = lookUps
  }
}

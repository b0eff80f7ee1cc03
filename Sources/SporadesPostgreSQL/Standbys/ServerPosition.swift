// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// A place in the log of changes that the primary writes and the standbys replay.
///
/// A standby that becomes the primary begins another line of the log, in which the same places hold other changes. So each line has a
/// mark among the rows: who shows the mark has followed the line.
struct ServerPosition: Sendable {
  let line: Int64
  let place: Int64

  func reaches(_ other: ServerPosition) -> Bool { line == other.line && place >= other.place }

  /// The number of the line that a primary writes.
  static let currentLine =
    "('x' || \(ServerLog.line))::bit(32)::bigint"

  /// The place that a primary has reached: everything that a statement can see now lies before it.
  static let currentPlace = "pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"

  private static let mark = "(SELECT last_write FROM \(ServerLayout.clients) WHERE id = $1)"
  /// The row with the mark.
  private static let marker = ServerValue.uuid([UInt8](repeating: 255, count: 16))

  /// The position of the primary, to which the connection leads. Marks its line where it has no mark.
  static func ofPrimary(_ connection: ServerConnection) throws(StoreError) -> ServerPosition {
    while true {
      let answer = try connection.run("SELECT \(currentLine), \(currentPlace), \(mark)", [marker])
      guard let line = answer.integer(0, 0), let place = answer.integer(0, 1) else {
        throw StoreError(
          .unsupported, "\(connection.place): The server does not tell its position.")
      }
      if answer.integer(0, 2) == line { return ServerPosition(line: line, place: place) }
      try connection.run(
        """
        INSERT INTO \(ServerLayout.clients) (id, last_write) VALUES ($1, $2) \
        ON CONFLICT (id) DO UPDATE SET last_write = excluded.last_write, seen = now()
        """, [marker, .int8(line)])
    }
  }

  /// The position that a standby has replayed; nil if it is a standby no longer.
  static func ofStandby(_ connection: ServerConnection) throws(StoreError) -> ServerPosition? {
    let answer = try connection.run(
      """
      SELECT CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint END, \(mark)
      """, [marker])
    guard let place = answer.integer(0, 0) else { return nil }
    // One that has not replayed a mark follows no line that a read could ask for.
    return ServerPosition(line: answer.integer(0, 1) ?? 0, place: place)
  }
}

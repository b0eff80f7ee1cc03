// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// One state of the server. A transaction keeps it, on a connection of its own, until nobody holds this object.
final class ServerState: Sendable {
  private let connection: Guarded<ServerConnection>

  init(_ source: ServerSource) throws(StoreError) {
    let connection = try source.connect()
    try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    // The first statement that reads fixes the state.
    try connection.run("SELECT pg_current_snapshot()::text")
    try connection.run(Self.kept)
    self.connection = Guarded(connection)
  }

  /// A read that fails or is stopped returns to here, and the state stays.
  private static let kept = "SAVEPOINT state"

  /// Runs `body` on the connection that shows the state.
  func read<Output>(
    _ body: (ServerConnection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try connection.withLock { (connection) throws(StoreError) in
      guard !connection.isBroken else {
        throw StoreError(
          .io,
          "\(connection.place): The connection that kept the state of a generation has ended, and the state with it. Take "
            + "another generation.")
      }
      do throws(StoreError) {
        // The end of an encrypted connection would be that of the state, so that a cancellation waits for the read.
        guard connection.takesCancellations else {
          return try Cancellation.shielding { () throws(StoreError) in try body(connection) }
        }
        return try body(connection)
      } catch {
        if connection.isInFailedTransaction {
          try Cancellation.shielding { () throws(StoreError) in
            _ = try connection.run("ROLLBACK TO \(Self.kept)")
          }
        }
        throw error
      }
    }
  }
}

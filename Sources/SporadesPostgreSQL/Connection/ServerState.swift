// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// One state of the server, which a transaction keeps on a connection of its own. It ends with this.
final class ServerState: Sendable {
  private let connection: Guarded<ServerConnection>

  init(_ source: ServerSource) throws(StoreError) {
    let connection = try source.connect()
    try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    // The first statement that reads fixes the state.
    try connection.run("SELECT pg_current_snapshot()::text")
    self.connection = Guarded(connection)
  }

  /// Runs `body` on the connection that shows the state.
  func read<Output>(
    _ body: (ServerConnection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try connection.withLock { (connection) throws(StoreError) in try body(connection) }
  }
}

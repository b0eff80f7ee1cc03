// SPDX-License-Identifier: MIT
import SporadesStore

/// A program between the store and the server that hands out the server's sessions.
///
/// One that gives each transaction another session loses the schema, the prepared statements and the states that a store keeps
/// in its own. A pooler makes up the number of the process that it tells its client, and a server never does.
struct ServerPooler {
  private let source: ServerSource
  /// The number of times that two sessions are compared.
  private static let rounds = 5

  /// Nil where the server itself answers.
  init?(before connection: ServerConnection, _ source: ServerSource) {
    guard connection.isPooled else { return nil }
    self.source = source
  }

  /// Throws if two connections share a session, or one has several.
  func check(_ connection: ServerConnection) throws(StoreError) {
    let other = try source.connect()
    for _ in 0..<Self.rounds {
      let sessions = [try process(of: connection), try process(of: other)]
      guard sessions == [connection.process, other.process], sessions[0] != sessions[1] else {
        throw StoreError(
          .unsupported,
          "\(connection.place): A pooler gives each transaction another session of the server, and a store needs its own. \(Self.remedy)"
        )
      }
    }
  }

  static let remedy =
    "Give the address of the server itself, or have the pooler keep sessions (pool_mode = session)."

  private func process(of connection: ServerConnection) throws(StoreError) -> ServerProcess? {
    ServerProcess(try connection.run("SELECT \(ServerProcess.columns)"), at: 0)
  }
}

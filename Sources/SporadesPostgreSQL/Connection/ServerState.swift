// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesStore

/// One state of a server. A transaction keeps it, on a connection that nobody else uses, until nobody holds this object.
final class ServerState: Sendable {
  private let connection: Guarded<ServerConnection>
  /// Takes the connection back.
  private let giveBack: @Sendable (ServerConnection) -> Void

  init(
    _ connection: ServerConnection,
    givingBack giveBack: @escaping @Sendable (ServerConnection) -> Void
  ) throws(StoreError) {
    try Self.begin(connection)
    self.connection = Guarded(connection)
    self.giveBack = giveBack
  }

  deinit {
    connection.withLock { connection in
      // `try?`, because a connection that cannot roll back has ended.
      if !connection.isBroken {
        _ = try? Cancellation.shielding { () throws(StoreError) in try connection.run("ROLLBACK") }
      }
      giveBack(connection)
    }
  }

  private static func begin(_ connection: ServerConnection) throws(StoreError) {
    _ = try connection.pipelined { (connection) throws(StoreError) in
      try connection.send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      // The first statement that reads fixes the state.
      try connection.send("SELECT pg_current_snapshot()::text")
      try connection.send(kept)
    }
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

extension ServerConnection {
  /// Runs `body`, whose reads all see one state.
  package func asOne<Output>(_ body: () throws(StoreError) -> Output) throws(StoreError) -> Output {
    var answer = Answer<Output>()
    try inOneState { () throws(StoreError) in answer.take(try body()) }
    return answer.get()
  }

  // `dynamic`, because the optimizer would else make a copy for each block that a caller passes.
  private dynamic func inOneState(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    guard !isInTransaction else { return try body() }
    try run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    do throws(StoreError) {
      try body()
      try run("COMMIT")
    } catch {
      // `try?`, because a connection that cannot roll back is given up.
      _ = try? run("ROLLBACK")
      throw error
    }
  }
}

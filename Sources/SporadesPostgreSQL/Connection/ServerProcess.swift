// SPDX-License-Identifier: MIT
import SporadesStore

/// The process of a server that serves one connection. Numbers of processes come again, so that its beginning tells it apart.
struct ServerProcess: Hashable, Sendable {
  let number: Int64
  private let beginning: String?

  /// What a statement selects to learn of its own process.
  static let columns =
    "pg_backend_pid(), (SELECT extract(epoch FROM backend_start)::text FROM pg_stat_get_activity(pg_backend_pid()))"

  /// The process of an answer with ``columns`` from `column` on; nil where the server does not say.
  init?(_ answer: ServerRows, at column: Int) {
    guard let number = answer.integer(0, column) else { return nil }
    (self.number, beginning) = (number, answer.text(0, column + 1))
  }

  /// Ends the process, over another connection. A server may not hear of the end of a connection for hours, and keeps the
  /// locks of its transaction meanwhile. One that lets nobody end processes goes on without.
  func end(over connection: ServerConnection) throws(StoreError) {
    guard let beginning else { return }
    _ = try connection.exchange { (connection) throws(StoreError) in
      try connection.send(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_get_activity($1) \
        WHERE extract(epoch FROM backend_start)::text = $2
        """, [.int4(Int32(clamping: number)), .text(beginning)])
    }
  }
}

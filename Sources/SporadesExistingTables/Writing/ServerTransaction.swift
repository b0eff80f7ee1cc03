// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A transaction of a server, which tells later what became of it. Another server, or one that took the place of a failed
/// one, may give its number to another transaction, and so may the same one behind a crash.
struct ServerTransaction: Hashable, Sendable {
  private let number: String
  private let server: String
  /// The start of the server that gave the number.
  private let start: String?

  private static let serverTerm = "\(ServerLog.cluster) || ' ' || \(ServerLog.line)"
  /// Asks for the server with the line of its log, which stay the same as long as the server runs.
  static let serverQuestion = "SELECT \(serverTerm)"
  /// Asks for the number of the transaction.
  static let numberQuestion = "SELECT pg_current_xact_id()::text"

  /// The transaction of a number; nil if the server did not say what it was asked.
  init?(number: String?, on server: String?, since start: String?) {
    guard let number, let server else { return nil }
    (self.number, self.server, self.start) = (number, server, start)
  }

  enum Outcome { case committed, undone, unknown }

  /// What became of the transaction. Waits until the deadline for one that the server is still about to decide.
  func outcome(
    over connection: ServerConnection, until deadline: ContinuousClock.Instant
  ) throws(StoreError) -> Outcome {
    while true {
      let answer = try connection.run(
        "SELECT CASE WHEN \(Self.serverTerm) = $2 THEN pg_xact_status($1::xid8) END",
        [.text(number), .text(server)])
      switch answer.text(0, 0) {
      // A server that has crashed may have lost the transaction, and given its number to one that was committed.
      case "committed": return connection.serverStart == start ? .committed : .unknown
      case "aborted": return .undone
      case "in progress" where ContinuousClock.now < deadline: usleep(2_000)
      default: return .unknown
      }
    }
  }
}

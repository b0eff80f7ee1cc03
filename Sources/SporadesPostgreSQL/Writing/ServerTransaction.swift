// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A transaction of a server, which tells later what became of it. Another server, or one that took the place of a failed
/// one, may give its number to another transaction.
struct ServerTransaction: Hashable, Sendable {
  private let number: String
  private let server: String

  /// What a statement selects to learn of its own transaction: its number, and the server with the line of its log.
  private static let server =
    "\(ServerLog.cluster) || ' ' || \(ServerLog.line)"
  static let columns = "SELECT pg_current_xact_id()::text, \(server)"

  init?(_ answer: ServerRows) {
    guard answer.count == 1, let number = answer.text(0, 0), let server = answer.text(0, 1) else {
      return nil
    }
    (self.number, self.server) = (number, server)
  }

  enum Outcome { case committed, undone, unknown }

  /// What became of the transaction. Waits until the deadline for one that the server is still about to decide.
  func outcome(
    over connection: ServerConnection, until deadline: ContinuousClock.Instant
  ) throws(StoreError) -> Outcome {
    while true {
      let answer = try connection.run(
        "SELECT CASE WHEN \(Self.server) = $2 THEN pg_xact_status($1::xid8) END",
        [.text(number), .text(server)])
      switch answer.text(0, 0) {
      case "committed": return .committed
      case "aborted": return .undone
      case "in progress" where ContinuousClock.now < deadline: usleep(2_000)
      default: return .unknown
      }
    }
  }
}

// Existing tables have no row that tells which commits took place. The server knows the outcome of its last transactions.
extension ServerWriter {
  /// Makes sure that a commit of nothing waits for the disk, which has earlier commits too.
  func sendMark(_ durability: Durability) throws(StoreError) {
    guard durability == .immediate, accepted.isEmpty else { return }
    try connection.send("SELECT pg_logical_emit_message(true, 'sporades', '')")
  }

  /// Finds out whether a commit whose answer was lost took place. Where the server does not tell, the change sets are given up:
  /// done again, they might be done twice.
  mutating func settle(_ number: Int64, in mapping: MappedTables) throws(StoreError) {
    let deadline = ContinuousClock.now + source.options.reconnectTimeout
    let outcome = try transaction?.outcome(over: connection, until: deadline) ?? .unknown
    switch outcome {
    case .undone: break
    case .committed: noteCommit(number, .eventual)
    case .unknown:
      let reason = unclear(at: connection.place)
      losses += accepted.map { LostChanges($0, reason) }
      accepted = []
      // If they took place, the rows have the versions that contexts show.
      mapping.versions.keep()
    }
    unanswered = nil
  }

  private func unclear(at place: String) -> StoreError {
    StoreError(
      .unclear,
      "\(place): The connection ended at a commit, and the server does not tell whether it took place. It is not repeated. Read "
        + "the rows, and make the changes that are missing.")
  }
}

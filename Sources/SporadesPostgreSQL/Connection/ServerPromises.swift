// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// The acknowledged writes of a store, which each server that it talks to has to have.
///
/// A standby that follows without being waited for may become the primary without the last writes of the former one, and a server
/// that crashes may lose writes of the durability `.eventual`. The number of the store's last write tells it.
final class ServerPromises: Sendable {
  /// Names the store among the writers of the server.
  let client = UUID()
  private let state = Guarded(State())

  private struct State {
    var number: Int64 = 0
    /// The start of the server that acknowledged the number.
    var start: String?
    /// The start of the server that was connected to last, and how often it was another one than before.
    var lastStart: String?
    var changes = 0
  }

  /// The number of the last acknowledged write; zero before the first one.
  var number: Int64 { state.withLock(\.number) }

  /// How often the store has met another server, or another run of it. What another one counted may be lost.
  var changes: Int { state.withLock(\.changes) }

  func note(_ number: Int64, from serverStart: String?) {
    state.withLock { ($0.number, $0.start) = (number, serverStart) }
  }

  /// Checks a new connection, to which the server said the number of the store's last write; nil if it knows the store not.
  func check(
    _ found: Int64?, whereAsked number: Int64, of connection: ServerConnection
  ) throws(StoreError) {
    let (isSame, isKept) = state.withLock { state in
      if let last = state.lastStart, last != connection.serverStart { state.changes += 1 }
      state.lastStart = connection.serverStart
      return (state.start == connection.serverStart, state.number >= number)
    }
    // Losses that the program has accepted meanwhile are no promise any more.
    guard number > 0, isKept, found.map({ $0 < number }) ?? !isSame else { return }
    throw StoreError(
      .behind,
      "\(connection.place): The server that answers now lacks acknowledged writes of this store: it has \(found ?? 0) of "
        + "\(number). A standby took over that had not received them, or the server crashed behind writes with the durability "
        + "eventual. Make sure that no other server has them. Then open the store again, or go on with acceptLosses()."
    )
  }

  /// Forgets what was promised.
  func withdraw() { state.withLock { $0.number = 0 } }
}

// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The standbys that take a store's reads, and the position that one needs for them.
///
/// Rules:
/// 1. A standby takes a read if it has replayed the position of the primary that was asked last.
/// 2. The position is asked anew if the store has written or has read from the primary since, so that no read shows less than
///    the primary did; or if it is older than the longest lag.
/// 3. No read waits long for a standby. The primary takes what none of them can.
final class ServerStandbys: Sendable {
  private let source: ServerSource
  private let longestLag: Duration
  private let primary: ServerPool
  private let standbys: [ServerStandby]
  private let state = Guarded(State())

  private struct State {
    /// The position of the primary, and a moment before it was asked.
    var position: (ServerPosition, ContinuousClock.Instant)?
    /// When the store wrote last, or read from the primary.
    var lastTouch = ContinuousClock.now
    /// A standby may lack the last write for longer than a moment, because the primary has not sent it yet.
    var mayLackSync = false
    /// The standby that is asked first.
    var turn = 0
    var reads = 0
  }

  /// How long a read waits for a standby that has almost what it needs.
  private static let patience: Duration = .milliseconds(2)

  init?(_ source: ServerSource, primary: ServerPool) {
    guard case .replicas(let longestLag) = source.options.reads else { return nil }
    (self.source, self.longestLag, self.primary) = (source, longestLag, primary)
    standbys = source.hosts.all.map { ServerStandby($0, source) }
  }

  /// The number of reads that standbys took, and of standbys that can take one.
  var counts: (reads: Int, standbys: Int) {
    (state.withLock(\.reads), standbys.count { $0.isThere })
  }

  /// Notes that the store has written, has read from the primary, or has heard of the commits of others.
  func touch(mayLackSync: Bool = false) {
    state.withLock { ($0.lastTouch, $0.mayLackSync) = (.now, mayLackSync) }
  }

  /// Runs `body` on a standby. Returns false if none can take it.
  func read(_ body: (ServerConnection) throws(StoreError) -> Void) throws(StoreError) -> Bool {
    guard let (standby, follower) = try take() else { return false }
    defer { standby.give(follower) }
    do throws(StoreError) {
      try body(follower.connection)
      return true
    } catch {
      guard follower.connection.isBroken || error.isOfStandby else { throw error }
      return false
    }
  }

  /// The present state of a standby; nil if none can keep it.
  func keepState() throws(StoreError) -> ServerState? {
    guard let (standby, follower) = try take() else { return nil }
    do throws(StoreError) {
      return try ServerState(follower.connection) { _ in standby.give(follower) }
    } catch {
      standby.give(follower)
      guard follower.connection.isBroken || error.isOfStandby else { throw error }
      return nil
    }
  }

  /// A connection to a standby that has what a read needs.
  private func take() throws(StoreError) -> (ServerStandby, ServerStandby.Follower)? {
    try Cancellation.check()
    let turn = state.withLock { state in
      state.turn = (state.turn + 1) % standbys.count
      return state.turn
    }
    var known: ServerPosition?
    for place in standbys.indices {
      let standby = standbys[(turn + place) % standbys.count]
      guard var follower = standby.take() else { continue }
      do throws(StoreError) {
        // What the primary does not say, another standby does not say either.
        let needed = if let known { known } else { try neededPosition() }
        known = needed
        if try bringUp(&follower, to: needed) {
          state.withLock { $0.reads += 1 }
          return (standby, follower)
        }
      } catch {
        standby.give(follower)
        guard known != nil, follower.connection.isBroken || error.isOfStandby else { throw error }
        continue
      }
      standby.give(follower)
    }
    return nil
  }

  /// Whether the standby has what a read needs. Waits for a moment where it almost has.
  private func bringUp(
    _ follower: inout ServerStandby.Follower, to needed: ServerPosition
  ) throws(StoreError) -> Bool {
    if follower.position?.reaches(needed) == true { return true }
    let deadline = ContinuousClock.now + (state.withLock(\.mayLackSync) ? .zero : Self.patience)
    repeat {
      follower.position = try ServerPosition.ofStandby(follower.connection)
      guard let position = follower.position else {
        follower.isOfNoUse = true
        return false
      }
      if position.reaches(needed) { return true }
    } while ContinuousClock.now < deadline
    return false
  }

  private func neededPosition() throws(StoreError) -> ServerPosition {
    let start = ContinuousClock.now
    let known = state.withLock { state -> ServerPosition? in
      guard let (position, moment) = state.position, moment > state.lastTouch,
        start - moment <= longestLag
      else { return nil }
      return position
    }
    if let known { return known }
    let position = try primary.read { (connection) throws(StoreError) in
      try ServerPosition.ofPrimary(connection)
    }
    state.withLock { state in
      if state.position.map({ $0.1 < start }) ?? true { state.position = (position, start) }
    }
    return position
  }

  func close() { for standby in standbys { standby.close() } }
}

extension StoreError {
  /// A standby could not answer, and the primary may: a replayed change removed rows that the read needed, or its tables are those
  /// of another version.
  fileprivate var isOfStandby: Bool {
    switch code {
    case .io, .busy, .modelChanged: true
    default: false
    }
  }
}

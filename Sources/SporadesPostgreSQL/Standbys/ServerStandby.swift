// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesStore

/// A server that follows the primary, and the connections to it. No read waits for one: they are made beside the reads.
final class ServerStandby: Sendable {
  private let address: ServerAddress
  private let source: ServerSource
  private let state = Guarded(State())

  private struct State {
    /// Nil after the store was closed.
    var idle: [Follower]? = []
    var count = 0
    var isConnecting = false
    /// When a server that was away is tried again, and the distance to the try behind that.
    var nextTry = ContinuousClock.now
    var distance: Duration = .milliseconds(50)

    mutating func wait() {
      nextTry = .now + distance
      distance = min(distance * 2, longestDistance)
    }
  }

  /// A connection to a standby, and the position that it is known to have replayed.
  struct Follower {
    let connection: ServerConnection
    var position: ServerPosition?
    /// The server is no standby any more.
    var isOfNoUse = false
  }

  /// The longest time in which a server that came back is not noticed.
  private static let longestDistance: Duration = .seconds(5)

  init(_ address: ServerAddress, _ source: ServerSource) {
    (self.address, self.source) = (address, source)
  }

  var isThere: Bool { state.withLock { $0.count > 0 } }

  /// An idle connection. Makes another one for later reads where there is none.
  func take() -> Follower? {
    while let known = state.withLock({ $0.idle?.popLast() }) {
      known.connection.notice()
      if !known.connection.isBroken { return known }
      state.withLock { $0.count -= 1 }
    }
    let isNeeded = state.withLock { state in
      guard state.idle != nil, !state.isConnecting, state.count < source.options.readerCount,
        state.nextTry <= .now
      else { return false }
      state.isConnecting = true
      return true
    }
    if isNeeded { DispatchQueue.global(qos: .utility).async { self.connect() } }
    return nil
  }

  func give(_ follower: Follower) {
    let isOver =
      follower.isOfNoUse || follower.connection.isBroken || follower.connection.isInTransaction
    state.withLock { state in
      guard isOver else { return state.idle?.append(follower) ?? () }
      state.count -= 1
      if follower.isOfNoUse { state.wait() }
    }
  }

  private func connect() {
    let deadline = ContinuousClock.now + source.options.connectTimeout
    // `try?`, because a server that is away, or no standby, takes no reads until it is tried again.
    let connection = try? source.connect(to: address, as: .standby, until: deadline)
    state.withLock { state in
      state.isConnecting = false
      guard let connection else { return state.wait() }
      state.count += 1
      state.distance = .milliseconds(50)
      state.idle?.append(Follower(connection: connection))
    }
  }

  func close() { state.withLock { $0.idle = nil } }
}

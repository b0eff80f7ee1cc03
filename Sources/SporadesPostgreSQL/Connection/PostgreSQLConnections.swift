// SPDX-License-Identifier: MIT
import Dispatch
import FoundationEssentials
import SporadesModel
import SporadesStore

/// Connections that several stores share, such as those of tenants that have a schema each.
///
/// ```swift
/// let connections = PostgreSQLConnections(limit: 20)
/// var options = PostgreSQLStoreOptions(schema: "tenant_7")
/// options.connections = connections
/// ```
///
/// A store takes one for each read, from a change to its commit, and for as long as it keeps a generation. It waits where all are
/// in use. One of them serves new keys alone, so that stores whose changes wait for keys do not wait for each other.
///
/// A connection that has served another store is set to the next one in a round trip of its own, and prepares its statements
/// anew. Those that served a store last are its first choice.
public final class PostgreSQLConnections: Sendable {
  private let limit: Int
  private let work: DispatchSemaphore
  /// Nil where keys take the place of a read.
  private let keys: DispatchSemaphore?
  private let state = Guarded(State())
  /// The only connection, within a transaction of its owner; nil where there may be several.
  let pinned: ServerConnection?
  /// Looks for the commits of other processes come one after the other, however many stores want to hear of them.
  let looks = DispatchQueue(label: "sporades.commits.server", qos: .utility)

  private struct State {
    /// The connections that nobody uses, and behind them the one that was used last; nil after they were closed.
    var idle: [ServerConnection]? = []
    var inUse = 0
    var waits = 0
    var longestWait: Duration = .zero
  }

  /// What a place is for.
  enum Use {
    case work, keys
  }

  /// At most `limit` connections, two or more.
  public init(limit: Int) {
    trap(
      unless: limit > 1,
      "Stores were to share \(limit) connections; they need two, one of them for keys.")
    self.limit = limit
    work = Self.places(limit - 1)
    keys = Self.places(1)
    pinned = nil
  }

  /// The connections of one store for reads.
  init(forReads count: Int) {
    limit = max(1, count)
    work = Self.places(limit)
    keys = nil
    pinned = nil
  }

  /// The one connection of stores that work within a transaction of its owner. A call has it from its beginning to its end.
  init(pinning connection: ServerConnection) {
    limit = 1
    work = Self.places(1)
    keys = nil
    pinned = connection
  }

  /// The system ends a program whose semaphore goes with a smaller value than it was made with.
  private static func places(_ count: Int) -> DispatchSemaphore {
    let places = DispatchSemaphore(value: 0)
    for _ in 0..<count { places.signal() }
    return places
  }

  // MARK: - Places

  /// Waits until fewer connections are in use than there may be, as long as the patience lasts. True if there is a place.
  func takePlace(for use: Use, _ patience: Duration) throws(StoreError) -> Bool {
    let free = semaphore(use)
    if free.wait(timeout: .now()) != .success, try !waitFor(free, patience) { return false }
    state.withLock { $0.inUse += 1 }
    return true
  }

  func leavePlace(of use: Use) {
    state.withLock { $0.inUse -= 1 }
    semaphore(use).signal()
  }

  private func semaphore(_ use: Use) -> DispatchSemaphore { use == .keys ? keys ?? work : work }

  private func waitFor(_ free: DispatchSemaphore, _ patience: Duration) throws(StoreError) -> Bool {
    let start = ContinuousClock.now
    let deadline = start + patience
    defer {
      let wait = ContinuousClock.now - start
      state.withLock { ($0.waits, $0.longestWait) = ($0.waits + 1, max($0.longestWait, wait)) }
    }
    repeat {
      // A cancellation is looked for as often as while the server works.
      let left = Swift.max(.zero, ContinuousClock.now.duration(to: deadline))
      let turn = Cancellation.current == nil ? left : min(left, .milliseconds(5))
      let microseconds = Int(clamping: Int64(turn / .microseconds(1)))
      if free.wait(timeout: .now() + .microseconds(microseconds)) == .success { return true }
      try Cancellation.check()
    } while ContinuousClock.now < deadline
    return false
  }

  // MARK: - Idle connections

  /// An idle connection to the servers of a store: the one that served the store last, or else the one that has been idle
  /// longest. A guest leaves a store its own.
  func takeIdle(for store: ServedStore, asGuest isGuest: Bool) -> ServerConnection? {
    var surplus: ServerConnection?
    defer { withExtendedLifetime(surplus) {} }
    return state.withLock { state in
      guard let idle = state.idle, !idle.isEmpty else { return nil }
      let own = isGuest ? nil : idle.lastIndex { $0.served?.client == store.client }
      let place = own ?? idle.firstIndex { $0.served?.leads(to: store) == true }
      if let place { return state.idle?.remove(at: place) }
      // None leads there, and with one more there would be too many.
      if idle.count + state.inUse > limit { surplus = state.idle?.removeFirst() }
      return nil
    }
  }

  /// Takes a connection back, unless it is of no use, or there are enough. One that a guest has used stays the one that is idle longest.
  func give(_ connection: ServerConnection, fromGuest isGuest: Bool = false) {
    guard pinned == nil, !connection.isBroken, !connection.isInTransaction else { return }
    state.withLock { state in
      guard let count = state.idle?.count, count < limit else { return }
      state.idle?.insert(connection, at: isGuest ? 0 : count)
    }
  }

  /// Ends the connections. Those in use end with their reads.
  func close() {
    let ended = state.withLock { state in
      defer { state.idle = nil }
      return state.idle
    }
    withExtendedLifetime(ended) {}
  }

  func metrics(
    reconnects: Int, withReads reads: Int, ofStandbys standbys: Int
  ) -> PostgreSQLStoreMetrics {
    state.withLock {
      PostgreSQLStoreMetrics(
        connectionsInUse: $0.inUse, connectionsIdle: $0.idle?.count ?? 0, waits: $0.waits,
        longestWait: $0.longestWait, reconnects: reconnects, standbys: standbys,
        standbyReads: reads)
    }
  }
}

/// The store that a connection serves, to which its session is set.
struct ServedStore {
  /// The options of the address.
  let way: [String]
  let client: UUID

  init(_ address: ServerAddress, client: UUID) {
    way = address.options.map { "\($0.keyword)=\($0.value)" }
    self.client = client
  }

  func leads(to other: ServedStore) -> Bool { way == other.way }
}

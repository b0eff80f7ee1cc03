// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A limited number of connections for readers, opened on demand.
final class ReaderPool: Sendable {
  private struct State {
    var idle: [Connection] = []
    /// The transactions of kept states.
    var kept: [ObjectIdentifier: ReadTransaction] = [:]
    var isClosed = false
    /// A check of the lasting reads is due.
    var isCheckDue = false
  }
  private let state = Guarded(State())
  private let places: DispatchSemaphore
  private let limit: Int
  private let open: @Sendable () throws(StoreError) -> Connection

  /// The length of a log in frames up to which look-ups share a transaction. Nil for a file without a write-ahead
  /// log, where an open transaction would block every writer.
  private let longestLog: Int?
  private let rowCache: RowCache?

  init(
    limit: Int, longestLog: Int?, rowCache: RowCache?,
    open: @escaping @Sendable () throws(StoreError) -> Connection
  ) {
    self.limit = max(1, limit)
    self.longestLog = longestLog
    self.rowCache = rowCache
    self.open = open
    places = DispatchSemaphore(value: self.limit)
  }

  func read(_ body: (Connection) throws(StoreError) -> Void) throws(StoreError) {
    places.wait()
    defer { places.signal() }
    let connection = try take()
    defer { giveBack(connection) }
    try connection.countRead()
    try connection.checked(body)
  }

  /// Does the same for a look-up by key, in a transaction that lasts while look-ups follow each other.
  func lookUp(_ body: (Connection) throws(StoreError) -> Void) throws(StoreError) {
    guard let longestLog else { return try read(body) }
    places.wait()
    defer { places.signal() }
    let connection = try takeAsItIs()
    defer { giveBack(connection) }
    try connection.countRead()
    try unsafe connection.lastingRead.prepare(connection, upTo: longestLog)
    try connection.checked(body)
  }

  private func take() throws(StoreError) -> Connection {
    let connection = try takeAsItIs()
    unsafe connection.lastingRead.end(connection)
    return connection
  }

  private func takeAsItIs() throws(StoreError) -> Connection {
    let known = try state.withLock { (state) throws(StoreError) -> Connection? in
      try Self.check(state)
      return state.idle.popLast()
    }
    known?.limit.renew()
    return if let known { known } else { try open() }
  }

  private static func check(_ state: State) throws(StoreError) {
    guard !state.isClosed else {
      throw StoreError(.closed, "The store was closed. Open it again to use it.")
    }
  }

  private func giveBack(_ connection: Connection) {
    let needsCheck = state.withLock { state in
      state.idle.append(connection)
      guard unsafe connection.lastingRead.isOpen, !state.isCheckDue else { return false }
      state.isCheckDue = true
      return true
    }
    if needsCheck { planCheck() }
  }

  // MARK: - Lasting reads

  private static let checkInterval = DispatchTimeInterval.milliseconds(10)

  private func planCheck() {
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + Self.checkInterval) {
      [weak self] in self?.endUnusedReads()
    }
  }

  private func endUnusedReads() {
    let needsCheck = state.withLock { state in
      for connection in state.idle { unsafe connection.lastingRead.endIfUnused(connection) }
      // A connection in use asks for the next check when it comes back.
      state.isCheckDue = state.idle.contains { unsafe $0.lastingRead.isOpen }
      return state.isCheckDue
    }
    if needsCheck { planCheck() }
  }

  /// Ends the transactions that last between look-ups, so that they delay no checkpoint.
  func endLastingReads() {
    state.withLock { state in
      for connection in state.idle { unsafe connection.lastingRead.end(connection) }
    }
  }

  /// Calls `body` with `first` and further connections that show the same state, each in a transaction. It
  /// takes as many free connections as there are cores, leaves one for other readers, and does not wait.
  func withHelpers<Output>(
    of first: Connection, _ body: ([Connection]) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    var helpers: [Connection] = []
    while helpers.count + 1 < min(limit, Self.cores), takePlaceOfTwo() {
      do { helpers.append(try take()) } catch {
        places.signal()
        break
      }
    }
    defer {
      for connection in helpers { giveBack(connection) }
      for _ in helpers { places.signal() }
    }
    return try Snapshot(first, helpers).read(body)
  }

  /// Takes a connection if another stays free.
  private func takePlaceOfTwo() -> Bool {
    guard places.wait(timeout: .now()) == .success else { return false }
    guard places.wait(timeout: .now()) == .success else {
      places.signal()
      return false
    }
    places.signal()
    return true
  }

  private static let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// Waits for all readers and closes their connections.
  func close() {
    for _ in 0..<limit { places.wait() }
    state.withLock { $0 = State(kept: $0.kept, isClosed: true) }
    for _ in 0..<limit { places.signal() }
  }

  // MARK: - Kept states

  /// Keeps the current state on a connection that takes no place in the pool, so that kept states delay no
  /// reader.
  func keep(_ files: ExternalFiles?) throws(StoreError) -> KeptState {
    let connection = try take()
    let transaction = try ReadTransaction(connection, files, rowCache)
    do throws(StoreError) {
      try state.withLock { (state) throws(StoreError) in
        try Self.check(state)
        state.kept[ObjectIdentifier(transaction)] = transaction
      }
    } catch {
      transaction.end()?.close()
      throw error
    }
    return KeptState(transaction, of: self)
  }

  /// Takes the connection of a state that nobody reads any more. A few connections stay open for the next
  /// reader.
  func takeBack(_ transaction: ReadTransaction) {
    let connection = transaction.end()
    let isKept = state.withLock { state in
      state.kept[ObjectIdentifier(transaction)] = nil
      guard let connection, !state.isClosed, state.idle.count < max(limit, Self.cores),
        connection.isOutsideTransaction
      else { return false }
      state.idle.append(connection)
      return true
    }
    if !isKept { connection?.close() }
  }

  /// Ends all kept states when the store closes.
  func closeKept() {
    for transaction in state.withLock({ $0.kept.values }) { transaction.end()?.close() }
  }

  func reopen() { state.withLock { $0.isClosed = false } }
}

// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesStore

/// A store's way to connections: its own ones for reads, or those that it shares with other stores, also for writing.
package final class ServerPool: Sendable {
  private let source: ServerSource
  let connections: PostgreSQLConnections
  /// The store keeps no connection of its own.
  let isShared: Bool

  init(_ source: ServerSource) {
    self.source = source
    isShared = source.options.connections.map { $0.pinned == nil } == true
    connections =
      source.options.connections ?? PostgreSQLConnections(forReads: source.options.readerCount)
  }

  /// The connection of stores within a transaction; nil for others.
  var pinned: ServerConnection? { connections.pinned }

  /// Has the pinned connection for one call of the writer. Others need nothing, because a writer has a connection of its own.
  func claim() throws(StoreError) {
    guard let pinned else { return }
    try takePlace(for: .work)
    do throws(StoreError) { try source.adopt(pinned) } catch {
      release()
      throw error
    }
  }

  func release() {
    if pinned != nil { connections.leavePlace(of: .work) }
  }

  /// Runs `body` on a connection. A read whose connection has ended begins again on a new one, once.
  package func read<Output>(
    _ body: (ServerConnection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    var answer = Answer<Output>()
    try use(.work) { (connection) throws(StoreError) in answer.take(try body(connection)) }
    return answer.get()
  }

  /// Reserves keys on a connection. Changes that wait for keys hold connections, and those for keys wait for no change.
  package func readKeys<Output>(
    _ body: (ServerConnection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    var answer = Answer<Output>()
    try use(.keys) { (connection) throws(StoreError) in answer.take(try body(connection)) }
    return answer.get()
  }

  /// Runs `body`, which names the schema itself and asks once, on a connection whose session may be set to another store.
  func readAsGuest<Output>(
    _ body: (ServerConnection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    var answer = Answer<Output>()
    try use(.work, asGuest: true) { (connection) throws(StoreError) in
      connection.keepsStatements = false
      defer { connection.keepsStatements = true }
      answer.take(try body(connection))
    }
    return answer.get()
  }

  // `dynamic`, because the optimizer would else make a copy for each block that a caller passes.
  private dynamic func use(
    _ use: PostgreSQLConnections.Use, asGuest isGuest: Bool = false,
    _ body: (ServerConnection) throws(StoreError) -> Void
  ) throws(StoreError) {
    try Cancellation.check()
    try takePlace(for: use)
    defer { connections.leavePlace(of: use) }
    try onConnection(asGuest: isGuest) { (connection) throws(StoreError) in
      defer { connections.give(connection, fromGuest: isGuest) }
      // A failed read does not take the owner's transaction with it.
      try pinned == nil
        ? body(connection)
        : connection.asOne { () throws(StoreError) in
          try body(connection)
        }
    }
  }

  private func takePlace(for use: PostgreSQLConnections.Use) throws(StoreError) {
    let patience = source.options.connectTimeout
    if try connections.takePlace(for: use, patience) { return }
    throw StoreError(
      .busy,
      "\(source.address.place): All \(isShared ? "shared connections" : "\(source.options.readerCount) connections for reads") "
        + "were in use for \(patience). Allow more with \(isShared ? "the limit of PostgreSQLConnections" : "readerCount"), or "
        + "shorten the reads.")
  }

  /// Runs `body` on a connection, and again on a new one if the first one had ended.
  private dynamic func onConnection(
    asGuest isGuest: Bool = false, _ body: (ServerConnection) throws(StoreError) -> Void
  ) throws(StoreError) {
    let connection = try take(asGuest: isGuest)
    do throws(StoreError) {
      if !isGuest { try source.adopt(connection) }
      try body(connection)
    } catch {
      guard connection.isBroken, error.code == .io, pinned == nil else { throw error }
      try body(try source.replace(connection))
    }
  }

  /// The present state. It takes no place from the store's own reads, and leaves a shared one also where it outlives the store.
  func keepState() throws(StoreError) -> ServerState {
    if isShared { try takePlace(for: .work) }
    do throws(StoreError) {
      var state = Answer<ServerState>()
      try onConnection { (connection) throws(StoreError) in
        do throws(StoreError) {
          state.take(try ServerState(connection) { self.takeBack($0) })
        } catch {
          connections.give(connection)
          throw error
        }
      }
      return state.get()
    } catch {
      if isShared { connections.leavePlace(of: .work) }
      throw error
    }
  }

  /// An idle connection, or a new one. Those that the server has ended meanwhile are given up.
  private func take(asGuest isGuest: Bool) throws(StoreError) -> ServerConnection {
    if let pinned { return pinned }
    var lost: ServerConnection?
    while let known = connections.takeIdle(for: source.served, asGuest: isGuest) {
      known.notice()
      if !known.isBroken { return known }
      lost = known
    }
    guard let lost else { return try source.connectAgain() }
    return try source.replace(lost)
  }

  // MARK: - Writing

  /// A connection for writing. The server ends the process of a lost one, with its locks.
  func lend(insteadOf lost: ServerConnection? = nil) throws(StoreError) -> ServerConnection {
    if let pinned { return pinned }
    guard isShared else { return try source.connect() }
    try takePlace(for: .work)
    do throws(StoreError) {
      var lent = Answer<ServerConnection>()
      try onConnection { (connection) throws(StoreError) in
        if let lost, !lost.isPooled { try lost.process?.end(over: connection) }
        lent.take(connection)
      }
      return lent.get()
    } catch {
      connections.leavePlace(of: .work)
      throw error
    }
  }

  /// Takes back what was lent, or has kept a state.
  func takeBack(_ connection: ServerConnection) {
    connections.give(connection)
    if isShared { connections.leavePlace(of: .work) }
  }

  func metrics(withReads reads: Int, ofStandbys standbys: Int) -> PostgreSQLStoreMetrics {
    connections.metrics(
      reconnects: source.reconnects.withLock(\.self), withReads: reads, ofStandbys: standbys)
  }

  /// Ends the store's own connections.
  func close() {
    if !isShared { connections.close() }
  }
}

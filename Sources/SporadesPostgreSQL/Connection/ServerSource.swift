// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Opens connections to a store's servers and schema, and connects again where one was lost.
package struct ServerSource: Sendable {
  let address: ServerAddress
  package let options: PostgreSQLStoreOptions
  let hosts: ServerHosts
  let promises = ServerPromises()
  /// The number of connections that took the place of lost ones.
  let reconnects = Guarded(0)
  /// The store for which connections are set.
  let served: ServedStore

  /// What a server is to others.
  enum Role {
    case primary, standby
  }

  package init(address: ServerAddress, options: PostgreSQLStoreOptions) {
    (self.address, self.options) = (address, options)
    hosts = ServerHosts(address)
    served = ServedStore(address, client: promises.client)
  }

  /// A connection to the primary, whose names are those of the store's schema.
  package func connect() throws(StoreError) -> ServerConnection {
    try connect(until: .now + options.connectTimeout)
  }

  private func connect(
    until deadline: ContinuousClock.Instant
  ) throws(StoreError) -> ServerConnection {
    try hosts.first(until: deadline) { (server, deadline) throws(StoreError) in
      try connect(to: server, as: .primary, until: deadline)
    }
  }

  /// A connection to one server, if it has the role, and has all that the store was promised.
  func connect(
    to server: ServerAddress, as role: Role, until deadline: ContinuousClock.Instant
  ) throws(StoreError) -> ServerConnection {
    let connection = try ServerConnection(server, until: deadline)
    hosts.learn(from: connection, address)
    // A standby is asked for what it has before each read.
    let number = role == .primary ? promises.number : 0
    let isAsked = number > 0
    // An administrator may ask for more than the server's own disk, and never gets less.
    let answer = try connection.run(
      """
      SELECT set_config('search_path', $1, false), \(Self.presentTimeout), \
      \(ServerProcess.columns), set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' \
      THEN 'on' ELSE current_setting('synchronous_commit') END, false) || \(Self.attention), pg_is_in_recovery()::int, \
      \(Self.start)\
      \(isAsked ? ", \(lastWrite)" : "")
      """, [.text(schema)] + (isAsked ? [.uuid(promises.client.bytes)] : []))
    connection.note(timeout: answer.integer(0, 1))
    connection.process = ServerProcess(answer, at: 2)
    connection.serverStart = answer.text(0, 6)
    try check(role, of: connection, isStandby: answer.integer(0, 5) == 1)
    if role == .primary {
      try promises.check(
        isAsked ? answer.integer(0, 7) : nil, whereAsked: number, of: connection)
    }
    if !connection.takesCancellations { try watchClient(connection) }
    connection.served = served
    return connection
  }

  /// Sets a connection that has served another store to this one.
  func adopt(_ connection: ServerConnection) throws(StoreError) {
    guard let former = connection.served, former.client != served.client else { return }
    let number = promises.number
    // Prepared statements are about the former schema, or about a former version of the same one.
    connection.prepared = [:]
    connection.keepsStatements = false
    defer { connection.keepsStatements = true }
    let answers = try connection.pipelined { (connection) throws(StoreError) in
      try connection.send("DEALLOCATE ALL")
      try connection.send("RESET statement_timeout")
      try connection.send(
        "SELECT set_config('search_path', $1, false), \(Self.presentTimeout)\(number > 0 ? ", \(lastWrite)" : "")",
        [.text(schema)] + (number > 0 ? [.uuid(promises.client.bytes)] : []))
    }
    guard let answer = answers.last else { return }
    connection.note(timeout: answer.integer(0, 1))
    try promises.check(
      number > 0 ? answer.integer(0, 2) : nil, whereAsked: number, of: connection)
    try limit(connection)
    connection.served = served
  }

  private var schema: String { PostgreSQLDialect().quoted(options.schema) }

  /// Selects the number of the store's last write.
  private var lastWrite: String {
    "(SELECT last_write FROM \(schema).\(ServerLayout.clients) WHERE id = $2)"
  }

  /// A client that is gone without a word keeps the locks of its transaction for a minute, and not for the hours after which a
  /// system looks. An administrator who looks within a minute is left alone.
  private static let attention = """
    CASE WHEN current_setting('tcp_keepalives_idle')::int > 60 THEN set_config('tcp_keepalives_idle', '30', false) \
    || set_config('tcp_keepalives_interval', '10', false) || set_config('tcp_keepalives_count', '3', false) END
    """

  /// The beginning of the server's run. Where one of its processes crashes, the server recovers without starting anew, and counts
  /// its statistics from then.
  private static let start =
    "pg_postmaster_start_time()::text || ' ' || (SELECT stats_reset::text FROM pg_stat_bgwriter)"

  private static let presentTimeout = timeout("current_setting('statement_timeout')")

  private func check(
    _ role: Role, of connection: ServerConnection, isStandby: Bool
  ) throws(StoreError) {
    guard isStandby != (role == .standby) else { return }
    throw StoreError(
      .io,
      isStandby
        ? "\(connection.place): The server is a standby, and a store needs the primary. Name all servers in the address, "
          + "separated by commas, and the store finds the primary among them."
        : "\(connection.place): The server is not a standby.")
  }

  /// The server then looks each second whether the client of a long statement is still there. One that cannot look goes on.
  private func watchClient(_ connection: ServerConnection) throws(StoreError) {
    _ = try connection.exchange { (connection) throws(StoreError) in
      try connection.send("SELECT set_config('client_connection_check_interval', '1s', false)")
    }
  }

  /// Limits the statements of a connection as the options say.
  func limit(_ connection: ServerConnection) throws(StoreError) {
    guard let limit = options.statementTimeout else { return }
    // Zero would be no limit.
    let milliseconds = max(1, Int64(limit / .milliseconds(1)))
    let setting = Self.timeout("set_config('statement_timeout', $1, false)")
    let answer = try connection.run("SELECT \(setting)", [.text("\(milliseconds)ms")])
    connection.note(timeout: answer.integer(0, 0))
  }

  /// A setting that is a time, in milliseconds.
  private static func timeout(_ setting: String) -> String {
    "(extract(epoch FROM \(setting)::interval) * 1000)::bigint"
  }

  /// A limited connection in the place of one that was lost, whose process at the server ends if it is still there. A pooler ends
  /// it itself, or has given it to another client.
  func replace(_ lost: ServerConnection) throws(StoreError) -> ServerConnection {
    let connection = try connectAgain()
    reconnects.withLock { $0 += 1 }
    if !lost.isPooled { try lost.process?.end(over: connection) }
    return connection
  }

  /// Connects, with growing distances, until the server answers or the time is over, and limits the connection.
  func connectAgain() throws(StoreError) -> ServerConnection {
    if let pinned = options.connections?.pinned {
      throw StoreError(
        .io, "\(pinned.place): The connection ended, and the server undid what was done on it.")
    }
    let deadline = ContinuousClock.now + options.reconnectTimeout
    var distance: UInt32 = 10_000
    while true {
      do throws(StoreError) {
        let connection = try connect(until: min(deadline, .now + options.connectTimeout))
        try limit(connection)
        return connection
      } catch {
        try Cancellation.check()
        guard error.isRetryable || error.code == .timedOut,
          ContinuousClock.now + .microseconds(Int64(distance)) < deadline
        else { throw error }
        usleep(distance)
        distance = min(distance * 2, 1_000_000)
      }
    }
  }
}

extension ServerConnection {
  /// Zero is no limit.
  fileprivate func note(timeout milliseconds: Int64?) {
    statementTimeout = milliseconds.flatMap { $0 > 0 ? .milliseconds($0) : nil }
  }
}

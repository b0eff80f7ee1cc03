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

/// Opens connections to a store's server and schema, and connects again where one was lost.
struct ServerSource: Sendable {
  let address: ServerAddress
  let options: PostgreSQLStoreOptions

  /// A connection whose names are those of the store's schema.
  func connect() throws(StoreError) -> ServerConnection {
    try connect(until: .now + options.connectTimeout)
  }

  private func connect(
    until deadline: ContinuousClock.Instant
  ) throws(StoreError) -> ServerConnection {
    let connection = try ServerConnection(address, until: deadline)
    let schema = PostgreSQLDialect().quoted(options.schema)
    // An administrator may ask for more than the server's own disk, and never gets less.
    try connection.run(
      """
      SELECT set_config('search_path', $1, false), set_config('synchronous_commit', \
      CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)
      """, [.text(schema)])
    return connection
  }

  /// Connects again, with growing distances, until the server answers or the time is over.
  func connectAgain() throws(StoreError) -> ServerConnection {
    let deadline = ContinuousClock.now + options.reconnectTimeout
    var distance: UInt32 = 10_000
    while true {
      do throws(StoreError) {
        return try connect(until: min(deadline, .now + options.connectTimeout))
      } catch {
        guard error.isRetryable || error.code == .timedOut,
          ContinuousClock.now + .microseconds(Int64(distance)) < deadline
        else { throw error }
        usleep(distance)
        distance = min(distance * 2, 1_000_000)
      }
    }
  }
}

/// Connections for reads. A read takes one, and waits where all are in use, as long as for a new one.
final class ServerPool: Sendable {
  private let source: ServerSource
  private let idle = Guarded<[ServerConnection]?>([])
  private let free: DispatchSemaphore

  init(_ source: ServerSource) {
    self.source = source
    free = DispatchSemaphore(value: max(1, source.options.readerCount))
  }

  /// Runs `body` on a connection. A read whose connection has ended begins again on a new one, once.
  func read<Output>(
    _ body: (ServerConnection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let patience = source.options.connectTimeout
    let milliseconds = Int(clamping: Int64(patience / .milliseconds(1)))
    guard free.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else {
      throw StoreError(
        .busy,
        "\(source.address.place): All \(source.options.readerCount) connections for reads were in use for \(patience). "
          + "Allow more with readerCount, or shorten the reads.")
    }
    defer { free.signal() }
    let connection = try take()
    do throws(StoreError) { return try run(body, on: connection) } catch {
      guard connection.isBroken, error.code == .io else { throw error }
      // All idle connections may have ended with it.
      idle.withLock { $0 = $0.map { _ in [] } }
      return try run(body, on: try source.connectAgain())
    }
  }

  private func run<Output>(
    _ body: (ServerConnection) throws(StoreError) -> Output, on connection: ServerConnection
  ) throws(StoreError) -> Output {
    defer {
      if !connection.isBroken, !connection.isInTransaction {
        idle.withLock { $0?.append(connection) }
      }
    }
    return try body(connection)
  }

  private func take() throws(StoreError) -> ServerConnection {
    if let known = idle.withLock({ $0?.popLast() }) { return known }
    return try source.connect()
  }

  /// Ends the connections. Those in use end with their reads.
  func close() { idle.withLock { $0 = nil } }
}

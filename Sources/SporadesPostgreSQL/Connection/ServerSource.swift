// SPDX-License-Identifier: MIT
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
    try connection.run("SELECT set_config('search_path', $1, false)", [.text(schema)])
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

// SPDX-License-Identifier: MIT
import CPostgreSQL
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

/// Has the server tell other stores that this one has committed. It comes behind the commits, which it makes no slower, and
/// once for all that follow each other fast.
final class ServerSignals: Sendable {
  private let channel: String
  private let connections: ServerPool
  private let queue = DispatchQueue(label: "sporades.commits.signals", qos: .utility)
  private let isPlanned = Guarded(false)
  /// The distance between two signals.
  private static let distance = DispatchTimeInterval.milliseconds(10)

  init(_ schema: String, _ connections: ServerPool) {
    channel = Self.channel(schema)
    self.connections = connections
  }

  /// The name of the server's channel for the stores of a schema.
  static func channel(_ schema: String) -> String { ServerNames.shortened("sporades \(schema)") }

  /// Notes a commit.
  func note() {
    let isFirst = isPlanned.withLock { isPlanned in
      defer { isPlanned = true }
      return !isPlanned
    }
    guard isFirst else { return }
    queue.asyncAfter(deadline: .now() + Self.distance) { [self] in
      isPlanned.withLock { $0 = false }
      // `try?`, because the others ask by themselves, too, only later.
      _ = try? connections.read { (connection) throws(StoreError) in
        try connection.pipelined { (connection) throws(StoreError) in
          // The server sends signals one after the other, and would sync each.
          try connection.send("SELECT set_config('synchronous_commit', 'off', true)")
          try connection.send("SELECT pg_notify($1, '')", [.text(channel)])
        }
      }
    }
  }
}

/// Hears the signals of other stores, on a connection and a thread of its own.
final class ServerEar: Sendable {
  private let source: ServerSource
  private let heard: @Sendable () -> Void
  private let queue = DispatchQueue(label: "sporades.commits.ear", qos: .utility)
  private let isOn = Guarded(true)
  /// The longest time in which an end goes unnoticed.
  private static let attention: Duration = .seconds(1)

  init(_ source: ServerSource, heard: @escaping @Sendable () -> Void) {
    (self.source, self.heard) = (source, heard)
  }

  func begin() {
    queue.async { [self] in
      while isOn.withLock(\.self) {
        // `try?`, because the store asks by itself while nobody can listen.
        try? listen()
        guard isOn.withLock(\.self) else { return }
        usleep(100_000)
      }
    }
  }

  func end() { isOn.withLock { $0 = false } }

  /// Listens until the end, or until the connection ends.
  private func listen() throws(StoreError) {
    let connection = try source.connect()
    let channel = PostgreSQLDialect().quoted(ServerSignals.channel(source.options.schema))
    try connection.run("LISTEN \(channel)")
    // What came before was not heard.
    heard()
    while isOn.withLock(\.self) {
      if try connection.hears(until: .now + Self.attention) { heard() }
    }
  }
}

extension ServerConnection {
  /// Waits for a signal. False at the deadline.
  fileprivate func hears(until deadline: ContinuousClock.Instant) throws(StoreError) -> Bool {
    guard try wait(for: POLLIN, until: deadline) else { return false }
    guard unsafe PQconsumeInput(handle) == 1, !isBroken else {
      throw unsafe failure(nil, "It was waiting for a signal.")
    }
    var isHeard = false
    while let signal = unsafe PQnotifies(handle) {
      isHeard = true
      unsafe PQfreemem(signal)
    }
    return isHeard
  }
}

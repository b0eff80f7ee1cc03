// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
package import SporadesStore

/// Connections for reads. A read takes one, and waits where all are in use, as long as for a new one.
package final class ServerPool: Sendable {
  private let source: ServerSource
  private let idle = Guarded<[ServerConnection]?>([])
  private let free: DispatchSemaphore
  private let counts = Guarded(Counts())

  /// How reads waited for connections.
  private struct Counts {
    var inUse = 0
    var waits = 0
    var longestWait: Duration = .zero
  }

  init(_ source: ServerSource) {
    self.source = source
    free = DispatchSemaphore(value: max(1, source.options.readerCount))
  }

  /// Runs `body` on a connection. A read whose connection has ended begins again on a new one, once.
  package func read<Output>(
    _ body: (ServerConnection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try Cancellation.check()
    try waitForPlace()
    counts.withLock { $0.inUse += 1 }
    defer {
      counts.withLock { $0.inUse -= 1 }
      free.signal()
    }
    return try onConnection { (connection) throws(StoreError) in
      defer { give(connection) }
      return try body(connection)
    }
  }

  /// Runs `body` on a connection, and again on a new one if the first one had ended.
  private func onConnection<Output>(
    _ body: (ServerConnection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let connection = try take()
    do throws(StoreError) { return try body(connection) } catch {
      guard connection.isBroken, error.code == .io else { throw error }
      return try body(try source.replace(connection))
    }
  }

  /// Waits until fewer connections are in use than there may be.
  private func waitForPlace() throws(StoreError) {
    if free.wait(timeout: .now()) == .success { return }
    let patience = source.options.connectTimeout
    let start = ContinuousClock.now
    let deadline = start + patience
    defer {
      let wait = ContinuousClock.now - start
      counts.withLock { ($0.waits, $0.longestWait) = ($0.waits + 1, max($0.longestWait, wait)) }
    }
    repeat {
      // A cancellation is looked for as often as while the server works.
      let left = Swift.max(.zero, ContinuousClock.now.duration(to: deadline))
      let turn = Cancellation.current == nil ? left : min(left, .milliseconds(5))
      let microseconds = Int(clamping: Int64(turn / .microseconds(1)))
      if free.wait(timeout: .now() + .microseconds(microseconds)) == .success { return }
      try Cancellation.check()
    } while ContinuousClock.now < deadline
    throw StoreError(
      .busy,
      "\(source.address.place): All \(source.options.readerCount) connections for reads were in use for \(patience). "
        + "Allow more with readerCount, or shorten the reads.")
  }

  /// Takes a connection back, unless it is of no use, or there are enough.
  private func give(_ connection: ServerConnection) {
    guard !connection.isBroken, !connection.isInTransaction else { return }
    idle.withLock { idle in
      if let count = idle?.count, count < source.options.readerCount { idle?.append(connection) }
    }
  }

  /// The present state. It takes no place from the reads.
  func keepState() throws(StoreError) -> ServerState {
    try onConnection { (connection) throws(StoreError) in
      try ServerState(connection) { [weak self] in self?.give($0) }
    }
  }

  /// An idle connection, or a new one. Those that the server has ended meanwhile are given up.
  private func take() throws(StoreError) -> ServerConnection {
    var lost: ServerConnection?
    while let known = idle.withLock({ $0?.popLast() }) {
      known.notice()
      if !known.isBroken { return known }
      lost = known
    }
    guard let lost else { return try source.connectAgain() }
    return try source.replace(lost)
  }

  func metrics(withReads reads: Int, ofStandbys standbys: Int) -> PostgreSQLStoreMetrics {
    let idle = idle.withLock { $0?.count ?? 0 }
    let reconnects = source.reconnects.withLock(\.self)
    return counts.withLock {
      PostgreSQLStoreMetrics(
        connectionsInUse: $0.inUse, connectionsIdle: idle, waits: $0.waits,
        longestWait: $0.longestWait, reconnects: reconnects, standbys: standbys,
        standbyReads: reads)
    }
  }

  /// Ends the connections. Those in use end with their reads.
  func close() { idle.withLock { $0 = nil } }
}

// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesStore

/// Connections for readers, opened when they are needed, at most a fixed number.
final class ReaderPool: Sendable {
  private struct State {
    var idle: [Connection] = []
    var isClosed = false
  }
  private let state = Guarded(State())
  private let places: DispatchSemaphore
  private let limit: Int
  private let open: @Sendable () throws(StoreError) -> Connection

  private let cacheKilobytes: Int

  init(
    limit: Int, cacheKilobytes: Int, open: @escaping @Sendable () throws(StoreError) -> Connection
  ) {
    self.limit = max(1, limit)
    self.cacheKilobytes = cacheKilobytes
    self.open = open
    places = DispatchSemaphore(value: self.limit)
  }

  func read<Output>(
    _ body: (Connection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    places.wait()
    defer { places.signal() }
    let known = try state.withLock { (state) throws(StoreError) -> Connection? in
      guard !state.isClosed else {
        throw StoreError(.closed, "The store was closed; open it anew to use it.")
      }
      return state.idle.popLast()
    }
    let connection = if let known { known } else { try open() }
    defer { state.withLock { $0.idle.append(connection) } }
    try connection.allowCache(of: cacheKilobytes)
    return try body(connection)
  }

  /// Waits for all readers and closes their connections.
  func close() {
    for _ in 0..<limit { places.wait() }
    state.withLock { $0 = State(isClosed: true) }
    for _ in 0..<limit { places.signal() }
  }

  func reopen() { state.withLock { $0.isClosed = false } }
}

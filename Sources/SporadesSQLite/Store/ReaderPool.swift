// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesStore

/// Connections for readers, opened when they are needed, at most a fixed number.
final class ReaderPool: Sendable {
  private let idle = Guarded<[Connection]>([])
  private let places: DispatchSemaphore
  private let limit: Int
  private let open: @Sendable () throws(StoreError) -> Connection

  init(limit: Int, open: @escaping @Sendable () throws(StoreError) -> Connection) {
    self.limit = max(1, limit)
    self.open = open
    places = DispatchSemaphore(value: self.limit)
  }

  func read<Output>(
    _ body: (Connection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    places.wait()
    defer { places.signal() }
    let connection: Connection
    if let known = idle.withLock({ $0.popLast() }) {
      connection = known
    } else {
      connection = try open()
    }
    defer { idle.withLock { $0.append(connection) } }
    return try body(connection)
  }

  /// Waits for all readers and closes their connections.
  func close() {
    for _ in 0..<limit { places.wait() }
    idle.withLock { $0.removeAll() }
    for _ in 0..<limit { places.signal() }
  }
}

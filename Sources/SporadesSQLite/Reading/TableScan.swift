// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesSQL
import SporadesStore

/// Reads most of a large table with several connections at once, one range of keys at a time.
///
/// SQLite spends most of such a read on decoding rows, and one connection uses one core. All connections show
/// the same state. What they read comes in the order of the keys, as from a single connection.
struct TableScan {
  let statements: TableStatements
  /// The connection that the caller already has.
  let connection: Connection
  let readers: ReaderPool?

  /// A smaller table is read before the helpers could begin.
  static let smallestKeySpan: Int64 = 16_384
  /// Small ranges, so that the last range delays the others only briefly.
  private static let stretchesPerConnection: Int64 = 4

  /// The pages of all ranges; nil if the table is too small or no helper is free.
  func pages(
    _ read: @Sendable (Connection, ClosedRange<Int64>) throws(StoreError) -> [RowPage]
  ) throws(StoreError) -> [RowPage]? {
    try parts(read)?.flatMap(\.self)
  }

  /// The results of `read` for each range; nil if the table is too small or no helper is free.
  func parts<Part: Sendable>(
    _ read: @Sendable (Connection, ClosedRange<Int64>) throws(StoreError) -> Part
  ) throws(StoreError) -> [Part]? {
    guard let readers, try key(statements.largestKey) >= Self.smallestKeySpan else { return nil }
    return try readers.withHelpers(of: connection) { (connections) throws(StoreError) in
      guard connections.count > 1 else { return nil }
      // The range is read again, because the helpers' state may be newer.
      let keys = try (key(statements.smallestKey), key(statements.largestKey))
      // The ordinary fetch, which replaces this one, reports keys out of bounds.
      guard keys.0 >= 0, keys.1 <= RowKey.largestPrimaryKey,
        keys.1 - keys.0 >= Self.smallestKeySpan
      else { return nil }
      return try parts(of: keys.0...keys.1, connections, read)
    }
  }

  private func key(_ statement: SQLStatement) throws(StoreError) -> Int64 {
    let statement = try connection.statement(statement)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  private struct Progress<Part: Sendable> {
    var next: Int64
    var parts: [(first: Int64, part: Part)] = []
    var failure: StoreError?
  }

  private func parts<Part: Sendable>(
    of keys: ClosedRange<Int64>, _ connections: [Connection],
    _ read: @Sendable (Connection, ClosedRange<Int64>) throws(StoreError) -> Part
  ) throws(StoreError) -> [Part] {
    let count = Int64(connections.count) * Self.stretchesPerConnection
    let rows = Int64(RowReader.rowsPerPage)
    // Each range fills whole pages if no key is missing.
    let length = ((keys.upperBound - keys.lowerBound) / count / rows + 1) * rows
    let progress = Guarded(Progress<Part>(next: keys.lowerBound))
    let cancellation = Cancellation.current
    DispatchQueue.concurrentPerform(iterations: connections.count) { number in
      Cancellation.$current.withValue(cancellation) {
        while let stretch = Self.stretch(progress, length, keys.upperBound) {
          do throws(StoreError) {
            let part = try read(connections[number], stretch)
            progress.withLock { $0.parts.append((stretch.lowerBound, part)) }
          } catch {
            progress.withLock { $0.failure = error }
          }
        }
      }
      connections[number].forgetPages()
    }
    return try progress.withLock { (progress) throws(StoreError) in
      if let failure = progress.failure { throw failure }
      return progress.parts.sorted { $0.first < $1.first }.map(\.part)
    }
  }

  private static func stretch<Part>(
    _ progress: Guarded<Progress<Part>>, _ length: Int64, _ last: Int64
  ) -> ClosedRange<Int64>? {
    progress.withLock { progress in
      guard progress.failure == nil, progress.next <= last else { return nil }
      let first = progress.next
      progress.next = first + length
      return first...min(first + length - 1, last)
    }
  }
}

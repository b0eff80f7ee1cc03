// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Primary keys for new rows, reserved in blocks on a connection that does not wait for the writer's transaction. Keys that
/// the process did not use when it ends stay unused.
final class ServerKeys: Sendable {
  private let plan: ServerPlan
  private let connections: ServerPool
  private let promises: ServerPromises
  private let blocks = Guarded(Blocks())
  private static let names = ServerLayout.names.counters
  /// The number of keys that the smallest block has.
  private static let blockSize = 256

  /// Reserved keys, by the root of their tree.
  private struct Blocks {
    private var blocks: [Int: Block] = [:]
    /// The server whose counters know of the blocks.
    private var changes = 0

    /// Another server may have counters that know of no reservation, so that every block begins anew.
    mutating func forget(since changes: Int) {
      guard changes != self.changes else { return }
      (blocks, self.changes) = ([:], changes)
    }

    subscript(root: Int) -> Block? {
      get { blocks[root] }
      set { blocks[root] = newValue }
    }
  }

  /// Reserved keys of a tree.
  private struct Block {
    var next: Int64
    var end: Int64
    /// The largest key that the server's counter is known to cover.
    var covered: Int64
  }

  init(_ plan: ServerPlan, _ connections: ServerPool, _ promises: ServerPromises) {
    (self.plan, self.connections, self.promises) = (plan, connections, promises)
  }

  func reserve(_ count: Int, ofRoot root: Int) throws(StoreError) -> Range<Int64> {
    trap(unless: count >= 0, "A caller asked for \(count) keys; ask for 0 or more.")
    return try blocks.withLock { (blocks) throws(StoreError) in
      blocks.forget(since: promises.changes)
      if let block = blocks[root], block.end - block.next >= count {
        blocks[root]?.next += Int64(count)
        return block.next..<block.next + Int64(count)
      }
      if let mapping = plan.server.mapping {
        let table = mapping.tables[plan.layout.tablesByEntity[root - 1]]
        let keys = try Self.take(count, of: table, over: connections)
        let end = keys.lowerBound + Int64(count)
        blocks[root] = Block(next: end, end: keys.upperBound, covered: keys.upperBound)
        return keys.lowerBound..<end
      }
      let size = max(Int64(count), Int64(Self.blockSize))
      guard size <= RowKey.largestPrimaryKey else { throw lack(root) }
      let last = try raise(root, by: "k.\(Self.names.maximum) + $2", size)
      guard last <= RowKey.largestPrimaryKey else { throw lack(root) }
      let first = last - size + 1
      blocks[root] = Block(next: first + Int64(count), end: last + 1, covered: last)
      return first..<first + Int64(count)
    }
  }

  /// Raises the counters to the keys of inserted rows that nobody has reserved.
  func note(_ changes: ChangeSet) throws(StoreError) {
    // Whoever gives a row of an existing table a key answers for it.
    guard plan.server.mapping == nil else { return }
    for page in changes.inserted {
      let root = page.layout.rootEntity
      let largest = (0..<page.count).reduce(0) { max($0, page.key($1).primaryKey) }
      try blocks.withLock { (blocks) throws(StoreError) in
        blocks.forget(since: promises.changes)
        let known = blocks[root] ?? Block(next: 0, end: 0, covered: 0)
        guard largest > known.covered else { return }
        let covered = try raise(root, by: "GREATEST(k.\(Self.names.maximum), $2)", largest)
        blocks[root] = Block(next: known.next, end: known.end, covered: covered)
      }
    }
  }

  /// Raises the counter of a tree, which begins with the number. Returns the largest key that it covers then.
  private func raise(
    _ root: Int, by change: String, _ number: Int64
  ) throws(StoreError) -> Int64 {
    let names = Self.names
    let answer = try connections.read { (connection) throws(StoreError) in
      try connection.run(
        """
        INSERT INTO \(names.table) AS k (\(names.entity), \(names.maximum)) VALUES ($1, $2) \
        ON CONFLICT (\(names.entity)) DO UPDATE SET \(names.maximum) = \(change) RETURNING \(names.maximum)
        """, [.text(plan.name(ofEntity: root)), .int8(number)])
    }
    guard let largest = answer.integer(0, 0) else {
      throw StoreError(
        .corrupt,
        "\(names.table) has no number of keys for \(plan.name(ofEntity: root)). Set it to the largest key."
      )
    }
    return largest
  }

  private func lack(_ root: Int) -> StoreError {
    StoreError(
      .full,
      "\(plan.name(ofEntity: root)) has no keys left: the largest key is \(RowKey.largestPrimaryKey), and an object has a "
        + "key near it.")
  }
}

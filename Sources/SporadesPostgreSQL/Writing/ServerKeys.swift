// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// Primary keys for new rows, reserved in blocks on a connection that does not wait for the writer's transaction. Keys that
/// the process did not use when it ends stay unused.
final class ServerKeys: Sendable {
  private let tables: any WrittenTables
  private let connections: ServerPool
  private let promises: ServerPromises
  private let blocks = Guarded(Blocks())

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

  init(_ tables: any WrittenTables, _ connections: ServerPool, _ promises: ServerPromises) {
    (self.tables, self.connections, self.promises) = (tables, connections, promises)
  }

  func reserve(_ count: Int, ofRoot root: Int) throws(StoreError) -> Range<Int64> {
    trap(unless: count >= 0, "A caller asked for \(count) keys; ask for 0 or more.")
    return try blocks.withLock { (blocks) throws(StoreError) in
      blocks.forget(since: promises.changes)
      if let block = blocks[root], block.end - block.next >= count {
        blocks[root]?.next += Int64(count)
        return block.next..<block.next + Int64(count)
      }
      let keys = try tables.takeKeys(count, ofRoot: root, over: connections)
      let end = keys.lowerBound + Int64(count)
      blocks[root] = Block(next: end, end: keys.upperBound, covered: keys.upperBound - 1)
      return keys.lowerBound..<end
    }
  }

  /// Raises the counters to the keys of inserted rows that nobody has reserved.
  func note(_ changes: ChangeSet) throws(StoreError) {
    for page in changes.inserted {
      let root = page.layout.rootEntity
      let largest = (0..<page.count).reduce(0) { max($0, page.key($1).primaryKey) }
      try blocks.withLock { (blocks) throws(StoreError) in
        blocks.forget(since: promises.changes)
        let known = blocks[root] ?? Block(next: 0, end: 0, covered: 0)
        guard largest > known.covered else { return }
        let covered = try tables.coverKey(largest, ofRoot: root, over: connections)
        blocks[root] = Block(next: known.next, end: known.end, covered: covered)
      }
    }
  }
}

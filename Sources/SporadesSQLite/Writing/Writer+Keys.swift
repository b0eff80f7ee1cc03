// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Reserved primary keys of one inheritance tree that no object has yet.
struct KeyBlock: Sendable {
  var next: Int64 = 1
  var end: Int64 = 1
  /// The stored maximum covers all rows up to this key.
  var persisted: Int64 = 0
  var size: Int64 = 64
  /// The first key reserved by an uncommitted transaction; nil if there is none.
  var firstUnprotected: Int64?
  /// Whether the stored maximum was compared with the rows. Some apps' files have rows above it.
  var isChecked = false
}

extension Writer {
  /// Raises the maximum in the store before it returns keys. Outside a transaction, the raise commits at
  /// once. Inside a transaction, no other process can write, and the restoration of a lost transaction
  /// reserves the same keys again.
  mutating func reserveKeys(_ count: Int, ofRoot root: Int) throws(StoreError) -> Range<Int64> {
    precondition(count >= 0, "The number of keys cannot be negative; \(count) were asked for.")
    let wanted = Int64(count)
    let left = blocks[root - 1].map { $0.end - $0.next } ?? 0
    if left < wanted {
      try transact { (writer) throws(StoreError) in try writer.extendBlock(ofRoot: root, wanted) }
    }
    let start = blocks[root - 1]?.next ?? 1
    blocks[root - 1]?.next += wanted
    return start..<start + wanted
  }

  private mutating func extendBlock(ofRoot root: Int, _ wanted: Int64) throws(StoreError) {
    var block = blocks[root - 1] ?? KeyBlock()
    let current = try storedMaximum(ofRoot: root, checkingRows: !block.isChecked)
    block.isChecked = true
    guard current <= RowKey.largestPrimaryKey else { throw noKeysLeft(root) }
    if current + 1 != block.end {
      // The stored maximum is too low if the transaction that raised it was rolled back.
      block.next = max(block.next, current + 1)
      block.end = block.next
    }
    let missing = wanted - (block.end - block.next)
    let left = RowKey.largestPrimaryKey + 1 - block.end
    guard missing <= left else { throw noKeysLeft(root) }
    if block.firstUnprotected == nil { block.firstUnprotected = block.end }
    hasUnprotectedKeys = true
    block.end += min(max(missing, block.size), left)
    block.size = min(4096, block.size * 4)
    block.persisted = block.end - 1
    try raiseMaximum(ofRoot: root, to: block.persisted)
    blocks[root - 1] = block
  }

  private func noKeysLeft(_ root: Int) -> StoreError {
    let table = plan.layout.table(ofEntity: root).name
    let (key, counters) = (plan.layout.names.row.key, plan.layout.names.counters)
    return StoreError(
      .full,
      "\(table) has no keys left: \(counters.table).\(counters.maximum) or \(table).\(key) has "
        + "reached the largest key, \(RowKey.largestPrimaryKey). Set \(counters.maximum) to the "
        + "largest \(key) in use, if that is less.")
  }

  /// Keeps the reserved keys, because their transaction has committed.
  mutating func protectKeys() {
    for place in blocks.indices { blocks[place]?.firstUnprotected = nil }
    hasUnprotectedKeys = false
  }

  /// Drops the keys reserved by a transaction that was rolled back, because other processes may take them.
  mutating func dropUnprotectedKeys() {
    for place in blocks.indices {
      guard let block = blocks[place], let first = block.firstUnprotected else { continue }
      blocks[place]?.end = max(first, block.next)
      blocks[place]?.firstUnprotected = nil
    }
    hasUnprotectedKeys = false
  }

  private func storedMaximum(
    ofRoot root: Int, checkingRows: Bool
  ) throws(StoreError) -> Int64 {
    let number = Int64(plan.layout.storeNumber(root))
    let stored = try connection.number(plan.counters.maximum(of: number))
    // Nil for a null number and for a missing row.
    if stored == nil { try addMaximum(ofRoot: root) }
    guard checkingRows || stored == nil else { return max(0, stored ?? 0) }
    let used = try connection.number(plan.tableStatements(ofEntity: root).largestKey)
    return max(0, stored ?? 0, used ?? 0)
  }

  private func addMaximum(ofRoot root: Int) throws(StoreError) {
    let number = plan.layout.storeNumber(root)
    guard try connection.number(plan.counters.count(Int64(number))) == 0 else { return }
    let name = plan.model.shape(numbered: root).name
    try connection.run(plan.counters.add(number, name: name, parent: 0))
  }

  func raiseMaximum(ofRoot root: Int, to maximum: Int64) throws(StoreError) {
    let statement = try statement(.raiseMaximum, 0, plan.counters.raise)
    statement.bind([maximum, Int64(plan.layout.storeNumber(root)), maximum])
    try statement.run()
  }

  /// Raises the stored maximum to cover the rows' keys, which another store may have reserved.
  mutating func coverKeys(of page: RowPage) throws(StoreError) {
    let root = page.layout.rootEntity
    var largest: Int64 = 0
    for index in 0..<page.count { largest = max(largest, page.key(index).primaryKey) }
    var block = blocks[root - 1] ?? KeyBlock()
    guard largest > block.persisted else { return }
    try raiseMaximum(ofRoot: root, to: max(largest, block.end - 1))
    block.persisted = max(largest, block.end - 1)
    if largest >= block.next, largest < block.end { block.next = largest + 1 }
    blocks[root - 1] = block
  }

  /// Returns the unused keys at the end of each block to the store.
  mutating func returnKeys() throws(StoreError) {
    for (place, block) in blocks.enumerated() {
      guard let block, block.end > block.next else { continue }
      let number = Int64(plan.layout.storeNumber(place + 1))
      try connection.run(plan.counters.set(block.next - 1, of: number, from: block.end - 1))
    }
    for place in blocks.indices { blocks[place] = nil }
  }
}

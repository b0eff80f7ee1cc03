// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import SporadesModel
import SporadesStore
import SporadesTesting
import Synchronization
import Testing

@testable import SporadesSQLite

/// Random changes of a file of items by one thread, and reads of kept states by others.
final class SharedRun: Sendable {
  enum Kind: Int {
    /// This store alone changes the file.
    case alone
    /// So does another connection.
    case besideOthers
    /// The file has a trigger that changes a neighbour.
    case withTrigger
    /// The cache holds few rows, and the log begins anew often.
    case small
  }

  private let file = SharedItems()
  private let store: SQLiteStore
  private let kind: Kind
  private let seed: UInt64
  private let isOver = Atomic(false)
  private let readCount = Atomic(0)
  private let problems = Guarded<[String]>([])
  private static let readers = 3
  private static let count: Int64 = 120
  private static let groups: Int64 = 8

  var account: (rows: Int, bytes: Int, taken: Int) { store.rowCache.account }
  var reads: Int { readCount.load(ordering: .relaxed) }

  init(seed: UInt64, kind: Kind) throws {
    (self.seed, self.kind) = (seed, kind)
    try file.filled(Self.count).close()
    if kind == .withTrigger {
      try file.run(
        "CREATE TRIGGER spread AFTER UPDATE ON ZITEM WHEN NEW.Z_PK % 3 = 0 BEGIN UPDATE ZITEM SET "
          + "ZNOTE = NEW.ZVALUE, ZGROUP = NEW.ZVALUE % 8 WHERE Z_PK = NEW.Z_PK + 1; END")
    }
    store = try file.open { options in
      guard kind == .small else { return }
      options.rowCacheKilobytes = 16
      options.checkpointFrames = 5
    }
    try file.run("UPDATE ZITEM SET ZGROUP = Z_PK % \(Self.groups)")
  }

  func close() throws { try store.close() }

  func run(steps: Int) -> [String] {
    DispatchQueue.concurrentPerform(iterations: Self.readers + 1) { thread in
      if thread == 0 {
        defer { isOver.store(true, ordering: .releasing) }
        change(steps)
      } else {
        read(UInt64(thread))
      }
    }
    return problems.withLock { Array($0.prefix(5)) }
  }

  private func note(_ problem: String) { problems.withLock { $0.append(problem) } }

  // MARK: - Reading

  private func read(_ thread: UInt64) {
    var random = SeededGenerator(seed: seed &* 31 &+ thread)
    var pinned: [StoreGeneration] = []
    do {
      while !isOver.load(ordering: .acquiring) {
        let state = try store.generation()
        if pinned.count < 2 { pinned.append(state) }
        for _ in 0..<Int.random(in: 1...12, using: &random) {
          let shown = Int.random(in: 0..<4, using: &random) == 0 ? random.pick(pinned) : state
          try compare(shown, &random)
        }
        if Int.random(in: 0..<6, using: &random) == 0 { pinned.removeFirst() }
      }
    } catch {
      note("a read failed: \(error)")
    }
  }

  private func compare(_ state: StoreGeneration, _ random: inout SeededGenerator) throws {
    readCount.add(1, ordering: .relaxed)
    let group = Int64.random(in: 0..<Self.groups, using: &random)
    let limit = random.pick([nil, nil, 1, 5, 50])
    let plain = SharedItems.items(
      try store.rows(SharedItems.plainFetch(group, limit: limit), in: .generation(state)))
    guard Bool.random(using: &random) else {
      let shared = SharedItems.items(
        try store.rows(SharedItems.fetch(group, limit: limit), in: .generation(state)))
      if shared != plain { note("group \(group) is \(shared) and should be \(plain)") }
      return
    }
    let keys = plain.map(\.key) + [Self.count + 1_000_000]
    let shared = SharedItems.items(
      try store.rows(for: keys.map(SharedItems.key), in: .generation(state)))
    let sorted = plain.sorted { $0.key < $1.key }
    if shared.sorted(by: { $0.key < $1.key }) != sorted {
      note("the rows of \(group) are \(shared) and should be \(sorted)")
    }
    guard let item = plain.randomElement(using: &random) else { return }
    let one = SharedItems.items(
      try store.rows(for: [SharedItems.key(item.key)], in: .generation(state)))
    if one != [item] { note("\(one) should be \(item)") }
  }

  // MARK: - Changing

  private func change(_ steps: Int) {
    var random = SeededGenerator(seed: seed)
    for step in 0..<steps {
      if step.isMultiple(of: 4) { wait(forReads: 25) }
      // Many changes fail, because others changed the rows or because they were asked to fail.
      do { try change(&random) } catch is StoreError {} catch { note("\(error)") }
    }
    do { try settle() } catch { note("the last commit failed: \(error)") }
    while account.taken == 0, problems.withLock(\.isEmpty), wait(forReads: 25) {}
  }

  /// Lets the readers read for a while. False if they do not.
  @discardableResult
  private func wait(forReads count: Int) -> Bool {
    let (end, deadline) = (reads + count, ContinuousClock.now + .seconds(300))
    while reads < end, problems.withLock(\.isEmpty) {
      guard ContinuousClock.now < deadline else {
        note("nobody reads")
        return false
      }
      sched_yield()
    }
    return true
  }

  private func settle() throws {
    while true {
      do { return try store.commit(.eventual) } catch {
        guard !(try store.restoreAccepted().isEmpty) else { throw error }
      }
    }
  }

  private func change(_ random: inout SeededGenerator) throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8:
      try store.execute(try update(&random))
      if Bool.random(using: &random) { try settle() }
    case 8: try store.execute(try replacement(&random))
    case 9: try store.execute(SharedItems.update([.init(key: 1, version: 1_000_000)]))
    case 10: try refusedCommit(&random)
    case 11: try batch(&random)
    case 12: try settle()
    case 13:
      _ = try store.reserveKeys(1, for: SharedItems.shape)
      try store.setMetadata(try store.metadata())
    case 14: try othersChange(&random)
    case 15: try withdrawal(&random)
    case 16 where kind == .small: try file.run("PRAGMA wal_checkpoint(TRUNCATE)")
    case 17 where Int.random(in: 0..<10, using: &random) == 0:
      try store.removeAllRows()
      try refill()
    default:
      try store.execute(try update(&random))
      try settle()
    }
  }

  private func refill() throws {
    let items = (1...Self.count).map {
      SharedItems.Item(key: $0, group: $0 % Self.groups, value: -$0, note: "again")
    }
    try store.execute(ChangeSet(inserted: [SharedItems.page(items)]))
    try settle()
  }

  /// The accepted rows with some keys.
  private func some(_ count: Int, _ random: inout SeededGenerator) throws -> [SharedItems.Item] {
    let keys = Set((0..<count).map { _ in Int64.random(in: 1...Self.count, using: &random) })
    let pages = try store.rows(for: keys.sorted().map(SharedItems.key), in: .accepted)
    return SharedItems.items(pages)
  }

  private func update(_ random: inout SeededGenerator) throws -> ChangeSet {
    let items = try some(Int.random(in: 1...4, using: &random), &random).map { item in
      var item = item
      item.version += 1
      item.value = Int64.random(in: 0..<1_000, using: &random)
      if Bool.random(using: &random) { item.group = item.value % Self.groups }
      item.note = "\(item.value)"
      return item
    }
    return SharedItems.update(items)
  }

  /// Deletes a row, and inserts one in the place of a missing row.
  private func replacement(_ random: inout SeededGenerator) throws -> ChangeSet {
    let deleted = try some(1, &random).map {
      DeletedRow(key: SharedItems.key($0.key), version: $0.version)
    }
    let all = Set(
      try store.keys(StoreFetch(SharedItems.shape), in: .accepted).map(\.primaryKey))
    let free = (1...Self.count).filter { !all.contains($0) }.randomElement(using: &random)
    let inserted = free.map {
      SharedItems.page([.init(key: $0, group: $0 % Self.groups, value: 5, note: "new")])
    }
    return ChangeSet(inserted: inserted.map { [$0] } ?? [], deleted: deleted)
  }

  private func refusedCommit(_ random: inout SeededGenerator) throws {
    try store.execute(try update(&random))
    // The refusal is what the test is about.
    CommitRefusal.during(store) { _ = try? store.commit(.eventual) }
    if Bool.random(using: &random) { try othersChange(&random) }
    try settle()
  }

  private func withdrawal(_ random: inout SeededGenerator) throws {
    let (first, second) = (try update(&random), try replacement(&random))
    try store.execute(first)
    try store.execute(second)
    try store.withdraw([first])
    try settle()
  }

  private func batch(_ random: inout SeededGenerator) throws {
    let group = Int64.random(in: 0..<Self.groups, using: &random)
    guard case .attribute(let value)? = SharedItems.shape["value"],
      let assignment = StoreBatch.Assignment(value, .constant(.integer(-group)))
    else { return }
    let isDeletion = Int.random(in: 0..<5, using: &random) == 0
    let work: StoreBatch.Work = isDeletion ? .delete : .update([assignment])
    try settle()
    _ = try store.execute(StoreBatch(work, SharedItems.fetch(group)))
    if isDeletion { try refillGroup(group) }
  }

  private func refillGroup(_ group: Int64) throws {
    let all = Set(
      try store.keys(StoreFetch(SharedItems.shape), in: .accepted).map(\.primaryKey))
    let items = (1...Self.count).filter { !all.contains($0) }.prefix(10).map {
      SharedItems.Item(key: $0, group: group, value: $0, note: "refilled")
    }
    try store.execute(ChangeSet(inserted: [SharedItems.page(Array(items))]))
    try settle()
  }

  private func othersChange(_ random: inout SeededGenerator) throws {
    guard kind == .besideOthers else { return }
    // The store's own transaction would keep others waiting.
    try settle()
    let key = Int64.random(in: 1...Self.count, using: &random)
    let group = Int64.random(in: 0..<Self.groups, using: &random)
    try file.run(
      random.pick([
        "UPDATE ZITEM SET ZVALUE = ZVALUE + 7 WHERE Z_PK = \(key)",
        "UPDATE ZITEM SET ZGROUP = \(group), ZNOTE = 'moved' WHERE Z_PK % 9 = 2",
        "DELETE FROM ZITEM WHERE Z_PK = \(key)",
        "CREATE INDEX IF NOT EXISTS other ON ZITEM (ZVALUE)", "DROP INDEX IF EXISTS other",
        "PRAGMA wal_checkpoint(RESTART)",
      ]))
  }
}

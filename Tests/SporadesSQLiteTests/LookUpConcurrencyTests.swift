// SPDX-License-Identifier: MIT
import CSQLite
import Dispatch
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Synchronization
import Testing

/// Look-ups by key, which share a read transaction while they follow each other.
@Suite struct LookUpConcurrencyTests {
  private static let name = Sample.slot("Tag", "title")
  private let path = Sample.temporaryPath()

  private func store() throws -> SQLiteStore { try SQLiteStore(path: path, model: Sample.model) }

  /// A store with one tag, whose title is its version.
  private func filledStore() throws -> SQLiteStore {
    let store = try store()
    _ = try store.reserveKeys(1, for: Sample.shape("Tag"))
    try store.execute(
      ChangeSet(inserted: [Sample.page("Tag", [(1, ["title": .string("1")])])]))
    try store.commit(.eventual)
    return store
  }

  private func lookUp(_ store: SQLiteStore) throws -> Int? {
    let page = try store.rows(for: [Sample.key("Tag", 1)], in: .committed).first
    return page?.text(0, slot: Self.name).flatMap { Int($0) }
  }

  private func write(_ version: Int, to store: SQLiteStore) throws {
    let page = Sample.page("Tag", [(1, ["title": .string("\(version)")])], version: Int64(version))
    try store.execute(ChangeSet(updated: [Sample.updates(page, [Self.name])]))
    try store.commit(.eventual)
  }

  /// Whether a checkpoint finds a reader in its way. SQLite answers with the number 1 then.
  private func isCheckpointBlocked() throws -> Bool {
    var database: OpaquePointer?
    defer { unsafe sqlite3_close_v2(database) }
    try #require(unsafe sqlite3_open(path, &database) == SQLITE_OK)
    return try unsafe SQLRows.texts(database, "PRAGMA wal_checkpoint(TRUNCATE)") == ["1"]
  }

  @Test func lookUpsShareATransactionThatEndsByItself() throws {
    let store = try filledStore()
    let deadline = ContinuousClock.now + .seconds(3_600)
    var version = 1
    repeat {
      try #require(ContinuousClock.now < deadline, "Each look-up has a transaction of its own.")
      version += 1
      try write(version, to: store)
      for _ in 0..<3 { #expect(try lookUp(store) == version) }
      // An empty log would block no checkpoint.
    } while try !isCheckpointBlocked()
    while try isCheckpointBlocked() {
      try #require(ContinuousClock.now < deadline, "The transaction did not end.")
    }
    #expect(try lookUp(store) == version)
    try store.close()
  }

  @Test func aLookUpShowsEveryCommitOfThisStoreAndOfAnother() throws {
    let (reading, writing) = (try filledStore(), try store())
    for version in 2...300 {
      try write(version, to: version.isMultiple(of: 3) ? reading : writing)
      for _ in 0..<4 { #expect(try lookUp(reading) == version) }
    }
    try writing.close()
    try reading.close()
  }

  @Test func otherRequestsBetweenLookUpsShowTheNewestState() throws {
    let store = try filledStore()
    for version in 2...100 {
      for _ in 0..<3 { #expect(try lookUp(store) == version - 1) }
      let generation = try store.generation()
      try write(version, to: store)
      let all = StoreFetch(Sample.shape("Tag"))
      #expect(try store.names(all, Self.name, in: .committed) == ["\(version)"])
      #expect(try store.names(all, Self.name, in: .generation(generation)) == ["\(version - 1)"])
    }
    try store.close()
  }

  /// More look-ups than one transaction takes, all within a moment.
  @Test func manyLookUpsSeeOneRow() throws {
    let store = try filledStore()
    for _ in 0..<2_000 { #expect(try lookUp(store) == 1) }
    #expect(try store.rows(for: [Sample.key("Tag", 2)], in: .committed).isEmpty)
    try store.close()
  }

  @Test func noLookUpIsOlderThanTheLastCommit() throws {
    let store = try filledStore()
    let committed = Atomic(1)
    let isWriting = Atomic(true)
    let failures = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      do {
        guard worker > 0 else {
          defer { isWriting.store(false, ordering: .releasing) }
          for version in 2...400 {
            try write(version, to: store)
            committed.store(version, ordering: .releasing)
          }
          return
        }
        while isWriting.load(ordering: .acquiring) {
          let least = committed.load(ordering: .acquiring)
          if try lookUp(store) ?? 0 < least { failures.add(1, ordering: .relaxed) }
        }
      } catch { failures.add(1, ordering: .relaxed) }
    }
    #expect(failures.load(ordering: .relaxed) == 0)
    #expect(try lookUp(store) == 400)
    try store.close()
  }

  /// The store that writes cannot end the transactions of the other one, and its checkpoints would leave the frames
  /// that these still need.
  @Test func theLogIsBegunAnewWhileAnotherStoreLooksUp() throws {
    try filledStore().close()
    var options = SQLiteStoreOptions()
    options.checkpointFrames = 20
    let reading = try SQLiteStore(path: path, model: Sample.model, options: options)
    let writing = try SQLiteStore(path: path, model: Sample.model, options: options)
    let written = 12_000
    for version in 2...written {
      try write(version, to: writing)
      for _ in 0..<3 { _ = try lookUp(reading) }
    }
    // SQLite leaves the log as long as it ever was.
    let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
    #expect(try #require(size) / (4_096 + 24) < written / 4)
    try writing.close()
    try reading.close()
  }
}

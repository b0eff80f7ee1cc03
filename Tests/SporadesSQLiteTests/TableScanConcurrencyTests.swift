// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesSQLite
import SporadesStore
import Synchronization
import Testing

/// Tables so large that several connections read them, a stretch of keys each.
@Suite struct TableScanConcurrencyTests {
  private static let count: Int64 = 20_000

  /// Pets with the keys from 1 on, all of them of the first person.
  private func filledStore() throws -> SQLiteStore {
    var options = SQLiteStoreOptions()
    options.checkpointFrames = 50
    let store = try SQLiteStore(
      path: Sample.temporaryPath(), model: Sample.model, options: options)
    _ = try store.reserveKeys(Int(Self.count), for: Sample.shape("Pet"))
    let page = Sample.page("Pet", (1...Self.count).map { ($0, ["name": .string("Rex \($0)")]) })
    try store.execute(ChangeSet(inserted: [page]))
    try store.commit(.eventual)
    return store
  }

  private func rows(_ store: SQLiteStore, in view: StoreView) throws -> [(Int64, String?)] {
    try store.rows(StoreFetch(Sample.shape("Pet")), in: view).flatMap { page in
      (0..<page.count).map { (page.key($0).primaryKey, page.text($0, slot: Self.name)) }
    }
  }

  private static let name = Sample.shape("Pet").layout.slots.firstIndex { $0.name == "name" }!

  @Test func rowsComeOnceAndInTheOrderOfTheirKeys() throws {
    let store = try filledStore()
    let gone = (1...Self.count).filter { $0 % 7 == 0 || (4000...9000).contains($0) }
    let deleted = gone.map { DeletedRow(key: Sample.key("Pet", $0), version: 1) }
    try store.execute(ChangeSet(deleted: deleted))
    let accepted = try rows(store, in: .accepted)
    try store.commit(.eventual)
    let committed = try rows(store, in: .committed)
    let expected = Set(1...Self.count).subtracting(gone).sorted()
    #expect(committed.map(\.0) == expected)
    #expect(accepted.map(\.0) == expected)
    #expect(committed.allSatisfy { $0.1 == "Rex \($0.0)" })
    try store.close()
  }

  /// Each commit gives the first, the middle and the last row the same name: a reader that mixed two
  /// states would see different ones.
  @Test func allConnectionsShowOneState() throws {
    let store = try filledStore()
    let watched = [1, Self.count / 2, Self.count]
    let isWriting = Atomic(true)
    let failures = Atomic(0)
    let states = Guarded<Set<String>>([])
    DispatchQueue.concurrentPerform(iterations: 3) { worker in
      do {
        guard worker > 0 else {
          defer { isWriting.store(false, ordering: .relaxed) }
          for version in 2...150 {
            try store.execute(renaming(watched, to: "\(version)", version: Int64(version)))
            try store.commit(.eventual)
          }
          return
        }
        repeat {
          let names = try Set(
            rows(store, in: .committed).filter { watched.contains($0.0) }.map { $0.1 ?? "" })
          // In the beginning the names differ.
          if names.count != 1 && !names.contains("Rex 1") { failures.add(1, ordering: .relaxed) }
          states.withLock { $0.formUnion(names) }
        } while isWriting.load(ordering: .relaxed)
      } catch { failures.add(1, ordering: .relaxed) }
    }
    #expect(failures.load(ordering: .relaxed) == 0)
    #expect(states.withLock { !$0.isEmpty })
    #expect(try rows(store, in: .committed).first?.1 == "150")
    try store.close()
  }

  private func renaming(_ keys: [Int64], to name: String, version: Int64) -> ChangeSet {
    let page = Sample.page("Pet", keys.map { ($0, ["name": .string(name)]) }, version: version)
    let words = page.layout.bitWords
    let changed = Array(repeating: UInt64(1) << UInt64(Self.name), count: keys.count * words)
    return ChangeSet(updated: [UpdatedRows(page: page, changedSlots: changed)])
  }

  @Test func closingWhileOthersScanIsAnErrorOfTheirs() throws {
    let store = try filledStore()
    let strangers = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 3) { worker in
      do {
        if worker == 0 { return try store.close() }
        while true { _ = try rows(store, in: .committed) }
      } catch {
        if (error as? StoreError)?.code != .closed { strangers.add(1, ordering: .relaxed) }
      }
    }
    #expect(strangers.load(ordering: .relaxed) == 0)
  }
}

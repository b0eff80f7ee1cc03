// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
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

  /// A decimal is no plain value, and lies in a list beside the packed ones.
  @Test func valuesOfAllPartsComeInOneAnswer() throws {
    let store = try filledStore()
    let scope = StoreScope(
      identifier: store.identifier, entityNames: Sample.model.shapes.map(\.name))
    let persons = (Int64(1)...3).map { key -> (key: Int64, values: [String: Value]) in
      (key, ["name": .string("Ärna \(key)"), "wealth": .decimal(Decimal(key))])
    }
    let owned = (1...Self.count).filter { $0 % 5 != 0 }.map {
      (key: Self.count + $0, owner: $0 % 4)
    }
    _ = try store.reserveKeys(3, for: Sample.shape("Person"))
    _ = try store.reserveKeys(Int(Self.count), for: Sample.shape("Pet"))
    let pets = owned.map { key, owner -> (key: Int64, values: [String: Value]) in
      let id = ManagedObjectID(key: Sample.key("Person", owner), scope: scope)
      return (key, owner == 0 ? [:] : ["name": .string("Pet \(key)"), "owner": .objectID(id)])
    }
    try store.execute(
      ChangeSet(inserted: [Sample.page("Person", persons), Sample.page("Pet", pets)]))
    try store.commit(.eventual)
    let question = TableQuestion(
      StoreFetch(Sample.shape("Pet")),
      [.keyPath("name"), .keyPath("owner.name"), .keyPath("owner.wealth")])
    let expected =
      (1...Self.count).map { [.string("Rex \($0)"), .null, .null] }
      + owned.map { key, owner -> [Value] in
        owner == 0
          ? [.null, .null, .null]
          : [.string("Pet \(key)"), .string("Ärna \(owner)"), .decimal(Decimal(owner))]
      }
    #expect(try store.answer(question, in: .committed).rows == expected)
    #expect(try store.answer(question, in: .accepted).rows == expected)
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

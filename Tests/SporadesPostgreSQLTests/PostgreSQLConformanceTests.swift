// SPDX-License-Identifier: MIT
import Foundation
import SporadesFoundation
import SporadesModel
import SporadesPostgreSQL
import SporadesStore
import SporadesTesting
import TestServer
import Testing

/// Every rule of the store contract, and the agreement of all predicates, orders and questions with memory.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct PostgreSQLConformanceTests {
  init() { TextCollation.useFoundation() }

  @Test(arguments: StoreCheck.all, [HistoryTracking.asInFile, .on])
  func aServerConforms(to check: StoreCheck, history: HistoryTracking) throws {
    let places = Guarded<[String: TestStore]>([:])
    @Sendable func beside(_ store: any PersistentStore) throws -> any PersistentStore {
      let place = try #require(places.withLock { $0[store.identifier] })
      let other = try place.open(store.model)
      return other
    }
    try check.run(
      StoreUnderTest { model in
        let place = try TestStore()
        let store = try place.open(model) { $0.persistentHistory = history }
        places.withLock { $0[store.identifier] = place }
        return store
      } reopen: {
        try beside($0)
      } openBeside: {
        try beside($0)
      })
  }

  /// The same rows in the store in memory and on the server: every predicate finds the same.
  @Test(arguments: ["Book", "Author", "Category", "Novel"], [UInt64(1), 2, 3])
  func predicatesMeanWhatMemorySays(entity: String, seed: UInt64) throws {
    let shape = SampleLibrary.shape(entity)
    let memory = MemoryStore(model: SampleLibrary.model)
    let store = try TestStore().open(SampleLibrary.model)
    for other: any PersistentStore in [memory, store] {
      let rows = SampleLibrary.rows(seed: seed)
      rows.roundDates(to: store.datePrecision)
      try other.execute(rows)
      try other.commit(.eventual)
    }
    var generator = PredicateGenerator(shape, SampleLibrary.model, seed: seed * 77)
    for number in 0..<200 {
      let predicate = generator.next()
      let fetch = StoreFetch(shape, where: predicate)
      let expected = try memory.keys(fetch, in: .accepted)
      let found = try store.keys(fetch, in: .accepted)
      #expect(found == expected, "seed \(seed), predicate \(number): \(predicate)")
      #expect(try store.count(fetch, in: .accepted) == expected.count)
    }
  }
}

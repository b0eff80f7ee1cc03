// SPDX-License-Identifier: MIT
import SporadesFoundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// Every rule of the store contract, on a file and in memory.
@Suite struct SQLiteConformanceTests {
  init() { TextCollation.useFoundation() }

  @Test(arguments: StoreCheck.all)
  func aFileConforms(to check: StoreCheck) throws {
    try check.run(
      StoreUnderTest {
        try SQLiteStore(path: Sample.temporaryPath(), model: $0)
      } reopen: { store in
        guard let store = store as? SQLiteStore, let path = store.path else { return store }
        return try SQLiteStore(path: path, model: store.model)
      } openBeside: { store in
        try SQLiteStore(path: try #require(store.path), model: store.model)
      })
  }

  @Test(arguments: StoreCheck.all)
  func aFileWithAHistoryConforms(to check: StoreCheck) throws {
    try check.run(
      StoreUnderTest { model in
        var options = SQLiteStoreOptions()
        options.persistentHistory = .on
        return try SQLiteStore(path: Sample.temporaryPath(), model: model, options: options)
      } openBeside: { store in
        try SQLiteStore(path: try #require(store.path), model: store.model)
      })
  }

  @Test(arguments: StoreCheck.all)
  func memoryConforms(to check: StoreCheck) throws {
    try check.run(StoreUnderTest { try SQLiteStore(inMemory: $0) })
  }

  /// The same rows in the store in memory and in SQLite: every predicate finds the same.
  @Test(arguments: ["Book", "Author", "Category", "Novel"], [UInt64(1), 2, 3])
  func predicatesMeanWhatMemorySays(entity: String, seed: UInt64) throws {
    let shape = SampleLibrary.shape(entity)
    let memory = MemoryStore(model: SampleLibrary.model)
    let store = try SQLiteStore(inMemory: SampleLibrary.model)
    for other: any PersistentStore in [memory, store] {
      try other.execute(SampleLibrary.rows(seed: seed))
      try other.commit(.eventual)
    }
    var generator = PredicateGenerator(shape, SampleLibrary.model, seed: seed * 77)
    for number in 0..<400 {
      let predicate = generator.next()
      let fetch = StoreFetch(shape, where: predicate)
      let expected = try memory.keys(fetch, in: .accepted)
      let found = try store.keys(fetch, in: .accepted)
      #expect(found == expected, "seed \(seed), predicate \(number): \(predicate)")
      #expect(try store.count(fetch, in: .accepted) == expected.count)
    }
  }
}

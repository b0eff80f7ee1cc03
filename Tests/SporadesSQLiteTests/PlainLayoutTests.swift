// SPDX-License-Identifier: MIT
import SporadesCare
import SporadesModel
import SporadesSQL
import SporadesStore
import SporadesTesting
import Testing

@testable import SporadesSQLite

/// A store with other names than Core Data's: no statement names a table or column by itself.
@Suite struct PlainLayoutTests {
  @Test(arguments: StoreCheck.all)
  func aFileConforms(to check: StoreCheck) throws {
    try check.run(
      StoreUnderTest {
        try SQLiteStore(path: Sample.temporaryPath(), model: $0, layout: PlainLayout.self)
      } reopen: { store in
        guard let store = store as? SQLiteStore, let path = store.path else { return store }
        return try SQLiteStore(path: path, model: store.model, layout: PlainLayout.self)
      })
  }

  @Test(arguments: StoreCheck.all)
  func memoryConforms(to check: StoreCheck) throws {
    try check.run(
      StoreUnderTest { try SQLiteStore(path: nil, model: $0, layout: PlainLayout.self) })
  }

  @Test(arguments: ["Book", "Author", "Category", "Novel"])
  func predicatesMeanWhatMemorySays(entity: String) throws {
    let shape = SampleLibrary.shape(entity)
    let memory = MemoryStore(model: SampleLibrary.model)
    let store = try SQLiteStore(path: nil, model: SampleLibrary.model, layout: PlainLayout.self)
    for other: any PersistentStore in [memory, store] {
      try other.execute(SampleLibrary.rows(seed: 5))
      try other.commit(.eventual)
    }
    var generator = PredicateGenerator(shape, SampleLibrary.model, seed: 385)
    for number in 0..<200 {
      let predicate = generator.next()
      let fetch = StoreFetch(shape, where: predicate)
      let expected = try memory.keys(fetch, in: .accepted)
      #expect(try store.keys(fetch, in: .accepted) == expected, "\(number): \(predicate)")
      #expect(try store.count(fetch, in: .accepted) == expected.count)
    }
  }

  @Test func aFileHasThePlainNamesAndNoOthers() throws {
    let path = Sample.temporaryPath()
    let store = try SQLiteStore(path: path, model: SampleLibrary.model, layout: PlainLayout.self)
    try store.execute(SampleLibrary.rows(seed: 1))
    try store.commit(.immediate)
    #expect(try store.integrityProblems() == [])
    try store.close()
    let connection = try Connection(path: path, access: .readOnly, busyMilliseconds: 0)
    defer { connection.close() }
    let tables = try connection.rows(.tables).compactMap(\.first?.text)
    #expect(tables.contains("book"))
    #expect(tables.contains("counters"))
    let columns = try tables.flatMap { try connection.columns(of: $0) }
    #expect((tables + columns).filter { $0.hasPrefix("Z") } == [])
    #expect(try connection.columns(of: "book").prefix(3) == ["id", "entity", "version"])
  }

  @Test func removesAllRowsAndLinks() throws {
    let store = try SQLiteStore(path: nil, model: SampleLibrary.model, layout: PlainLayout.self)
    try store.execute(SampleLibrary.rows(seed: 2))
    try store.removeAllRows()
    for shape in SampleLibrary.model.shapes {
      #expect(try store.count(StoreFetch(shape), in: .accepted) == 0)
    }
    #expect(try store.integrityProblems() == [])
  }

  @Test func aFileOfOneLayoutIsRefusedByTheOther() throws {
    let path = Sample.temporaryPath()
    try SQLiteStore(path: path, model: SampleLibrary.model, layout: PlainLayout.self).close()
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(path: path, model: SampleLibrary.model)
    }
    #expect(error?.code == .corrupt)
  }

  @Test func namesThatAreWordsOfSQLAreQuoted() {
    let dialect = SQLiteDialect()
    #expect(
      ["order", "Group", "from"].map(dialect.quoted) == ["\"order\"", "\"Group\"", "\"from\""])
    #expect(dialect.quoted("two words\"") == "\"two words\"\"\"")
    #expect(["ZORDER", "Z_PK", "name"].map(dialect.quoted) == ["ZORDER", "Z_PK", "name"])
  }
}

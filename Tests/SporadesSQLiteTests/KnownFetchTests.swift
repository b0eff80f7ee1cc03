// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// Fetches of one form share a statement. The store in memory has no statements, so both must find the same.
@Suite struct KnownFetchTests {
  private let memory = MemoryStore(model: SampleLibrary.model)
  private let store: SQLiteStore

  init() throws {
    store = try SQLiteStore(inMemory: SampleLibrary.model)
    for other: any PersistentStore in [memory, store] {
      try other.execute(SampleLibrary.rows(seed: 5))
      try other.commit(.eventual)
    }
  }

  private func check(_ fetch: StoreFetch) throws {
    let expected = try memory.keys(fetch, in: .accepted)
    let description = "\(fetch.predicate.map { "\($0)" } ?? "all"), \(fetch.offset)"
    #expect(try store.keys(fetch, in: .accepted) == expected, "\(description)")
    let rows = try store.rows(fetch, in: .accepted)
      .flatMap { page in (0..<page.count).map { page.key($0) } }
    #expect(rows == expected, "\(description)")
  }

  private static let comparators: [FetchPredicate.Comparator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]

  private static let values: [(name: String, values: [Value])] = [
    ("copies", [.integer(1), .integer(3), .null, .integer(2), .double(2.5), .boolean(true)]),
    ("score", [.double(0.5), .double(.nan), .integer(4), .double(-.infinity), .null, .double(3)]),
    ("title", [.string("Emma"), .string(""), .null, .string("'\"?1"), .string("é")]),
    ("isRead", [.boolean(false), .boolean(true), .integer(1), .null]),
    (
      "published",
      [
        .date(Date(timeIntervalSinceReferenceDate: 0)),
        .date(Date(timeIntervalSinceReferenceDate: .nan)), .null,
        .date(Date(timeIntervalSinceReferenceDate: 1e8)),
      ]
    ),
    ("price", [.decimal(1), .decimal(Decimal(string: "2.5")!), .integer(3), .double(2.5), .null]),
  ]

  @Test(arguments: comparators)
  func eachFetchFindsTheRowsOfItsOwnConstant(comparator: FetchPredicate.Comparator) throws {
    let shape = SampleLibrary.shape("Book")
    for (name, values) in Self.values {
      // Twice, so that each fetch follows all others.
      for value in values + values {
        let (path, constant) = (FetchExpression.keyPath([name]), FetchExpression.constant(value))
        for predicate in [
          FetchPredicate.comparison(.init(path, comparator, constant)),
          .comparison(.init(constant, comparator, path)),
          .not(.comparison(.init(path, comparator, constant))),
        ] {
          try check(StoreFetch(shape, where: predicate))
        }
      }
    }
  }

  @Test func listsOfConditionsKeepTheOrderOfTheirConstants() throws {
    let shape = SampleLibrary.shape("Book")
    for (least, most) in [(1, 5), (5, 1), (2, 2), (0, 9)] {
      let atLeast = FetchPredicate.compare("copies", .greaterOrEqual, Int64(least))
      let atMost = FetchPredicate.compare("copies", .lessOrEqual, Int64(most))
      try check(StoreFetch(shape, where: .and([atLeast, atMost])))
      try check(StoreFetch(shape, where: .or([atMost, .not(atLeast)])))
      try check(StoreFetch(shape, where: .and([.or([atLeast, .constant(false)]), atMost])))
    }
  }

  @Test func boundsAndOrdersBelongToTheForm() throws {
    let shape = SampleLibrary.shape("Book")
    let some = FetchPredicate.compare("copies", .greater, Int64(0))
    for limit in [nil, 0, 1, 3] as [Int?] {
      for offset in [0, 1, 2, 0] {
        for terms in [[], [SortTerm("title")], [SortTerm("title", ascending: false)]] {
          for predicate in [nil, some] {
            try check(
              StoreFetch(shape, where: predicate, sortedBy: terms, limit: limit, offset: offset))
          }
        }
      }
    }
    try check(StoreFetch(shape, includesSubentities: false, where: some))
    try check(StoreFetch(SampleLibrary.shape("Novel"), where: some))
  }

  @Test func idsOfOtherEntitiesAndStoresHaveOtherForms() throws {
    let shape = SampleLibrary.shape("Book")
    let own = StoreScope(
      identifier: store.identifier, entityNames: SampleLibrary.model.shapes.map(\.name))
    let keys = try store.keys(StoreFetch(SampleLibrary.shape("Author")), in: .accepted)
    for key in keys {
      let id = ManagedObjectID(key: key, scope: own)
      let fetch = StoreFetch(shape, where: .compare("author", .equal, id))
      let found = try store.keys(fetch, in: .accepted)
      let expected = try store.related(owners: [key])
      #expect(Set(found) == expected)
    }
    let elsewhere = StoreScope(
      identifier: UUID().uuidString, entityNames: SampleLibrary.model.shapes.map(\.name))
    let first = try #require(keys.first)
    let foreign = ManagedObjectID(key: first, scope: elsewhere)
    #expect(
      try store.keys(StoreFetch(shape, where: .compare("author", .equal, foreign)), in: .accepted)
        == [])
    let shelf = RowKey(entity: SampleLibrary.shape("Shelf").number, primaryKey: first.primaryKey)
    #expect(throws: StoreError.self) {
      try store.keys(
        StoreFetch(
          shape, where: .compare("author", .equal, ManagedObjectID(key: shelf, scope: own))),
        in: .accepted)
    }
  }

  @Test func anUnfitFetchIsRefusedAfterAFitOne() throws {
    let shape = SampleLibrary.shape("Book")
    try check(StoreFetch(shape, where: .compare("copies", .equal, Int64(1))))
    for predicate: FetchPredicate in [
      .compare("copies", .equal, "1"), .compare("copys", .equal, Int64(1)),
      .compare("author", .equal, Int64(1)), .compare("categories", .equal, Int64(1)),
    ] {
      #expect(throws: StoreError.self) {
        try store.keys(StoreFetch(shape, where: predicate), in: .accepted)
      }
    }
  }

  @Test func manyFormsAtOnceTakeTurns() throws {
    let shape = SampleLibrary.shape("Book")
    for round in 0..<3 {
      for count in 1...40 {
        let parts = (0..<count % 33).map {
          FetchPredicate.compare("copies", .notEqual, Int64($0 + round))
        }
        try check(StoreFetch(shape, where: .and(parts), limit: count > 33 ? count : nil))
      }
    }
  }
}

extension SQLiteStore {
  /// The books of authors, read by their references and not by a predicate.
  fileprivate func related(owners: [RowKey]) throws -> Set<RowKey> {
    let slot = SampleLibrary.shape("Book").layout.slots.firstIndex { $0.name == "author" }
    let pages = try rows(StoreFetch(SampleLibrary.shape("Book")), in: .accepted)
    var found: Set<RowKey> = []
    for page in pages {
      for index in 0..<page.count {
        guard let slot, !page.isNull(index, slot: slot) else { continue }
        if owners.contains(RowKey(rawValue: page.word(index, slot: slot))) {
          found.insert(page.key(index))
        }
      }
    }
    return found
  }
}

// SPDX-License-Identifier: MIT
import Foundation
import SporadesContainers
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// Fetches over several stores that hold the same entities.
@Suite struct CoordinatorFetchTests {
  private static let model = SampleLibrary.model

  @Test(arguments: StoreCheck.all, [StoreMix.memory, .fileAndMemory])
  func twoStoresConform(to check: StoreCheck, mix: StoreMix) throws {
    try check.run(StoreUnderTest { try mix.coordinator($0) })
  }

  @Test(arguments: StoreCheck.all)
  func oneStoreConforms(to check: StoreCheck) throws {
    try check.run(
      StoreUnderTest {
        try PersistentStoreCoordinator(model: $0, try SQLiteStore(inMemory: $0))
      })
  }

  /// Rows of one library in the first store and of another in the second, with the same keys.
  private func library(_ mix: StoreMix) throws -> PersistentStoreCoordinator {
    let coordinator = try mix.coordinator(Self.model)
    try coordinator.execute(
      SampleLibrary.rows(seed: 9) + SampleLibrary.rows(seed: 5).inStore(1))
    return coordinator
  }

  /// The keys that a fetch without order and bounds finds in each store, as keys of the coordinator.
  private func plain(_ fetch: StoreFetch) throws -> [RowKey] {
    try [UInt64(9), 5].enumerated().flatMap { number, seed in
      let store = MemoryStore(model: Self.model)
      try store.execute(SampleLibrary.rows(seed: seed))
      return try store.keys(fetch, in: .accepted).map { $0.inStore(number) }
    }
  }

  @Test(arguments: StoreMix.allCases)
  func predicatesFindTheRowsOfAllStores(mix: StoreMix) throws {
    let coordinator = try library(mix)
    for (place, entity) in Self.model.shapes.enumerated() {
      var generator = PredicateGenerator(entity, Self.model, seed: UInt64(place))
      for _ in 0..<12 {
        let predicate = generator.next()
        let fetch = StoreFetch(entity, where: predicate)
        let expected = try plain(fetch)
        #expect(try coordinator.keys(fetch, in: .accepted) == expected, "\(predicate)")
        #expect(try coordinator.count(fetch, in: .accepted) == expected.count)
        let rows = try coordinator.rows(fetch, in: .accepted)
        #expect(rows.flatMap { page in (0..<page.count).map(page.key) } == expected)
      }
    }
  }

  /// The rows of all books as plain values, sorted by Swift.
  private func sortedBooks(_ coordinator: PersistentStoreCoordinator) throws -> [RowKey] {
    struct Book {
      let key: RowKey
      let author: String?
      let copies: Int
    }
    let book = SampleLibrary.shape("Book")
    guard case .attribute(let copies)? = book["copies"],
      case .relationship(let author)? = book["author"],
      case .reference(let slot, _) = author.storage,
      case .attribute(let name)? = SampleLibrary.shape("Author")["name"]
    else { return [] }
    var books: [Book] = []
    for page in try coordinator.rows(StoreFetch(book), in: .accepted) {
      for index in 0..<page.count {
        let authors = try page.reference(index, slot: slot).map {
          try coordinator.rows(for: [$0], in: .accepted)
        }
        books.append(
          Book(
            key: page.key(index), author: authors?.first?.text(0, slot: try #require(name.slot)),
            copies: Int(Int64(bitPattern: page.word(index, slot: try #require(copies.slot))))))
      }
    }
    func bytes(_ text: String?) -> [UInt8] { text.map { [1] + Array($0.utf8) } ?? [0] }
    return books.sorted { left, right in
      let (first, second) = (bytes(left.author), bytes(right.author))
      if first != second { return first.lexicographicallyPrecedes(second) }
      return left.copies != right.copies ? left.copies > right.copies : left.key < right.key
    }.map(\.key)
  }

  @Test(arguments: StoreMix.allCases)
  func ordersLimitsAndOffsetsEqualOneSortOfAllRows(mix: StoreMix) throws {
    let coordinator = try library(mix)
    let expected = try sortedBooks(coordinator)
    #expect(expected.count == 48)
    #expect(Set(expected.map(\.store)) == [0, 1])
    let terms = [SortTerm("author.name"), SortTerm("copies", ascending: false)]
    let bounds: [(Int?, Int)] = [
      (nil, 0), (0, 0), (5, 0), (5, 7), (1, 47), (10, 45), (3, 100), (nil, 40), (0, 40),
    ]
    for (limit, offset) in bounds {
      let fetch = StoreFetch(
        SampleLibrary.shape("Book"), sortedBy: terms, limit: limit, offset: offset)
      let part = expected.dropFirst(offset).prefix(limit ?? .max)
      #expect(
        try coordinator.keys(fetch, in: .accepted) == Array(part), "\(limit ?? -1), \(offset)")
      let rows = try coordinator.rows(fetch, in: .accepted)
      #expect(rows.flatMap { page in (0..<page.count).map(page.key) } == Array(part))
      #expect(try coordinator.count(fetch, in: .accepted) == part.count)
    }
    let unsorted = StoreFetch(SampleLibrary.shape("Book"), limit: 10, offset: 20)
    #expect(
      try coordinator.keys(unsorted, in: .accepted)
        == Array(expected.sorted().dropFirst(20).prefix(10)))
  }

  @Test(arguments: StoreMix.allCases)
  func aggregatesCoverAllRows(mix: StoreMix) throws {
    let coordinator = try mix.coordinator(Self.model)
    let one = MemoryStore(model: Self.model)
    func author(_ key: Int64, _ rating: Double?) -> RowDraft {
      RowDraft(
        "Author", key, ["name": .string("\(key)"), "rating": rating.map { .double($0) } ?? .null])
    }
    let (first, second) = (
      [author(1, 1), author(2, nil)], [author(3, 2), author(4, 6), author(5, nil)]
    )
    try coordinator.execute(
      ChangeSet(inserting: first) + ChangeSet(inserting: second).inStore(1))
    try one.execute(ChangeSet(inserting: first + second))
    let shape = SampleLibrary.shape("Author")
    for fetch in [
      StoreFetch(shape), StoreFetch(shape, where: .equals("rating", 6.0)),
      StoreFetch(shape, where: .equals("name", "none")),
      StoreFetch(shape, sortedBy: [SortTerm("name", ascending: false)], limit: 2),
      StoreFetch(shape, sortedBy: [SortTerm("name")], limit: 2, offset: 2),
    ] {
      for function in [AggregateFunction.sum, .min, .max, .average] {
        let expected = try one.aggregate(function, of: ["rating"], fetch, in: .accepted)
        #expect(
          try coordinator.aggregate(function, of: ["rating"], fetch, in: .accepted) == expected)
      }
      #expect(
        try coordinator.aggregate(.max, of: ["name"], fetch, in: .accepted)
          == one.aggregate(.max, of: ["name"], fetch, in: .accepted))
      let columns: [FetchExpression] = [
        .objectCount, .aggregate(.average, ["rating"]), .aggregate(.min, ["name"]),
        .aggregate(.sum, ["rating"]),
      ]
      for columns in [columns, [.objectCount, .objectCount]] {
        let question = TableQuestion(fetch, columns)
        #expect(
          try coordinator.answer(question, in: .accepted) == one.answer(question, in: .accepted))
      }
    }
  }

  @Test(arguments: StoreMix.allCases)
  func idsInPredicatesNameRowsOfTheirStore(mix: StoreMix) throws {
    let coordinator = try library(mix)
    let shape = SampleLibrary.shape("Author")
    for number in 0..<2 {
      let key = RowKey(entity: shape.number, primaryKey: 3, store: number)
      let id = ManagedObjectID(key: key, scope: coordinator.scope)
      let fetch = StoreFetch(
        shape, where: .comparison(.init(.subject, .equal, .constant(.objectID(id)))))
      #expect(try coordinator.keys(fetch, in: .accepted) == [key])
      let books = StoreFetch(
        SampleLibrary.shape("Book"), where: .equals("author", Value.objectID(id)))
      let found = try coordinator.keys(books, in: .accepted)
      #expect(!found.isEmpty)
      #expect(found.allSatisfy { $0.store == number })
    }
  }

  @Test(arguments: StoreMix.allCases)
  func aFetchReadsOnlyTheAffectedStores(mix: StoreMix) throws {
    let coordinator = try library(mix)
    let second = coordinator.persistentStores[1]
    var fetch = StoreFetch(SampleLibrary.shape("Book"), sortedBy: [SortTerm("title")])
    fetch.affectedStores = [second.identifier]
    #expect(try coordinator.keys(fetch, in: .accepted).allSatisfy { $0.store == 1 })
    #expect(try coordinator.count(fetch, in: .accepted) == 24)
    fetch.affectedStores = []
    #expect(try coordinator.rows(fetch, in: .accepted).isEmpty)
    #expect(try coordinator.count(fetch, in: .accepted) == 0)
    #expect(try coordinator.aggregate(.sum, of: ["copies"], fetch, in: .accepted) == .null)
  }

  @Test(arguments: StoreMix.allCases)
  func relationshipsStayInTheirStore(mix: StoreMix) throws {
    let coordinator = try library(mix)
    for (number, seed) in [UInt64(9), 5].enumerated() {
      let store = MemoryStore(model: Self.model)
      try store.execute(SampleLibrary.rows(seed: seed))
      let author = SampleLibrary.shape("Author")
      let keys = try store.keys(StoreFetch(author), in: .accepted)
      let moved = keys.map { $0.inStore(number) }
      guard case .relationship(let favourites)? = author["favourites"],
        case .relationship(let books)? = author["books"],
        case .inverseReference(let slot, let position) = books.storage
      else { return }
      let links = try coordinator.links(of: favourites, owners: moved, in: .accepted)
      let expected = try store.links(of: favourites, owners: keys, in: .accepted)
      #expect(links.map(\.other) == expected.map { $0.other.inStore(number) })
      #expect(links.map(\.owner) == expected.map { $0.owner.inStore(number) })
      let rows = try coordinator.rows(
        of: SampleLibrary.shape("Book"), referencing: moved, in: slot, position: position,
        in: .accepted)
      #expect(!rows.isEmpty)
      for page in rows {
        for index in 0..<page.count {
          #expect(page.key(index).store == number)
          #expect(page.reference(index, slot: slot)?.store == number)
        }
      }
      #expect(
        try coordinator.rows(for: moved, in: .accepted).reduce(0) { $0 + $1.count } == keys.count)
    }
  }
}

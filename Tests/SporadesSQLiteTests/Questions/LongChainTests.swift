// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// Long chains of comparisons mean in SQL what they mean in memory, and what short ones mean.
@Suite struct LongChainTests {
  private static let fillers = 150

  private func stores() throws -> [any PersistentStore] {
    let stores: [any PersistentStore] = [
      MemoryStore(model: SampleLibrary.model), try SQLiteStore(inMemory: SampleLibrary.model),
    ]
    for store in stores {
      try store.execute(SampleLibrary.rows(seed: 5))
      try store.commit(.eventual)
    }
    return stores
  }

  private func keys(_ predicate: FetchPredicate, _ store: any PersistentStore) throws -> [Int64] {
    let fetch = StoreFetch(SampleLibrary.shape("Book"), where: predicate)
    return try store.keys(fetch, in: .accepted).map(\.primaryKey).sorted()
  }

  /// Values of the attribute in the store, each twice among values that no row has.
  private func values(_ name: String, _ store: any PersistentStore) throws -> [Value] {
    let shape = SampleLibrary.shape("Book")
    guard case .attribute(let attribute)? = shape[name] else { return [] }
    let all = try store.rows(StoreFetch(shape), in: .accepted).flatMap { page in
      (0..<page.count).map { page.value($0, of: attribute) }
    }
    return all.filter { $0 != .null }.prefix(4).flatMap { [$0, $0] }
  }

  @Test(arguments: [
    "title", "copies", "pageCount", "views", "isRead", "price", "score", "published",
  ])
  func aLongChainFindsWhatAShortOneFinds(_ name: String) throws {
    let stores = try stores()
    let values = try values(name, stores[0])
    try #require(!values.isEmpty)
    let filler = FetchPredicate.equals("isbn", "no such book")
    let conditions = values.map { FetchPredicate.equals(name, $0) }
    let long = conditions + [.equals(name, nil)] + Array(repeating: filler, count: Self.fillers)
    let opposite = values.map { FetchPredicate.compare(name, .notEqual, $0) }
    let present = FetchPredicate.compare("isbn", .notEqual, "no such book")
    let longOpposite = opposite + Array(repeating: present, count: Self.fillers)
    for store in stores {
      #expect(
        try keys(.or(long), store) == keys(.or(conditions + [.equals(name, nil)]), store), "\(name)"
      )
      #expect(try keys(.or(long), store) == keys(.or(long), stores[0]), "\(name)")
      #expect(try keys(.and(longOpposite), store) == keys(.and(opposite), store), "\(name)")
      #expect(
        try keys(.not(.or(long)), store) == keys(.not(.or(long)), stores[0]), "\(name)")
    }
  }

  @Test func manyEqualitiesAreOneList() throws {
    let store = try SQLiteStore(inMemory: SampleLibrary.model)
    try store.execute(SampleLibrary.rows(seed: 5))
    let many = FetchPredicate.or((0..<16_000).map { .equals("copies", $0) })
    let all = FetchPredicate.compare("copies", .greaterOrEqual, 0)
    #expect(try keys(many, store) == keys(all, store))
    try store.close()
  }
}

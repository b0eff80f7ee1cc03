// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSearch
import SporadesStore
import SporadesTesting
import Testing

/// A store, and the store in memory with the same rows, which are asked the same questions.
struct SearchedStores {
  let store: any PersistentStore
  let reference: MemoryStore

  init(
    store: any PersistentStore, reference: MemoryStore = MemoryStore(model: SearchedLibrary.model)
  ) {
    self.store = store
    self.reference = reference
  }

  func execute(_ changes: ChangeSet) throws {
    try store.execute(changes)
    try reference.execute(changes)
  }

  func commit() throws {
    try store.commit(.eventual)
    try reference.commit(.eventual)
  }

  /// Asks searches of all entities, and compares the keys. Returns how many rows they found.
  @discardableResult
  func agree(
    _ seed: UInt64, searches: Int, in view: StoreView = .accepted,
    and referenceView: StoreView? = nil
  ) throws -> Int {
    var found = 0
    for entity in SearchedLibrary.entities {
      let names = SearchedLibrary.columns[entity] ?? []
      var samples = SearchSamples(seed: seed, columns: names)
      for _ in 0..<searches {
        let typed = samples.search()
        let fetch = StoreFetch(SearchedLibrary.shape(entity), where: .search(Search(typed)))
        found += try agree(fetch, in: view, and: referenceView, "\(entity): \(typed)")
      }
    }
    return found
  }

  /// Compares the rows of a fetch and their number. Returns how many there are.
  func agree(
    _ fetch: StoreFetch, in view: StoreView = .accepted, and referenceView: StoreView? = nil,
    _ name: String
  ) throws -> Int {
    let expected = try reference.keys(fetch, in: referenceView ?? view)
    let found = try store.keys(fetch, in: view)
    #expect(found == expected, "\(name)")
    #expect(try store.count(fetch, in: view) == expected.count, "\(name)")
    return expected.count
  }

  func agree(_ question: TableQuestion, _ name: String) throws -> Int {
    let expected = try reference.answer(question, in: .accepted).rows.spelled
    #expect(try store.answer(question, in: .accepted).rows.spelled == expected, "\(name)")
    return expected.count
  }
}

extension PersistentStore {
  /// The primary keys of the rows that a search finds, in order.
  func found(
    _ typed: String, _ entity: String = "Article", in names: [String]? = nil,
    _ view: StoreView = .accepted
  ) throws -> [Int64] {
    try found(.search(Search(typed), in: names), entity, view)
  }

  /// The primary keys of the rows that fulfil a condition, in order.
  func found(
    _ predicate: FetchPredicate, _ entity: String, _ view: StoreView = .accepted
  ) throws -> [Int64] {
    let fetch = StoreFetch(SearchedLibrary.shape(entity), where: predicate)
    return try keys(fetch, in: view).map(\.primaryKey)
  }
}

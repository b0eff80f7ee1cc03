// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Values with more bytes than SQLite takes are refused by name, before they are accepted.
@Suite struct LargeValueLimitTests {
  private let place = LargeStore()
  private let name = Sample.slot("Person", "name")

  private func store(_ kind: String) throws -> SQLiteStore {
    guard kind == "a file" else {
      var options = SQLiteStoreOptions()
      options.largestRow = 50_000
      return try SQLiteStore(inMemory: Sample.model, options: options)
    }
    return try place.open { $0.largestRow = 50_000 }
  }

  private func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? StoreError)?.code }
  }

  private func text(_ count: Int) -> Value { .string(String(repeating: "ä", count: count / 2)) }

  @Test(arguments: ["a file", "memory"])
  func aValueThatIsTooLargeIsRefusedAndNothingOfItsChangesStays(in kind: String) throws {
    let store = try store(kind)
    try store.execute(ChangeSet(inserted: [Sample.page("Person", [(1, ["name": "Ada"])])]))
    let large = Sample.page("Person", [(2, ["name": "Bo"]), (3, ["name": text(60_000)])])
    #expect(
      code { try store.execute(ChangeSet(inserted: [large])) }
        == .tooLarge(entity: "Person", property: "name"))
    let update = Sample.updates(
      Sample.page("Person", [(1, ["name": text(60_000)])], version: 2), [name])
    #expect(
      code { try store.execute(ChangeSet(updated: [update])) }
        == .tooLarge(entity: "Person", property: "name"))
    try store.commit(.eventual)
    #expect(try store.names(LargeStore.persons, name) == ["Ada"])
  }

  @Test(arguments: ["a file", "memory"])
  func aRowThatIsTooLargeIsRefused(in kind: String) throws {
    let store = try store(kind)
    let page = Sample.page(
      "Employee", [(1, ["name": text(30_000), "email": text(30_000)])])
    #expect(
      code { try store.execute(ChangeSet(inserted: [page])) }
        == .tooLarge(entity: "Employee", property: nil))
    #expect(try store.names(LargeStore.persons, name) == [])
  }

  @Test func aValueInAFileOfItsOwnHasNoLimitAndOneInMemoryHas() throws {
    let file = try store("a file")
    try file.insertPhotos(1...1)
    #expect(try file.photo(1) == LargeStore.photo(1))
    let memory = try store("memory")
    #expect(
      code { try memory.insertPhotos(1...1) } == .tooLarge(entity: "Person", property: "photo"))
  }

  @Test func aPredicateWithTooLongAValueIsRefusedAndNotAskedWithNil() throws {
    let store = try store("a file")
    try store.execute(ChangeSet(inserted: [Sample.page("Person", [(1, [:])])]))
    let fetch = StoreFetch(Sample.shape("Person"), where: .equals("name", text(60_000)))
    #expect(
      code { _ = try store.keys(fetch, in: .accepted) } == .tooLarge(entity: "", property: nil))
    #expect(
      code { _ = try store.rows(fetch, in: .accepted) } == .tooLarge(entity: "", property: nil))
    // The statement is not spoilt for the next who asks.
    let short = StoreFetch(Sample.shape("Person"), where: .equals("name", "Ada"))
    #expect(try store.keys(short, in: .accepted) == [])
  }

  @Test func sqlitesOwnLimitIsMet() throws {
    let store = try place.open()
    let page = Sample.page("Person", [(1, ["name": text(1_000_000_002)])])
    #expect(
      code { try store.execute(ChangeSet(inserted: [page])) }
        == .tooLarge(entity: "Person", property: "name"))
  }
}

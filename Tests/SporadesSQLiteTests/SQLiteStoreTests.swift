// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@Suite struct SQLiteStoreTests {
  private let name = Sample.slot("Person", "name")

  private static func stores() throws -> [SQLiteStore] {
    [
      try SQLiteStore(path: Sample.temporaryPath(), model: Sample.model),
      try SQLiteStore(inMemory: Sample.model),
    ]
  }

  private func insert(_ store: SQLiteStore, _ rows: [(key: Int64, values: [String: Value])]) throws
  {
    try store.execute(ChangeSet(inserted: [Sample.page("Person", rows)]))
  }

  @Test func returnsEveryKindOfValueAsItWasWritten() throws {
    let values: [String: Value] = [
      "name": .string("Ada"), "age": .integer(36), "height": .double(1.65),
      "wealth": .decimal(Decimal(string: "12345.6789")!), "isAdult": .boolean(true),
      "born": .date(Date(timeIntervalSinceReferenceDate: 1000)), "code": .uuid(UUID()),
      "page": .url(URL(string: "https://example.org/a")!), "email": .string(""),
      "photo": .data(Data([1, 2, 3])),
    ]
    for store in try Self.stores() {
      let page = Sample.page("Person", [(1, values), (2, [:])])
      try store.execute(ChangeSet(inserted: [page]))
      try store.commit(.immediate)
      let read = try store.rows(StoreFetch(Sample.shape("Person")), in: .committed)
      #expect(read.count == 1 && read[0].count == 2)
      for slot in page.layout.slots.indices {
        for row in 0..<2 {
          #expect(read[0].isNull(row, slot: slot) == page.isNull(row, slot: slot))
          switch page.layout.slots[slot].kind {
          case .text, .bytes, .large:
            #expect(read[0].bytes(row, slot) == page.bytes(row, slot))
          default: #expect(read[0].word(row, slot: slot) == page.word(row, slot: slot))
          }
        }
      }
    }
  }

  @Test func showsAcceptedRowsOnlyToTheAcceptedView() throws {
    for store in try Self.stores() {
      let fetch = StoreFetch(Sample.shape("Person"))
      try insert(store, [(1, ["name": "Ada"])])
      #expect(try store.count(fetch, in: .accepted) == 1)
      #expect(try store.count(fetch, in: .committed) == 0)
      #expect(try store.count(fetch, in: .accepted) == 1)
      try store.commit(.eventual)
      #expect(try store.count(fetch, in: .committed) == 1)
    }
  }

  @Test func keepsWhatWasCommitted() throws {
    let path = Sample.temporaryPath()
    let store = try SQLiteStore(path: path, model: Sample.model)
    try insert(store, [(1, ["name": "Ada"]), (2, ["name": "Bo"])])
    try store.setMetadata(
      store.metadata().merging(["mine": .list([.integer(1), .boolean(true)])]) { $1 })
    try store.commit(.eventual)
    let identifier = store.identifier
    try store.close()
    #expect(throws: StoreError.self) { try store.metadata() }
    let again = try SQLiteStore(path: path, model: Sample.model)
    #expect(again.identifier == identifier)
    #expect(try again.metadata()["mine"] == .list([.integer(1), .boolean(true)]))
    #expect(try again.names(StoreFetch(Sample.shape("Person")), name) == ["Ada", "Bo"])
    #expect(try again.integrityProblems() == [])
  }

  @Test func refusesStaleVersionsAndNamesThem() throws {
    for store in try Self.stores() {
      try insert(store, [(1, ["name": "Ada"]), (2, ["name": "Bo"])])
      let fresh = Sample.page("Person", [(1, ["name": "Eve"])], version: 2)
      try store.execute(ChangeSet(updated: [Sample.updates(fresh, [name])]))
      let error = #expect(throws: StoreError.self) {
        try store.execute(
          ChangeSet(
            inserted: [Sample.page("Person", [(3, ["name": "New"])])],
            updated: [Sample.updates(fresh, [name])],
            deleted: [DeletedRow(key: Sample.key("Person", 2), version: 7)]))
      }
      guard case .conflict(let ids)? = error?.code else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(Set(ids.map(\.key.primaryKey)) == [1, 2])
      #expect(try store.names(StoreFetch(Sample.shape("Person")), name) == ["Eve", "Bo"])
    }
  }

  @Test func handsUniqueValuesFromRowToRow() throws {
    let email = Sample.slot("Person", "email")
    for store in try Self.stores() {
      try insert(store, [(1, ["email": "a"]), (2, ["email": "b"])])
      let swap = Sample.page("Person", [(1, ["email": "b"]), (2, ["email": "a"])], version: 2)
      try store.execute(ChangeSet(updated: [Sample.updates(swap, [email])]))
      try store.execute(
        ChangeSet(
          inserted: [Sample.page("Employee", [(3, ["email": "a"])])],
          deleted: [DeletedRow(key: Sample.key("Person", 2), version: 2)]))
      let error = #expect(throws: StoreError.self) { try insert(store, [(4, ["email": "b"])]) }
      #expect(error?.code == .constraint(entity: "Person", properties: ["email"]))
      #expect(try store.names(StoreFetch(Sample.shape("Person")), email) == ["b", "a"])
    }
  }

  @Test func fetchesOneEntityOrItsFamily() throws {
    for store in try Self.stores() {
      try store.execute(
        ChangeSet(inserted: [
          Sample.page("Person", [(1, ["name": "Ada"])]),
          Sample.page("Employee", [(2, ["name": "Bo", "salary": 5])]),
        ]))
      let persons = Sample.shape("Person")
      #expect(try store.names(StoreFetch(persons), name) == ["Ada", "Bo"])
      #expect(try store.names(StoreFetch(persons, includesSubentities: false), name) == ["Ada"])
      let keys = try store.keys(StoreFetch(Sample.shape("Employee")), in: .accepted)
      #expect(keys == [Sample.key("Employee", 2)])
      let pages = try store.rows(for: [Sample.key("Person", 2)], in: .accepted)
      #expect(pages.first?.key(0) == Sample.key("Employee", 2))
    }
  }

  @Test(arguments: [1, 3, 40, 700])
  func findsRowsByTheirKeys(count: Int) throws {
    for store in try Self.stores() {
      try insert(store, (1...2000).map { (Int64($0), ["age": .integer(Int64($0))]) })
      let wanted = (0..<count).map { Int64(1 + $0 * 2) }.shuffled()
      let keys = wanted.map { Sample.key("Person", $0) } + [Sample.key("Person", 90_000)]
      let pages = try store.rows(for: keys, in: .accepted)
      let found = pages.flatMap { page in (0..<page.count).map { page.key($0).primaryKey } }
      #expect(found.sorted() == wanted.sorted())
    }
  }

  @Test func keepsLinksInOrderAndRemovesThemWithTheirObjects() throws {
    let tags = Sample.relationship("Person", "tags")
    guard case .join(let join, let isFirst) = tags.storage else { return }
    for store in try Self.stores() {
      let owner = Sample.key("Person", 1)
      let links = [3, 1, 2].enumerated().map { place, key in
        LinkChange.Link(other: Sample.key("Tag", Int64(key)), position: Int64(2048 + place * 1024))
      }
      try store.execute(
        ChangeSet(
          inserted: [
            Sample.page("Person", [(1, [:])]), Sample.page("Tag", [(1, [:]), (2, [:]), (3, [:])]),
          ],
          links: [LinkChange(join: join, isFirst: isFirst, owner: owner, added: links)]))
      #expect(
        try store.links(of: tags, owners: [owner], in: .accepted).map(\.other.primaryKey)
          == [3, 1, 2])
      try store.execute(
        ChangeSet(deleted: [DeletedRow(key: Sample.key("Tag", 1), version: 1)]))
      #expect(
        try store.links(of: tags, owners: [owner], in: .accepted).map(\.other.primaryKey) == [3, 2])
      #expect(try store.integrityProblems() == [])
    }
  }

  @Test func findsTheRowsThatReferToOwnersInTheirOrder() throws {
    let pets = Sample.shape("Pet")
    guard
      case .inverseReference(let slot, let position) = Sample.relationship("Person", "pets").storage
    else { return }
    for store in try Self.stores() {
      let scope = StoreScope(identifier: "x", entityNames: [])
      try insert(store, [(1, [:]), (2, [:])])
      let rows: [(key: Int64, values: [String: Value])] = (1...6).map { number in
        let owner = ManagedObjectID(key: Sample.key("Person", Int64(number % 2 + 1)), scope: scope)
        return (
          Int64(number), ["owner": .objectID(owner), "_owner": .integer(Int64(100 - number))]
        )
      }
      try store.execute(ChangeSet(inserted: [Sample.page("Pet", rows)]))
      let owners = [Sample.key("Person", 2), Sample.key("Person", 1)]
      let found = try store.rows(
        of: pets, referencing: owners, in: slot, position: position, in: .accepted)
      let keys = found.flatMap { page in (0..<page.count).map { page.key($0).primaryKey } }
      #expect(keys == [6, 4, 2, 5, 3, 1])
    }
  }

  @Test func neverReservesAKeyTwiceEvenForTwoStoresOnOneFile() throws {
    let path = Sample.temporaryPath()
    let first = try SQLiteStore(path: path, model: Sample.model)
    let second = try SQLiteStore(path: path, model: Sample.model)
    var seen: Set<Int64> = []
    for round in 0..<60 {
      for store in [first, second] {
        let keys = try store.reserveKeys(round + 1, for: Sample.shape("Employee"))
        #expect(keys.count == round + 1)
        #expect(seen.isDisjoint(with: keys))
        seen.formUnion(keys)
      }
    }
  }
}

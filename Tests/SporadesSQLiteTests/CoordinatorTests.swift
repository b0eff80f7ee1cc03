// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesContainers
import SporadesModel
import SporadesSQL
import SporadesStore
import SporadesTesting
import Testing

@testable import SporadesSQLite

/// A coordinator divides changes between its stores, refuses unfit stores, and adds and removes stores.
@Suite struct CoordinatorTests {
  private static let model = SampleLibrary.model

  private func author(_ key: Int64, _ name: String) -> RowDraft {
    RowDraft("Author", key, ["name": .string(name)])
  }

  private func authors(_ store: any PersistentStore, _ view: StoreView = .accepted) throws
    -> [Int64]
  {
    try store.keys(StoreFetch(SampleLibrary.shape("Author")), in: view).map(\.primaryKey)
  }

  @Test func aCoordinatorHasAName() {
    let coordinator = PersistentStoreCoordinator(model: Self.model)
    #expect(coordinator.name == nil)
    coordinator.name = "archive"
    #expect(coordinator.name == "archive")
  }

  // MARK: - All or none

  @Test(arguments: StoreMix.allCases)
  func aChangeSetThatOneStoreRefusesReachesNoStore(mix: StoreMix) throws {
    let (first, second) = try mix.stores(Self.model)
    let coordinator = try PersistentStoreCoordinator(model: Self.model, first, second)
    let book = RowDraft("Book", 1, ["title": "t", "isbn": "1", "copies": 1, "isRead": false])
    let twin = RowDraft("Book", 2, ["title": "t", "isbn": "1", "copies": 1, "isRead": false])
    try coordinator.execute(ChangeSet(inserting: [author(1, "a")]).inStore(1))
    for (good, bad) in [(0, 1), (1, 0)] {
      let refused =
        ChangeSet(inserting: [author(7, "b")]).inStore(good)
        + ChangeSet(inserting: [author(8, "c"), book, twin]).inStore(bad)
      #expect(
        coordinator.refusal(refused)?.code == .constraint(entity: "Book", properties: ["isbn"]))
      #expect(try authors(first) == [])
      #expect(try authors(second) == [1])
    }
    try coordinator.execute(
      ChangeSet(inserting: [author(7, "b")])
        + ChangeSet(inserting: [author(8, "c"), book]).inStore(1))
    #expect(try authors(first) == [7])
    #expect(try authors(second) == [1, 8])
    try coordinator.commit(.eventual)
    #expect(try authors(first, .committed) == [7])
    #expect(try authors(second, .committed) == [1, 8])
    #expect(try coordinator.integrityProblems() == [])
  }

  @Test func conflictsNameTheObjectsOfTheCoordinator() throws {
    let coordinator = try StoreMix.fileAndMemory.coordinator(Self.model)
    try coordinator.execute(ChangeSet(inserting: [author(1, "a")]).inStore(1))
    let stale = author(1, "a").changed(["name": "b"]).changed(["name": "c"])
    let error = coordinator.refusal(ChangeSet(updating: [stale]).inStore(1))
    guard case .conflict(let ids)? = error?.code else {
      Issue.record("The store reported no conflict, but \(String(describing: error))")
      return
    }
    let key = RowKey(entity: SampleLibrary.shape("Author").number, primaryKey: 1, store: 1)
    #expect(ids == [ManagedObjectID(key: key, scope: coordinator.scope)])
  }

  /// A failure of any call of the second store leaves both stores with the same rows.
  @Test func aFailureAtAnyCallLeavesBothStoresAlike() throws {
    // The first call is the commit with which a store comes to a coordinator.
    var ordinal = 1
    var faulty: FaultyStore
    repeat {
      ordinal += 1
      let (one, two) = try StoreMix.fileAndMemory.stores(Self.model)
      faulty = FaultyStore(two, failingCall: ordinal, .before)
      let coordinator = try PersistentStoreCoordinator(model: Self.model, one, faulty)
      let shape = SampleLibrary.shape("Author")
      for name in ["a", "b", "c"] {
        do throws(StoreError) {
          var changes = ChangeSet()
          for number in 0..<2 {
            let key = try coordinator.reserveKeys(1, for: shape, inStore: number).lowerBound
            changes =
              changes + ChangeSet(inserting: [author(key, name)]).inStore(number)
          }
          try coordinator.execute(changes)
          try coordinator.commit(.eventual)
        } catch {
          #expect(error.code == .io)
        }
        #expect(try authors(one).count == authors(two).count, "call \(ordinal)")
      }
      do { try coordinator.commit(.eventual) } catch { try coordinator.commit(.eventual) }
      #expect(try authors(one, .committed).count == authors(two, .committed).count)
    } while faulty.hasFailed
    #expect(ordinal == 12)
  }

  @Test func aFailedCommitDoesNotStopOtherStoresAndCanBeRepeated() throws {
    let second = MemoryStore(model: Self.model)
    // The calls of the first store are the commit with which it comes, the execution, and its commit.
    let first = FaultyStore(MemoryStore(model: Self.model), failingCall: 3, .before, code: .full)
    let coordinator = try PersistentStoreCoordinator(model: Self.model, first, second)
    try coordinator.execute(
      ChangeSet(inserting: [author(1, "a")]) + ChangeSet(inserting: [author(1, "b")]).inStore(1))
    let error = #expect(throws: StoreError.self) { try coordinator.commit(.immediate) }
    #expect(error?.code == .full)
    #expect(try authors(second, .committed) == [1])
    #expect(try authors(first, .committed) == [])
    #expect(try authors(coordinator) == [1, 1])
    try coordinator.commit(.immediate)
    #expect(try authors(coordinator, .committed) == [1, 1])
  }

  @Test(arguments: StoreMix.allCases)
  func linksAcrossStoresAreRefusedBeforeAnyStoreExecutesThem(mix: StoreMix) throws {
    let coordinator = try mix.coordinator(Self.model)
    let (first, second) = (author(1, "a"), author(2, "b"))
    try coordinator.execute(
      ChangeSet(inserting: [first]) + ChangeSet(inserting: [second]).inStore(1))
    let book = RowDraft(
      "Book", 1, ["title": "t", "copies": 1, "isRead": false], to: ["author": first])
    var page = RowPageBuilder(layout: book.shape.layout)
    page.appendCopy(of: 0, in: RowDraft.page([book]))
    guard case .relationship(let relationship)? = book.shape["author"],
      case .reference(let slot, _) = relationship.storage
    else { return }
    page.set(slot, to: second.key.inStore(1))
    let error = coordinator.refusal(ChangeSet(inserted: [page.finish()]))
    guard case .linkAcrossStores(let from, "author", let to)? = error?.code else {
      Issue.record("The coordinator did not refuse the link: \(String(describing: error))")
      return
    }
    #expect(from.key == book.key)
    #expect(to.key == second.key.inStore(1))
    #expect(error?.detail.contains("Book/p1.author leads to Author/p2") == true)
    let join = LinkChange(first, "friends", adding: [second])
    let across = LinkChange(
      join: join.join, isFirst: join.isFirst, owner: first.key,
      added: [.init(other: second.key.inStore(1))])
    guard
      case .linkAcrossStores(_, "friends", _)? = coordinator.refusal(ChangeSet(links: [across]))?
        .code
    else {
      Issue.record("The coordinator did not refuse the link.")
      return
    }
    let books = StoreFetch(book.shape)
    #expect(try coordinator.count(books, in: .accepted) == 0)
  }

  // MARK: - Adding and removing

  @Test(arguments: StoreMix.allCases)
  func rowsOfARemovedStoreAreGoneAndTheOthersStay(mix: StoreMix) throws {
    let (first, second) = try mix.stores(Self.model)
    let coordinator = try PersistentStoreCoordinator(model: Self.model, first, second)
    let changes = Guarded<[StoresChange]>([])
    coordinator.observe { change in changes.withLock { $0.append(change) } }
    let (one, two) = (author(1, "a"), author(2, "b"))
    try coordinator.execute(ChangeSet(inserting: [one]) + ChangeSet(inserting: [two]).inStore(1))
    let keys = [one.key, two.key.inStore(1)]
    #expect(try coordinator.absent(keys) == [])
    try coordinator.remove(first)
    #expect(try coordinator.absent(keys) == [one.key])
    #expect(changes.withLock { $0.map(\.removed) } == [[first.identifier]])
    #expect(try authors(coordinator) == [2])
    #expect(try coordinator.rows(for: [one.key], in: .accepted).isEmpty)
    let refusal = coordinator.refusal(ChangeSet(updating: [one.changed(["name": "x"])]))
    #expect(refusal?.code == .noStore)
    #expect(refusal?.detail.contains("Author/p1") == true)
    try coordinator.execute(ChangeSet(updating: [two.changed(["name": "x"])]).inStore(1))
    #expect(throws: StoreError.self) { try first.metadata() }
    #expect(throws: StoreError.self) { try coordinator.remove(first) }
    try coordinator.remove(second)
    #expect(throws: StoreError.self) { try authors(coordinator) }
    #expect(coordinator.persistentStores.isEmpty)
  }

  @Test func aStoreThatIsAddedAgainHasItsFormerIDs() throws {
    let path = Sample.temporaryPath()
    let coordinator = try PersistentStoreCoordinator(
      model: Self.model, MemoryStore(model: Self.model),
      SQLiteStore(path: path, model: Self.model))
    try coordinator.execute(ChangeSet(inserting: [author(1, "a")]).inStore(1))
    let key = RowKey(entity: SampleLibrary.shape("Author").number, primaryKey: 1, store: 1)
    let id = ManagedObjectID(key: key, scope: coordinator.scope)
    let uri = id.uriRepresentation()
    #expect(coordinator.managedObjectID(forURIRepresentation: uri) == id)
    #expect(coordinator.persistentStore(for: id) === coordinator.persistentStores[1])
    try coordinator.remove(coordinator.persistentStores[1])
    #expect(coordinator.managedObjectID(forURIRepresentation: uri) == nil)
    #expect(coordinator.persistentStore(for: id) == nil)
    try coordinator.addPersistentStore(MemoryStore(model: Self.model))
    try coordinator.addPersistentStore(SQLiteStore(path: path, model: Self.model))
    #expect(coordinator.managedObjectID(forURIRepresentation: uri) == id)
    #expect(try coordinator.rows(for: [key], in: .accepted).first?.key(0) == key)
  }

  @Test func storesWithEqualIdentifiersOrAnotherModelAreRefused() throws {
    let coordinator = PersistentStoreCoordinator(model: Self.model)
    let store = MemoryStore(model: Self.model)
    try coordinator.addPersistentStore(store)
    func code(_ store: any PersistentStore) -> StoreError.Code? {
      do throws(StoreError) {
        try coordinator.addPersistentStore(store)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code(store) == .unsupported)
    #expect(code(MemoryStore(model: Self.model, identifier: store.identifier)) == .unsupported)
    #expect(code(coordinator) == .unsupported)
    guard case .incompatibleModel? = code(MemoryStore(model: Sample.model)) else {
      Issue.record("The coordinator accepted a store with another model.")
      return
    }
  }

  /// A coordinator gives a number to one store only, so that a former id never names a new object.
  @Test func aCoordinatorTakesFourThousandStoresAndUsesNoNumberTwice() throws {
    let coordinator = PersistentStoreCoordinator(model: Self.model)
    let first = MemoryStore(model: Self.model)
    try coordinator.addPersistentStore(first)
    for _ in 1..<RowKey.storeLimit {
      let store = MemoryStore(model: Self.model)
      try coordinator.addPersistentStore(store)
      try coordinator.remove(store)
    }
    let error = #expect(throws: StoreError.self) {
      try coordinator.addPersistentStore(MemoryStore(model: Self.model))
    }
    #expect(error?.code == .unsupported)
    #expect(error?.detail.contains("4096") == true)
    try coordinator.remove(first)
    try coordinator.addPersistentStore(
      MemoryStore(model: Self.model, identifier: first.identifier))
    #expect(coordinator.persistentStores.count == 1)
  }

  @Test func metadataBelongsToAStore() throws {
    let coordinator = try StoreMix.fileAndMemory.coordinator(Self.model)
    let (first, second) = (coordinator.persistentStores[0], coordinator.persistentStores[1])
    try coordinator.setMetadata(["mine": .integer(2)], for: second)
    #expect(try coordinator.metadata(for: second)["mine"] == .integer(2))
    #expect(try coordinator.metadata(for: first)["mine"] == nil)
    #expect(try coordinator.metadata()["NSStoreType"] == .string("SQLite"))
    #expect(throws: StoreError.self) {
      try coordinator.metadata(for: MemoryStore(model: Self.model))
    }
  }

  // MARK: - Configurations

  private static let divided: ManagedObjectModel = {
    let (library, people) = (["Book", "Novel", "Comic", "Shelf"], ["Author", "Category"])
    // `try!`, because a mistake in this model is a mistake of the tests.
    return try! ManagedObjectModel(
      entities: SampleLibrary.model.entities,
      configurations: ["Library": library, "People": people, "Torn": ["Novel"]])
  }()

  @Test(arguments: StoreMix.allCases)
  func eachStoreHoldsTheEntitiesOfItsConfiguration(mix: StoreMix) throws {
    let model = Self.divided
    let (library, people) = try mix.stores(model, "Library", "People")
    let coordinator = try PersistentStoreCoordinator(model: model, library, people)
    func shape(_ name: String) throws -> EntityShape { try #require(model.shape(named: name)) }
    #expect(try coordinator.storeForNew(try shape("Novel")) == 0)
    #expect(try coordinator.storeForNew(try shape("Author")) == 1)
    #expect(throws: StoreError.self) { try coordinator.storeForNew(try shape("Loan")) }
    #expect(throws: StoreError.self) {
      try coordinator.keys(StoreFetch(try shape("Loan")), in: .accepted)
    }
    let novel = RowDraft(
      "Novel", 1, ["title": "t", "copies": 1, "isRead": false, "genre": "g"], of: model)
    let shelf = RowDraft("Shelf", 1, ["label": "s"], of: model)
    let author = RowDraft("Author", 1, ["name": "a"], of: model)
    let (books, persons) = (
      ChangeSet(inserting: [novel, shelf]), ChangeSet(inserting: [author]).inStore(1)
    )
    try coordinator.execute(books + persons)
    let keys = [novel.key, shelf.key, author.key.inStore(1)]
    let elsewhere = [author.key, novel.key.inStore(1), author.key.inStore(7)]
    #expect(try coordinator.absent(keys + elsewhere) == elsewhere)
    let misplaced = ChangeSet(inserting: [RowDraft("Author", 2, ["name": "b"], of: model)])
    #expect(coordinator.refusal(misplaced)?.code == .noStore)
    // A link out of a store leads to no object.
    let out = StoreFetch(try shape("Book"), where: .equals("author.name", Value.null))
    #expect(try coordinator.count(out, in: .accepted) == 1)
    let counted = FetchPredicate.comparison(
      .init(.count(["categories"]), .equal, .constant(0)))
    #expect(
      try coordinator.count(StoreFetch(try shape("Book"), where: counted), in: .accepted) == 1)
    #expect(try coordinator.count(StoreFetch(try shape("Author")), in: .accepted) == 1)
    try coordinator.commit(.immediate)
    #expect(try coordinator.integrityProblems() == [])
    try coordinator.removeAllRows()
    #expect(try coordinator.count(StoreFetch(try shape("Book")), in: .accepted) == 0)
  }

  @Test func theFileOfAConfigurationHasOnlyItsTables() throws {
    let path = Sample.temporaryPath()
    var options = SQLiteStoreOptions()
    options.configuration = "People"
    for _ in 0..<2 {
      let store = try SQLiteStore(path: path, model: Self.divided, options: options)
      let key = try store.reserveKeys(1, for: try #require(Self.divided.shape(named: "Author")))
      let draft = RowDraft("Author", key.lowerBound, ["name": "a"], of: Self.divided)
      try store.execute(ChangeSet(inserting: [draft]))
      try store.close()
    }
    let metadata = try SQLiteStore.metadata(ofStoreAt: URL(fileURLWithPath: path))
    guard case .dictionary(let hashes)? = metadata["NSStoreModelVersionHashes"] else {
      Issue.record("The metadata have no version hashes.")
      return
    }
    #expect(Set(hashes.keys) == ["Author", "Category"])
    let connection = try Connection(path: path, access: .readOnly, busyMilliseconds: 100)
    defer { connection.close() }
    let tables = try connection.rows(.tables).compactMap(\.first?.text)
    #expect(
      tables.sorted() == [
        "ZAUTHOR", "ZCATEGORY", "Z_1FRIENDS", "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY",
      ])
    let entities = try connection.rows(
      SQLStatement("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT"))
    #expect(entities.compactMap { $0[1].text } == ["Author", "Category"])
    #expect(entities.compactMap { $0[0].integer } == [1, 2])
    #expect(throws: StoreError.self) { try SQLiteStore(path: path, model: Self.divided) }
    options.configuration = "Library"
    #expect(throws: StoreError.self) {
      try SQLiteStore(path: path, model: Self.divided, options: options)
    }
  }

  @Test(arguments: ["Torn", "None"])
  func aConfigurationThatIsUnknownOrDividesATreeIsRefused(name: String) throws {
    #expect(throws: StoreError.self) {
      try MemoryStore(model: Self.divided, configuration: name)
    }
    let path = Sample.temporaryPath()
    var options = SQLiteStoreOptions()
    options.configuration = name
    #expect(throws: StoreError.self) {
      try SQLiteStore(path: path, model: Self.divided, options: options)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}

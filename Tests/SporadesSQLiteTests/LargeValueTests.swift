// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesCare
import SporadesContainers
import SporadesModel
import SporadesMoving
import SporadesStore
import SporadesTesting
import Testing

@testable import SporadesSQLite

#if canImport(Glibc)
  import Glibc
#endif

/// What becomes of values in files of their own: when they are read, when they go, and what is told
/// where they can not be read.
@Suite struct LargeValueTests {
  private let place = LargeStore()

  private func error(_ body: () throws -> Void) -> StoreError? {
    do {
      try body()
      return nil
    } catch { return error as? StoreError }
  }

  // MARK: - Reading

  @Test func aFetchReadsNoFileBeforeItsValueIsAskedFor() throws {
    let store = try place.open()
    try store.insertPhotos(1...40)
    try store.commit(.immediate)
    try FileManager.default.removeItem(at: place.folder)
    let pages = try store.rows(LargeStore.persons, in: .accepted)
    #expect(pages.reduce(0) { $0 + $1.count } == 40)
    #expect(pages[0].text(0, slot: Sample.slot("Person", "name")) == "1")
    #expect(!pages[0].isNull(0, slot: LargeStore.slot))
    #expect(throws: StoreError.self) { try pages[0].data(0, slot: LargeStore.slot) }
  }

  @Test func aMissingFileIsToldWithEntityAndAttribute() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    try store.close()
    for name in place.files { try FileManager.default.removeItem(at: place.file(name)) }
    let again = try place.open()
    let error = error { _ = try again.photo(1) }
    #expect(error?.code == .corrupt)
    #expect(error?.detail.contains("Person.photo") == true)
    #expect(try again.integrityProblems().contains { $0.contains("1 files of large values") })
  }

  @Test func aValueWhoseRowMovedOnInAnotherProcessIsAConflict() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    let page = try #require(try store.rows(LargeStore.persons, in: .accepted).first)
    // Another store of the same file stands for another process: it knows no readers but its own.
    let other = try place.open()
    try other.setPhoto(2, of: 1, version: 2)
    try other.commit(.immediate)
    let error = error { _ = try page.data(0, slot: LargeStore.slot) }
    #expect(
      error?.code == .conflict([ManagedObjectID(key: Sample.key("Person", 1), scope: scope(store))])
    )
    #expect(try store.photo(1) == LargeStore.photo(2))
  }

  private func scope(_ store: SQLiteStore) -> StoreScope {
    StoreScope(identifier: store.identifier, entityNames: Sample.model.shapes.map(\.name))
  }

  @Test func whoReadARowKeepsItsValueWhateverBecomesOfTheRow() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    var page = try store.rows(LargeStore.persons, in: .accepted).first
    try store.setPhoto(2, of: 1, version: 2)
    try store.commit(.immediate)
    #expect(place.files.count == 2)
    #expect(try page?.data(0, slot: LargeStore.slot) == LargeStore.photo(1))
    page = nil
    #expect(place.files.count == 1)
    #expect(try store.photo(1) == LargeStore.photo(2))
  }

  @Test func aGenerationKeepsTheFilesItShows() throws {
    let store = try place.open()
    try store.insertPhotos(1...2)
    try store.commit(.immediate)
    var generation: StoreGeneration? = try store.generation()
    try store.execute(
      ChangeSet(deleted: [DeletedRow(key: Sample.key("Person", 1), version: 1)]))
    try store.commit(.immediate)
    #expect(place.files.count == 2)
    let view = StoreView.generation(try #require(generation))
    #expect(try store.photo(1, in: view) == LargeStore.photo(1))
    _ = consume view
    generation = nil
    #expect(place.files.count == 1)
  }

  @Test func predicatesSeeTheValueAndNotTheNameOfItsFile() throws {
    let store = try place.open()
    try store.insertPhotos(1...3)
    try store.execute(
      ChangeSet(inserted: [Sample.page("Person", [(4, ["photo": .data(Data([1, 2]))]), (5, [:])])]))
    try store.commit(.eventual)
    func keys(_ predicate: FetchPredicate) throws -> [Int64] {
      try store.keys(StoreFetch(Sample.shape("Person"), where: predicate), in: .accepted)
        .map(\.primaryKey)
    }
    #expect(try keys(.equals("photo", LargeStore.photo(2))) == [2])
    #expect(try keys(.equals("photo", Data([1, 2]))) == [4])
    #expect(try keys(.not(.equals("photo", Value.null))) == [1, 2, 3, 4])
    for name in place.files { try FileManager.default.removeItem(at: place.file(name)) }
    // Whether there is a value is known without it.
    #expect(try keys(.equals("photo", Value.null)) == [5])
    #expect(error { _ = try keys(.equals("photo", LargeStore.photo(2))) }?.code == .io)
  }

  private func removeFiles() throws {
    for name in place.files { try FileManager.default.removeItem(at: place.file(name)) }
  }

  private static let withPhoto = StoreFetch(
    Sample.shape("Person"), where: .equals("photo", LargeStore.photo(9)))

  /// A transaction is open on the connection that writes.
  private func isWriting(_ store: SQLiteStore) -> Bool {
    var isOutside: Int32 = 1
    unsafe store.withWriter { isOutside = unsafe sqlite3_get_autocommit($0) }
    return isOutside == 0
  }

  @Test func aFileThatCanNotBeReadCostsNoTransaction() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    try store.insertPhotos(2...2)
    try removeFiles()
    #expect(isWriting(store))
    let error = error { _ = try store.keys(Self.withPhoto, in: .accepted) }
    #expect(error?.code == .io)
    #expect(error?.detail.contains("large value") == true)
    #expect(isWriting(store))
    #expect(try store.count(LargeStore.persons, in: .accepted) == 2)
  }

  @Test func aGenerationOutlivesAFileThatCanNotBeRead() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    let view = StoreView.generation(try store.generation())
    try removeFiles()
    try store.insertPhotos(2...2)
    try store.commit(.immediate)
    #expect(error { _ = try store.keys(Self.withPhoto, in: view) }?.code == .io)
    #expect(try store.count(LargeStore.persons, in: view) == 1)
    #expect(try store.count(LargeStore.persons, in: .accepted) == 2)
  }

  @Test func aGenerationWhoseTransactionSQLiteEndedShowsNoOtherState() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    let generation = try store.generation()
    let kept = try generation.state(of: store, as: KeptState.self)
    #expect(
      error { try kept.read { (connection) throws(StoreError) in try connection.run(.rollback) } }?
        .code == .io)
    try store.insertPhotos(2...2)
    try store.commit(.immediate)
    #expect(
      error { _ = try store.count(LargeStore.persons, in: .generation(generation)) }?.code == .io)
  }

  // MARK: - Writing

  @Test func aFileGoesOnlyWhenTheCommitThatDroppedItIsOnTheDisk() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    try store.setPhoto(2, of: 1, version: 2)
    #expect(place.files.count == 2)
    try store.commit(.eventual)
    // The background syncs the log and then removes the file.
    let deadline = Date.now.addingTimeInterval(3_600)
    while place.files.count > 1, Date.now < deadline { sched_yield() }
    #expect(place.files.count == 1)
    #expect(try store.photo(1) == LargeStore.photo(2))
    try store.close()
    #expect(place.files.count == 1)
  }

  @Test func aCommitThatIsTriedAgainWritesNoFileTwice() throws {
    let store = try place.open()
    try store.insertPhotos(1...3)
    let written = place.files
    #expect(written.count == 3)
    CommitRefusal.during(store) {
      for _ in 0..<5 { #expect(throws: StoreError.self) { try store.commit(.eventual) } }
    }
    #expect(place.files == written)
    #expect(try store.photo(2) == LargeStore.photo(2))
    try store.commit(.immediate)
    #expect(place.files == written)
  }

  /// Change sets that come and go give their memory to those that come after.
  @Test func aNewRowNamesNoFileOfAFormerChangeSet() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try FileManager.default.moveItem(atPath: place.path, toPath: place.path + ".away")
    #expect(error { try store.commit(.immediate) }?.code == .moved)
    try FileManager.default.moveItem(atPath: place.path + ".away", toPath: place.path)
    try store.commit(.immediate)
    for number in 2...40 { try store.insertPhotos(number...number) }
    try store.commit(.immediate)
    for number in 1...40 {
      #expect(try store.photo(Int64(number)) == LargeStore.photo(number))
    }
    #expect(place.files.count == 40)
  }

  @Test func theFilesOfAChangeSetThatIsGivenUpGo() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    let kept = place.files
    let photo = Value.data(LargeStore.photo(2))
    let changes = ChangeSet(inserted: [Sample.page("Person", [(2, ["photo": photo])])])
    try store.execute(changes)
    #expect(place.files.count == 2)
    try store.withdraw([changes])
    #expect(place.files == kept)
    #expect(try store.restoreAccepted().count == 1)
    try store.commit(.immediate)
    #expect(try store.photo(1) == LargeStore.photo(1))
  }

  @Test func aFileThatVanishedWhileNoLockWasHeldIsWrittenAgain() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    CommitRefusal.during(store) {
      #expect(throws: StoreError.self) { try store.commit(.eventual) }
    }
    for name in place.files { try FileManager.default.removeItem(at: place.file(name)) }
    try store.commit(.immediate)
    try store.close()
    #expect(try place.open().photo(1) == LargeStore.photo(1))
  }

  @Test func aDropThatIsTakenBackKeepsItsFile() throws {
    let store = try place.open()
    try store.insertPhotos(1...2)
    try store.commit(.immediate)
    let before = place.files
    let stale = DeletedRow(key: Sample.key("Person", 2), version: 9)
    #expect(throws: StoreError.self) {
      try store.execute(
        ChangeSet(deleted: [DeletedRow(key: Sample.key("Person", 1), version: 1), stale]))
    }
    try store.insertPhotos(3...3)
    try store.commit(.immediate)
    #expect(Set(place.files).isSuperset(of: before))
    #expect(place.files.count == 3)
    #expect(try store.photo(1) == LargeStore.photo(1))
  }

  @Test func aReferenceToAFileIsWrittenAsAFileOfItsOwn() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    let page = try #require(try store.rows(LargeStore.persons, in: .accepted).first)
    try store.setPhoto(2, of: 1, version: 2)
    try store.commit(.immediate)
    // As an undo does: the row is again as it was.
    var builder = RowPageBuilder(layout: page.layout)
    builder.appendRow(page.key(0), version: 3)
    let former = try #require(page.largeValue(0, slot: LargeStore.slot))
    builder.set(LargeStore.slot, to: former)
    try store.execute(
      ChangeSet(updated: [Sample.updates(builder.finish(), [LargeStore.slot])]))
    try store.commit(.immediate)
    #expect(try store.photo(1) == LargeStore.photo(1))
    try store.close()
    #expect(place.files.count == 1)
    #expect(try place.open().photo(1) == LargeStore.photo(1))
  }

  @Test func aPageEndsByItsBytes() throws {
    let store = try place.open()
    let text = Value.string(String(repeating: "x", count: 3 << 20))
    try store.execute(
      ChangeSet(
        inserted: [Sample.page("Person", (1...12).map { (Int64($0), ["name": text]) })]))
    try store.commit(.eventual)
    let pages = try store.rows(LargeStore.persons, in: .accepted)
    #expect(pages.map(\.count).reduce(0, +) == 12)
    #expect(pages.count > 1)
    #expect(pages.allSatisfy { $0.count <= 6 })
  }

  @Test func memoryStoresTakeLargeValuesOutOfTheirFiles() throws {
    let store = try place.open()
    try store.insertPhotos(1...2)
    try store.commit(.immediate)
    let memory = MemoryStore(model: Sample.model)
    try StoreMove(from: store, to: memory).run()
    try store.close()
    try FileManager.default.removeItem(at: place.root)
    let pages = try memory.rows(LargeStore.persons, in: .accepted)
    #expect(try pages.first?.data(1, slot: LargeStore.slot) == LargeStore.photo(2))
  }
}

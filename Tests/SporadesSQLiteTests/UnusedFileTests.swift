// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Files that no row names are removed, and no others.
@Suite struct UnusedFileTests {
  private let place = LargeStore()

  /// A store with two photos, closed, and beside them what a process left that was ended: a file, and
  /// a log. Returns the names of the photos' files.
  private func makeLeftovers() throws -> [String] {
    let store = try place.open()
    try store.insertPhotos(1...2)
    try store.commit(.immediate)
    try store.close()
    let named = place.files
    try LargeStore.photo(9).write(to: place.file(UUID().uuidString))
    return named
  }

  private func leaveLog() throws { try Data().write(to: URL(fileURLWithPath: place.path + "-wal")) }

  @Test func anEndThatWasNoClosingIsCleanedUpAtTheNextOpening() throws {
    let named = try makeLeftovers()
    try leaveLog()
    let store = try place.open()
    #expect(place.files == named)
    #expect(try store.photo(1) == LargeStore.photo(1) && store.photo(2) == LargeStore.photo(2))
  }

  @Test func aStoreThatWasClosedIsNotLookedThrough() throws {
    _ = try makeLeftovers()
    let store = try place.open()
    #expect(place.files.count == 3)
    #expect(try store.removeUnusedFiles() == 1)
    #expect(place.files.count == 2)
  }

  @Test func whileAnotherHasTheStoreOpenItsFilesStay() throws {
    _ = try makeLeftovers()
    let other = try place.open()
    // Accepted and not committed: its row is nobody's to see.
    try other.insertPhotos(3...3)
    let store = try place.open { $0.busyMilliseconds = 1 }
    #expect(place.files.count == 4)
    try other.commit(.immediate)
    #expect(try store.removeUnusedFiles() == 1)
    #expect(place.files.count == 3)
    #expect(try other.photo(3) == LargeStore.photo(3))
  }

  @Test func whatIsAcceptedAndWhatAReaderHoldsStays() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    let page = try #require(try store.rows(LargeStore.persons, in: .accepted).first)
    try store.setPhoto(2, of: 1, version: 2)
    #expect(try store.removeUnusedFiles() == 0)
    #expect(place.files.count == 2)
    try store.commit(.immediate)
    #expect(try store.removeUnusedFiles() == 0)
    #expect(try page.data(0, slot: LargeStore.slot) == LargeStore.photo(1))
    try CommitRefusal.during(store) {
      try store.setPhoto(3, of: 1, version: 3)
      #expect(throws: StoreError.self) { try store.commit(.eventual) }
      #expect(try store.removeUnusedFiles() == 0)
    }
    try store.commit(.immediate)
    #expect(try store.photo(1) == LargeStore.photo(3))
  }

  /// The last page that shows a former value may go on any thread, and the store must not close before that thread has
  /// removed the file: nobody looks for it later.
  @Test func aClosingStoreWaitsForTheRemovalsOfOtherThreads() throws {
    for round in 0..<200 {
      let place = LargeStore()
      let store = try place.open()
      try store.insertPhotos(1...1)
      try store.commit(.eventual)
      let pages = Guarded(try store.rows(LargeStore.persons, in: .accepted))
      try store.setPhoto(2, of: 1, version: 2)
      try store.commit(round % 2 == 0 ? .eventual : .immediate)
      let left = DispatchGroup()
      DispatchQueue.global().async(group: left) { pages.withLock { $0 = [] } }
      try store.close()
      left.wait()
      #expect(place.files.count == 1, "round \(round)")
    }
  }

  @Test func filesThatOtherColumnsNameAndWhatIsNoValueStay() throws {
    let named = try makeLeftovers()
    let mine = UUID().uuidString
    try Data([1]).write(to: place.file(mine))
    let digits = mine.utf8.map { String(format: "%02x", $0) }.joined()
    place.sql("CREATE TABLE mine (what); INSERT INTO mine VALUES (x'02\(digits)00')")
    try Data([2]).write(to: place.file("notes.txt"))
    try leaveLog()
    _ = try place.open()
    #expect(place.files == (named + [mine, "notes.txt"]).sorted())
  }

  @Test func closingTakesWhatReadersStillHeld() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    let page = try #require(try store.rows(LargeStore.persons, in: .accepted).first)
    try store.setPhoto(2, of: 1, version: 2)
    try store.close()
    #expect(place.files.count == 1)
    #expect(throws: StoreError.self) { try page.data(0, slot: LargeStore.slot) }
  }

  // MARK: - Other stores

  @Test func theFilesOfAnotherStoreOfTheSameStemStay() throws {
    _ = try makeLeftovers()
    let path = place.root.appendingPathComponent("Store.db").path
    let other = try SQLiteStore(path: path, model: Sample.model)
    try other.insertPhotos(3...3)
    try other.commit(.immediate)
    try leaveLog()
    let store = try place.open()
    #expect(place.files.count == 4)
    let error = #expect(throws: StoreError.self) { try store.removeUnusedFiles() }
    #expect(error?.code == .unsupported)
    #expect(error?.detail.contains("Store.db") == true)
    #expect(try other.photo(3) == LargeStore.photo(3))
    try other.close()
    try SQLiteStore.destroy(storeAt: URL(fileURLWithPath: path))
    // A folder is no store.
    try FileManager.default.createDirectory(
      at: place.root.appendingPathComponent("Store"), withIntermediateDirectories: false)
    #expect(try store.removeUnusedFiles() == 1)
    #expect(try store.photo(1) == LargeStore.photo(1) && store.photo(2) == LargeStore.photo(2))
  }

  @Test func aCopyInTheSameFolderOfLargeValuesIsRefused() throws {
    let store = try place.open()
    let copy = place.root.appendingPathComponent("Store.backup")
    try store.copy(to: copy.path)
    try SQLiteStore.destroy(storeAt: copy)
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    let error = #expect(throws: StoreError.self) { try store.copy(to: copy.path) }
    #expect(error?.code == .unsupported)
    try store.close()
    let origin = URL(fileURLWithPath: place.path)
    let refusal = #expect(throws: StoreError.self) {
      try SQLiteStore.replace(storeAt: copy, withStoreFrom: origin)
    }
    #expect(refusal?.code == .unsupported)
    let left = try FileManager.default.contentsOfDirectory(atPath: place.root.path)
    #expect(left.allSatisfy { !$0.hasPrefix("Store.backup") })
    #expect(try place.open().photo(1) == LargeStore.photo(1))
  }

  @Test func theFilesOfAStoreThatWasPutInTheirPlaceStay() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    let source = LargeStore()
    let other = try source.open()
    try other.insertPhotos(5...5)
    try other.commit(.immediate)
    try other.close()
    let name = try #require(source.files.first)
    try FileManager.default.copyItem(at: source.file(name), to: place.file(name))
    try #require(unsafe rename(source.path, place.path) == 0)
    let error = #expect(throws: StoreError.self) { try store.removeUnusedFiles() }
    #expect(error?.code == .moved)
    #expect(place.files.contains(name))
  }

  @Test func whatWasGivenUpWhileTheStoreWasAwayGoesWhenItIsBack() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    try FileManager.default.moveItem(atPath: place.path, toPath: place.path + ".away")
    #expect(throws: StoreError.self) { try store.insertPhotos(1...1) }
    #expect(place.files.count == 2)
    try FileManager.default.moveItem(atPath: place.path + ".away", toPath: place.path)
    try store.insertPhotos(2...2)
    try store.commit(.immediate)
    #expect(place.files.count == 2)
    #expect(try store.photo(1) == LargeStore.photo(1) && store.photo(2) == LargeStore.photo(2))
  }

  @Test func removingAllRowsLeavesFilesThatOtherTablesName() throws {
    let store = try place.open()
    try store.insertPhotos(1...2)
    try store.commit(.immediate)
    place.sql(
      "CREATE TABLE mine (what BLOB); INSERT INTO mine SELECT ZPHOTO FROM ZPERSON WHERE Z_PK = 1")
    try store.removeAllRows()
    #expect(place.files.count == 1)
    let left = try #require(place.files.first)
    #expect(try Data(contentsOf: place.file(left)) == LargeStore.photo(1))
  }
}

// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

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
}

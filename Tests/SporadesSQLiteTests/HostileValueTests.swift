// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Files and folders of large values that somebody else has made: nothing outside is read, written or
/// removed, and nothing waits for ever.
@Suite struct HostileValueTests {
  private let place = LargeStore()
  private static let names = [
    // 36 bytes each.
    "../../../../../../../../tmp/victim.tx",
    "../../victim0000000000000000000000.tx", "/tmp/victim0000000000000000000000.txt",
    "01234567-89ab-cdef-0123-456789abcdef", "012345678-9AB-CDEF-0123-456789ABCDEF",
    "01234567-89AB-CDEF-0123-456789ABCDE/", "GGGGGGGG-89AB-CDEF-0123-456789ABCDEF",
  ].map { String($0.prefix(36)) }

  private func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? StoreError)?.code }
  }

  /// A store whose first person names a file as told.
  private func make(naming name: String) throws -> SQLiteStore {
    let store = try place.open()
    try store.insertPhotos(1...2)
    try store.close()
    place.name(name, for: 1)
    return try place.open()
  }

  @Test(arguments: names)
  func aNameThatIsNoUUIDLeadsNowhere(_ name: String) throws {
    let victim = place.root.appendingPathComponent("victim0000000000000000000000.tx")
    try Data("mine".utf8).write(to: victim)
    let store = try make(naming: name)
    let error = #expect(throws: StoreError.self) { try store.photo(1) }
    #expect(error?.code == .corrupt)
    #expect(error?.detail.contains("Person.photo") == true)
    #expect(error?.detail.contains(name) == false)
    #expect(try store.photo(2) == LargeStore.photo(2))
    // Neither a change nor a deletion follows it.
    try store.setPhoto(3, of: 1, version: 2)
    try store.commit(.immediate)
    try store.execute(
      ChangeSet(deleted: [DeletedRow(key: Sample.key("Person", 1), version: 2)]))
    try store.commit(.immediate)
    try store.close()
    #expect(try Data(contentsOf: victim) == Data("mine".utf8))
    place.name(name, for: 2)
    try SQLiteStore.destroy(storeAt: URL(fileURLWithPath: place.path))
    #expect(try Data(contentsOf: victim) == Data("mine".utf8))
  }

  @Test(arguments: names)
  func aCopyFollowsNoName(_ name: String) throws {
    let store = try make(naming: name)
    let target = place.root.appendingPathComponent("copies/Copy.sqlite")
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try store.copy(to: target.path)
    try store.close()
    try SQLiteStore.replace(storeAt: target, withStoreFrom: URL(fileURLWithPath: place.path))
    let copies = FileManager.default.subpaths(atPath: target.deletingLastPathComponent().path) ?? []
    let values = copies.filter { $0.hasPrefix(".Copy_SUPPORT/_EXTERNAL_DATA/") }
    #expect(values.count == 1)
    #expect(copies.allSatisfy { $0.hasPrefix("Copy.sqlite") || $0.hasPrefix(".Copy_SUPPORT") })
  }

  @Test(arguments: ["a link", "a pipe", "a folder"])
  func whatIsNoFileIsNotRead(_ kind: String) throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.close()
    let file = place.file(try #require(place.files.first))
    let other = place.root.appendingPathComponent("other")
    try FileManager.default.moveItem(at: file, to: other)
    switch kind {
    case "a link": try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
    case "a pipe": #expect(unsafe mkfifo(file.path, 0o600) == 0)
    default:
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    }
    let again = try place.open()
    #expect(code { _ = try again.photo(1) } == .io)
  }

  @Test(arguments: [".Store_SUPPORT", ".Store_SUPPORT/_EXTERNAL_DATA"])
  func aFolderThatIsALinkIsNotEntered(_ name: String) throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    let folder = place.root.appendingPathComponent(name)
    let elsewhere = place.root.appendingPathComponent("elsewhere")
    try FileManager.default.moveItem(at: folder, to: elsewhere)
    try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
    let before = FileManager.default.subpaths(atPath: elsewhere.path)
    let again = try place.open()
    #expect(code { _ = try again.photo(1) } == .io)
    #expect(code { try again.insertPhotos(2...2) } == .io)
    #expect(FileManager.default.subpaths(atPath: elsewhere.path) == before)
  }

  @Test func onlyTheOwnerCanReadWhatIsWritten() throws {
    let mask = umask(0)
    defer { umask(mask) }
    let store = try place.open()
    try store.insertPhotos(1...1)
    func mode(_ url: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }
    #expect(try mode(place.support) == 0o700)
    #expect(try mode(place.folder) == 0o700)
    #expect(try mode(place.file(#require(place.files.first))) == 0o600)
    try store.commit(.immediate)
    let copy = place.root.appendingPathComponent("Copy.sqlite")
    try store.copy(to: copy.path)
    let values = place.root.appendingPathComponent(".Copy_SUPPORT/_EXTERNAL_DATA")
    #expect(try mode(values) == 0o700)
    let name = try #require(place.files.first)
    #expect(try mode(values.appendingPathComponent(name)) == 0o600)
  }

  @Test func aCopyThatWasCutShortIsNotTakenForTheValue() throws {
    let store = try place.open()
    try store.insertPhotos(1...1)
    try store.close()
    let name = try #require(place.files.first)
    let target = place.root.appendingPathComponent("Copy.sqlite")
    let values = place.root.appendingPathComponent(".Copy_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: values, withIntermediateDirectories: true)
    try Data([1, 2, 3]).write(to: values.appendingPathComponent(name))
    try SQLiteStore.replace(storeAt: target, withStoreFrom: URL(fileURLWithPath: place.path))
    #expect(try SQLiteStore(url: target, model: Sample.model).photo(1) == LargeStore.photo(1))
  }
}

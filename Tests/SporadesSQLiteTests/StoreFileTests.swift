// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQL
import SporadesStore
import Testing

@testable import SporadesSQLite

/// Files of stores that others may have open, and what is left beside them.
@Suite struct StoreFileTests {
  private func store(_ path: String, _ name: String) throws {
    let store = try SQLiteStore(path: path, model: Sample.model)
    try store.execute(ChangeSet(inserted: [Sample.page("Person", [(1, ["name": .string(name)])])]))
    try store.close()
  }

  private func names(_ path: String) throws -> [String?] {
    let store = try SQLiteStore(path: path, model: Sample.model)
    defer { try? store.close() }
    return try store.names(StoreFetch(Sample.shape("Person")), Sample.slot("Person", "name"))
  }

  @Test func aFileLiesInTheFolderThatItsPathNames() {
    #expect(SystemFile.folder(of: "/data/app/Store.sqlite") == "/data/app")
    #expect(SystemFile.folder(of: "/Store.sqlite") == "/")
    #expect(SystemFile.folder(of: "app/Store.sqlite") == "app")
    #expect(SystemFile.folder(of: "Store.sqlite") == ".")
    #expect(SystemFile.folder(of: "/data/\u{301}Store.sqlite") == "/data")
  }

  /// A connection of its own, which no store stands for, is what another process has.
  @Test func aStoreThatSomebodyElseHasOpenIsLeftAlone() throws {
    let (path, source) = (Sample.temporaryPath(), Sample.temporaryPath())
    try store(path, "old")
    try store(source, "new")
    let other = try Connection(path: path, access: .readWrite, busyMilliseconds: 0)
    _ = try other.number(SQLStatement("SELECT COUNT(*) FROM ZPERSON"))
    let (url, new) = (URL(fileURLWithPath: path), URL(fileURLWithPath: source))
    for body: () throws -> Void in [
      { try SQLiteStore.destroy(storeAt: url) },
      { try SQLiteStore.replace(storeAt: url, withStoreFrom: new) },
    ] {
      let error = #expect(throws: StoreError.self) { try body() }
      #expect(error?.code == .busy)
      #expect(error?.detail.contains("another process") == true)
    }
    #expect(try other.number(SQLStatement("SELECT COUNT(*) FROM ZPERSON")) == 1)
    other.close()
    #expect(try names(path) == ["old"])
    try SQLiteStore.replace(storeAt: url, withStoreFrom: new)
    #expect(try names(path) == ["new"])
    try SQLiteStore.destroy(storeAt: url)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// A process that opened the store between the removal of its log and the rename would lose what it writes.
  @Test func nobodyElseOpensAStoreThatIsBeingReplaced() throws {
    let path = Sample.temporaryPath()
    try store(path, "old")
    let file = try StoreFile(path)
    let error = #expect(throws: StoreError.self) {
      _ = try file.settle { () throws(StoreError) in
        let other = try Connection(path: path, access: .readWrite, busyMilliseconds: 0)
        defer { other.close() }
        _ = try other.number(SQLStatement("SELECT COUNT(*) FROM ZPERSON"))
      }
    }
    #expect(error?.code == .busy)
    #expect(try names(path) == ["old"])
  }

  /// Two copies to one place share the files of large values there, and the one that fails removes its files.
  @Test func onlyOneCopyToAPlaceIsUnderWay() throws {
    let path = Sample.temporaryPath()
    let other = URL(fileURLWithPath: path).deletingPathExtension().path + ".other"
    try withExtendedLifetime(CopyDestination(path, replacing: false)) { _ in
      for place in [path, SystemFile.folder(of: path) + "/./Store.sqlite", other] {
        let error = #expect(throws: StoreError.self) {
          _ = try CopyDestination(place, replacing: true)
        }
        #expect(error?.code == .busy, "\(place)")
        #expect(error?.detail.contains(place) == true)
      }
    }
    _ = try CopyDestination(path, replacing: false)
  }

  @Test func aLogThatWasLeftBehindIsNotTakenForTheCopys() throws {
    let (path, source) = (Sample.temporaryPath(), Sample.temporaryPath())
    try store(source, "new")
    let left = Sample.temporaryPath()
    let store = try SQLiteStore(path: left, model: Sample.model)
    try store.execute(
      ChangeSet(inserted: [Sample.page("Person", [(1, ["name": .string("left")])])]))
    try store.commit(.immediate)
    try FileManager.default.copyItem(atPath: left + "-wal", toPath: path + "-wal")
    try SQLiteStore.replace(
      storeAt: URL(fileURLWithPath: path), withStoreFrom: URL(fileURLWithPath: source))
    #expect(try names(path) == ["new"])
    try store.close()
  }
}

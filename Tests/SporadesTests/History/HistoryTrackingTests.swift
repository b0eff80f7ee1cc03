// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory
import SporadesTesting
import Testing

/// The option that turns a history on and off.
@Suite struct HistoryTrackingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ tracking: HistoryTracking) throws -> SQLiteStore {
    var options = SQLiteStoreOptions()
    options.persistentHistory = tracking
    return try SQLiteStore(
      path: folder.file("log.sqlite").path, model: Logbook.model(), options: options)
  }

  private func addNote(_ store: SQLiteStore) throws {
    let stack = DataStack(store: store, classes: Logbook.classes)
    try stack.save { _ = LoggedNote.create(in: $0) }
    #expect(stack.root.commit(.eventual) == nil)
  }

  @Test func aNewFileHasNoneUnlessItIsTurnedOn() throws {
    let store = try open(.asInFile)
    #expect(!store.keepsHistory)
    try store.close()
  }

  @Test func anExistingFileGetsOneAndKeepsIt() throws {
    var store = try open(.asInFile)
    try addNote(store)
    try store.close()
    store = try open(.on)
    #expect(store.keepsHistory)
    #expect(try store.history(HistoryRange()).isEmpty)
    try addNote(store)
    try store.close()
    store = try open(.asInFile)
    #expect(store.keepsHistory)
    try addNote(store)
    #expect(try store.history(HistoryRange()).map { $0.changes?.count } == [1, 1])
    try store.close()
  }

  @Test func turnedOffAFileWithAHistoryIsReadOnly() throws {
    var store = try open(.on)
    try addNote(store)
    try store.close()
    store = try open(.off)
    #expect(store.isReadOnly)
    let stack = DataStack(store: store, classes: Logbook.classes)
    #expect(try stack.newContext().performAndWait { try LoggedNote.all(in: $0).count } == 1)
    let error = #expect(throws: StoreError.self) {
      try store.setMetadata([:])
    }
    #expect(error?.code == .readOnly)
    #expect(error?.detail.contains("persistentHistory = .off") == true)
    try store.close()
  }

  @Test func turnedOffAFileWithoutAHistoryIsWritten() throws {
    let store = try open(.off)
    #expect(!store.isReadOnly)
    try addNote(store)
    try store.close()
    let again = try open(.off)
    #expect(!again.isReadOnly)
    try again.close()
  }

  /// Another process, or another opening in this one, turns the history on while the store is open.
  @Test func aHistoryThatBeginsLaterIsWritten() throws {
    let early = try open(.asInFile)
    try addNote(early)
    let late = try open(.on)
    try addNote(early)
    #expect(try late.history(HistoryRange()).map { $0.changes?.count } == [1])
    try early.close()
    try late.close()
  }

  @Test func removingAllRowsIsATransaction() throws {
    for store in [try open(.on), MemoryStore(model: try Logbook.model(), keepsHistory: true)]
      as [any PersistentStore]
    {
      let stack = DataStack(store: store, classes: Logbook.classes)
      try stack.save { context in
        for number in 1...3 { LoggedNote.create(in: context).key = number }
        LoggedFolder.create(in: context).name = "f"
      }
      try stack.root.removeAllRows(keepingCopyAt: nil)
      let last = try #require(try stack.history().last)
      #expect(
        last.changes?.map(\.line).sorted()
          == ["delete LoggedFolder"] + Array(repeating: "delete LoggedNote", count: 3))
      let keys = (last.changes ?? []).compactMap { $0.tombstone?["key"] }
      #expect(keys == [.integer(1), .integer(2), .integer(3)])
      try store.close()
    }
  }

  /// The migrator's transaction names the former version, as Core Data's does.
  @Test func aMigrationIsATransaction() throws {
    let store = try open(.on)
    try addNote(store)
    let digest = try #require(store.model.versionHashesDigest(inConfiguration: nil))
    try store.close()
    var entities = store.model.entities
    entities[0].attributes.append(AttributeDescription("extra", .string, isOptional: true))
    let newer = try SQLiteStore(
      path: folder.file("log.sqlite").path, model: ManagedObjectModel(entities: entities))
    let all = try newer.history(HistoryRange())
    #expect(all.count == 2)
    #expect(
      all.last?.author
        == "com.apple.coredata.schemamigrator: lightweight migration from model with digest { \(digest) }"
    )
    #expect(all.last?.changes?.isEmpty == true)
    try newer.close()
  }
}

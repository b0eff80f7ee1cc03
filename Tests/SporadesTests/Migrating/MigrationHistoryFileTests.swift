// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesHistory
import SporadesXcode
import Testing

/// What becomes of a file's history when a mapping model makes another file of it.
@Suite struct MigrationHistoryFileTests {
  private let folder: MigrationFolder
  private let url: URL
  private let old: ManagedObjectModel
  private let new: ManagedObjectModel

  init() throws {
    folder = try MigrationFolder()
    url = folder.url.appendingPathComponent("shop.sqlite")
    func item(_ more: [AttributeDescription]) -> EntityDescription {
      EntityDescription("Item", attributes: [.init("name", .string)] + more)
    }
    old = try ManagedObjectModel(entities: [item([])])
    new = try ManagedObjectModel(entities: [item([.init("length", .integer64, defaultValue: 0)])])
  }

  private func open(_ model: ManagedObjectModel, _ tracking: HistoryTracking) throws -> SQLiteStore
  {
    var options = SQLiteStoreOptions()
    options.persistentHistory = tracking
    return try SQLiteStore(url: url, model: model, options: options)
  }

  /// Saves some items, each in a transaction of its own.
  private func fill(_ tracking: HistoryTracking) throws {
    let store = try open(old, tracking)
    for number in 1...3 {
      try withObjects(of: store) { try $0.add("Item", ["name": .string("I\(number)")]) }
      try store.commit(.immediate)
    }
    if store.keepsHistory {
      try store.confirmHistory(HistoryReader(name: "mirror", number: 2, confirmedAt: Date()))
    }
    try store.close()
  }

  private func migrate() throws {
    try MigrationManager(source: old, destination: new)
      .migrateStore(from: url, with: .inferred(from: old, to: new))
  }

  @Test func theHistoryBeginsAnewBehindTheFormerOne() throws {
    try fill(.on)
    try migrate()
    let store = try open(new, .asInFile)
    #expect(store.keepsHistory)
    #expect(try store.historyEnds() == HistoryEnds(deleted: 4, last: 4))
    #expect(try store.historyReaders().map { "\($0.name) \($0.number)" } == ["mirror 2"])
    // Also the reader that knew the whole history has missed the migration.
    for known: Int64 in [0, 2, 3] {
      let error = #expect(throws: StoreError.self) {
        try store.history(HistoryRange(after: known))
      }
      #expect(error?.code == .historyExpired)
    }
    try withObjects(of: store) { try $0.add("Item", ["name": "I4"]) }
    try store.commit(.immediate)
    let later = try store.history(HistoryRange(after: 4))
    #expect(later.map(\.transactionNumber) == [5])
    #expect(later.first?.changes?.map(\.changeID) == [4])
    #expect(try store.integrityProblems() == [])
    try store.close()
  }

  @Test func aFileWithoutAHistoryGetsNone() throws {
    try fill(.asInFile)
    try migrate()
    let store = try open(new, .asInFile)
    #expect(!store.keepsHistory)
    try store.close()
  }
}

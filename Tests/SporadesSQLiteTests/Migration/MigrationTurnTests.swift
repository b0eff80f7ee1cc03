// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// A migration waits for its turn, and others notice it.
@Suite struct MigrationTurnTests {
  private let path = Sample.temporaryPath()

  private func newer() throws -> ManagedObjectModel {
    var entities = Sample.model.entities
    entities.append(
      EntityDescription(
        "Album", attributes: [AttributeDescription("title", .string, isOptional: true)]))
    return try ManagedObjectModel(entities: entities)
  }

  private func makeStore() throws {
    let store = try SQLiteStore(path: path, model: Sample.model)
    try store.execute(ChangeSet(inserted: [Sample.page("Pet", [(1, [:]), (2, [:])])]))
    try store.close()
  }

  @Test(arguments: ["WAL", "DELETE"]) func itWaitsAsLongAsItMay(_ mode: String) throws {
    try makeStore()
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    try #require(
      unsafe sqlite3_exec(database, "PRAGMA journal_mode = \(mode); BEGIN IMMEDIATE", nil, nil, nil)
        == SQLITE_OK)
    var options = SQLiteStoreOptions()
    options.migration.patienceMilliseconds = 50
    let model = try newer()
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(path: path, model: model, options: options)
    }
    #expect(error?.code == .busy)
    #expect(error?.detail.contains("patienceMilliseconds") == true, "\(String(describing: error))")
    try #require(unsafe sqlite3_exec(database, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
    let store = try SQLiteStore(path: path, model: model, options: options)
    let pets = StoreFetch(try #require(store.model.shape(named: "Pet")))
    #expect(try store.rows(pets, in: .committed).reduce(0) { $0 + $1.count } == 2)
    try store.close()
  }

  /// The wait is longer than `busyMilliseconds` allows other requests.
  @Test func itWaitsLongerThanAnyRequest() async throws {
    try makeStore()
    let first = try SQLiteStore(path: path, model: Sample.model)
    try first.execute(ChangeSet(inserted: [Sample.page("Pet", [(3, [:])])]))
    var options = SQLiteStoreOptions()
    options.busyMilliseconds = 0
    let (path, model, settings) = (path, try newer(), options)
    let begun = Guarded(false)
    async let migrated = Task.detached {
      begun.withLock { $0 = true }
      return try SQLiteStore(path: path, model: model, options: settings)
    }.value
    while !begun.withLock({ $0 }) { await Task.yield() }
    try first.commit(.immediate)
    let second = try await migrated
    let pets = StoreFetch(try #require(model.shape(named: "Pet")))
    #expect(try second.rows(pets, in: .committed).reduce(0) { $0 + $1.count } == 3)
    let error = #expect(throws: StoreError.self) {
      try first.rows(StoreFetch(Sample.shape("Pet")), in: .committed)
    }
    #expect(error?.code == .modelChanged)
    try first.close()
    try second.close()
  }

  /// Only hashes differ. No table changes, and yet an open store must notice.
  @Test func aMigrationWithoutChangedTablesIsNoticed() throws {
    try makeStore()
    let first = try SQLiteStore(path: path, model: Sample.model)
    let pets = StoreFetch(Sample.shape("Pet"))
    #expect(try first.rows(pets, in: .committed).count == 1)
    var entities = Sample.model.entities
    let place = try #require(entities.firstIndex { $0.name == "Tag" })
    entities[place].versionHashModifier = "2"
    let model = try ManagedObjectModel(entities: entities)
    try SQLiteStore.migrate(storeAt: URL(fileURLWithPath: path), to: model)
    let error = #expect(throws: StoreError.self) { try first.rows(pets, in: .committed) }
    #expect(error?.code == .modelChanged)
    try first.close()
    try SQLiteStore(path: path, model: model).close()
  }
}

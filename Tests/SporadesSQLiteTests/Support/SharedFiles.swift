// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesContainers
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// The files of several stores with persons, pets and tags.
struct SharedFiles {
  private let paths = (0..<3).map { _ in Sample.temporaryPath() }

  func path(_ place: Int) -> String { paths[place] }

  func open(
    _ count: Int, busyMilliseconds: Int = 5_000, history: Bool = false
  ) throws -> [SQLiteStore] {
    try (0..<count).map { try open(at: $0, busyMilliseconds: busyMilliseconds, history: history) }
  }

  func open(
    at place: Int, busyMilliseconds: Int = 5_000, history: Bool = false, isReadOnly: Bool = false
  ) throws -> SQLiteStore {
    var options = SQLiteStoreOptions()
    options.busyMilliseconds = busyMilliseconds
    options.isReadOnly = isReadOnly
    if history { options.persistentHistory = .on }
    return try SQLiteStore(path: paths[place], model: Sample.model, options: options)
  }

  // MARK: - Change sets

  /// Inserts the person with the key in each of the stores.
  func person(_ key: Int, in places: Int..., photo: Data? = nil) -> ChangeSet {
    let page = Sample.page(
      "Person",
      [(Int64(key), ["name": .string("p\(key)"), "photo": photo.map(Value.data) ?? .null])])
    return ChangeSet(
      inserted: places.map { $0 == 0 ? page : page.moved(toStore: $0) }, author: "shared")
  }

  /// Renames the person with the key in one store, from the version before.
  func rename(_ key: Int64, _ name: String, version: Int64 = 2) -> ChangeSet {
    ChangeSet(updated: [
      Sample.updates(
        Sample.page("Person", [(key, ["name": .string(name)])], version: version),
        [Sample.slot("Person", "name")])
    ])
  }

  /// Leaves the first store as a process does that commits in it and dies before it commits in the others.
  func die(
    committing own: ChangeSet, _ parts: (store: any PersistentStore, changes: [ChangeSet])...,
    in store: SQLiteStore
  ) throws {
    try store.execute(own)
    var notes = CommitNotes()
    let id = UUID().uuidString
    for (other, changes) in parts {
      notes.intents.append(
        CommitIntent(
          commit: id, store: other.identifier, madeAt: Date(),
          changes: try StoredChanges.bytes(of: changes, Sample.model)))
    }
    try store.commit(.immediate, noting: notes)
  }

  // MARK: - Looking

  func persons(_ stores: [SQLiteStore], _ view: StoreView = .accepted) throws -> [[Int64]] {
    try stores.map { store in
      try store.keys(StoreFetch(Sample.shape("Person")), in: view).map(\.primaryKey)
    }
  }

  func names(_ store: SQLiteStore) throws -> [String?] {
    try store.names(StoreFetch(Sample.shape("Person")), Sample.slot("Person", "name"))
  }

  func photo(_ key: Int64, in store: SQLiteStore) throws -> Data? {
    let page = try #require(
      try store.rows(for: [Sample.key("Person", key)], in: .committed).first)
    return try page.data(0, slot: Sample.slot("Person", "photo"))
  }

  /// The number of rows with notes in a closed file; nil if it has no table for them.
  func notes(_ place: Int) throws -> Int? {
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(paths[place], &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    let tables = unsafe try SQLRows.texts(
      database,
      "SELECT name FROM sqlite_master WHERE name IN ('SPORADES_INTENT', 'SPORADES_FINISHED')")
    guard !tables.isEmpty else { return nil }
    return try tables.reduce(0) { sum, table in
      let count = unsafe try SQLRows.texts(database, "SELECT COUNT(*) FROM \(table)")
      return sum + (count.first.flatMap { Int($0) } ?? 0)
    }
  }

  /// Changes a closed or open file with SQL.
  func run(_ place: Int, _ sql: String) throws {
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(paths[place], &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    unsafe try SQLRows.run(database, sql)
  }

  /// Takes the open transaction from a store, as SQLite does when a disk fails.
  func rollBack(_ store: SQLiteStore) throws {
    unsafe store.withWriter { unsafe sqlite3_exec($0, "ROLLBACK", nil, nil, nil) }
  }
}

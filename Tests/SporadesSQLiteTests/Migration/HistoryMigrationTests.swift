// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore
import Testing

/// The history of a store reads the same before and after a migration, by the names of entities and properties.
@Suite struct HistoryMigrationTests {
  static let changes: [HistoryChange] = {
    do { return try HistoryModel.changes() } catch {
      preconditionFailure("A change has an impossible model: \(error)")
    }
  }()

  @Test(arguments: changes)
  func theHistoryReadsTheSame(_ change: HistoryChange) throws {
    let path = Sample.temporaryPath()
    try HistoryModel.fill(path, change.old)
    let before = try HistoryImage(path, change.old)
    #expect(before.changes.count > 20)
    try SQLiteStore(path: path, model: change.new, options: .losing).close()
    let after = try HistoryImage(path, change.new)
    let evolution = ModelEvolution(from: change.old, to: change.new)
    let expected = before.changes.compactMap { $0.carried(over: evolution) }
    // The keys of a merged table grow; see the next test.
    let isMerged = change.testDescription.contains("parent")
    func comparable(_ changes: [HistoryImage.Change]) -> [HistoryImage.Change] {
      changes.map { one in
        var one = one
        if isMerged, one.entity == "Pet" { one.key = 0 }
        return one
      }
    }
    #expect(comparable(after.changes) == comparable(expected))
    // The last one is the migrator's own.
    #expect(after.transactions.dropLast() == before.transactions[...])
  }

  /// The keys of the second table grow, because both have a row 1.
  @Test func theKeysOfAMergedTableFollow() throws {
    let change = try #require(Self.changes.first { $0.testDescription.contains("parent") })
    let path = Sample.temporaryPath()
    try HistoryModel.fill(path, change.old)
    let store = try SQLiteStore(path: path, model: change.new, options: .losing)
    let pets = try store.keys(
      StoreFetch(try #require(change.new.shape(named: "Pet"))), in: .committed)
    try store.close()
    let image = try HistoryImage(path, change.new)
    let ofPets = image.changes.filter { change in change.entity == "Pet" && change.kind == 0 }
    let inserted: Set<Int64> = Set(ofPets.map(\.key))
    let present: Set<Int64> = Set(pets.map(\.primaryKey))
    #expect(present.isSubset(of: inserted) && present.count == 3)
  }

  @Test func changesOfAnEntityThatIsGoneGo() throws {
    let change = try #require(
      Self.changes.first { $0.testDescription.contains("removes an entity") })
    let path = Sample.temporaryPath()
    try HistoryModel.fill(path, change.old)
    let forecast = try SQLiteStore.migrationForecast(
      forStoreAt: URL(fileURLWithPath: path), to: change.new, options: .losing)
    #expect(
      forecast.notes.contains { note in note.contains("history") && note.contains("Tag") },
      "\(forecast)")
    try SQLiteStore(path: path, model: change.new, options: .losing).close()
    #expect(try HistoryImage(path, change.new).unnamed == 0)
  }

  @Test func recordsOfCloudKitFollow() throws {
    let change = try #require(Self.changes.first { $0.testDescription.contains("first number") })
    let path = Sample.temporaryPath()
    try HistoryModel.fill(path, change.old)
    let database = unsafe try StoreFixture.database(path)
    let made = unsafe sqlite3_exec(
      database,
      """
      CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER);
      CREATE UNIQUE INDEX Z_RECORDS ON ANSCKRECORDMETADATA (ZENTITYID, ZENTITYPK);
      INSERT INTO ANSCKRECORDMETADATA SELECT NULL, Z_ENT, 1 FROM Z_PRIMARYKEY WHERE Z_ENT < 16000
      """, nil, nil, nil)
    unsafe sqlite3_close(database)
    #expect(made == SQLITE_OK)
    let query =
      "SELECT Z_NAME FROM ANSCKRECORDMETADATA JOIN Z_PRIMARYKEY ON Z_ENT = ZENTITYID ORDER BY ANSCKRECORDMETADATA.Z_PK"
    let before = try Self.texts(path, query)
    try SQLiteStore(path: path, model: change.new, options: .losing).close()
    #expect(try Self.texts(path, query) == before)
    #expect(before.count == 4)
  }

  static func texts(_ path: String, _ sql: String) throws -> [String] {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    return unsafe try SQLRows.texts(database, sql)
  }

  // MARK: - Files of Apple's frameworks

  @Test(
    .enabled(if: StoreFixture.areThere),
    arguments: ["RMAdminStore-Local", "knowledgec-10.13", "Photos-10.15.7"])
  func historiesOfAppsReadTheSame(_ name: String) throws {
    let fixture = try #require(StoreFixture.histories.first { $0.name.contains(name) })
    let path = try StoreFixture.copy(of: fixture.path)
    let before = try HistoryImage(path, fixture.model)
    var counts: [String: Int] = [:]
    for change in before.changes where !change.names.isEmpty {
      counts[change.entity, default: 0] += 1
    }
    let busiest = try #require(counts.max { $0.value < $1.value })
    let new = try Self.changed(fixture.model, busiest.key)
    let old = CoreDataLayout(fixture.model)
    let next = CoreDataLayout(new)
    let succession = RowSuccession(
      MigrationSide(old, old.layout), MigrationSide(next, next.layout),
      ModelEvolution(from: fixture.model, to: new))
    do {
      let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 1_000)
      try HistoryMigration(succession, connection).run(on: connection)
    }
    let after = try HistoryImage(path, new, numbering: next.layout)
    let evolution = ModelEvolution(from: fixture.model, to: new)
    let expected = before.changes.compactMap { $0.carried(over: evolution) }
    #expect(after.changes.count == before.changes.count)
    #expect(after.changes == expected)
    #expect(after.transactions == before.transactions)
  }

  /// Adds an entity before all others, and changes the properties of one.
  private static func changed(
    _ model: ManagedObjectModel, _ busiest: String
  ) throws -> ManagedObjectModel {
    var entities = model.entities
    for place in entities.indices where entities[place].name == busiest {
      if !entities[place].attributes.isEmpty {
        let name = entities[place].attributes[0].name
        entities[place].attributes[0].renamingIdentifier = name
        entities[place].attributes[0].name = "zzz" + name
      }
      entities[place].attributes.append(
        AttributeDescription("aaaAdded", .string, isOptional: true))
    }
    entities.append(
      EntityDescription(
        "AAAFirst", attributes: [AttributeDescription("name", .string, isOptional: true)]))
    return try ManagedObjectModel(entities: entities)
  }
}

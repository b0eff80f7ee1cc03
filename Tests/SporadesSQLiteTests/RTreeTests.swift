// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// R-trees that a file has without the triggers that keep them.
@Suite struct RTreeTests {
  private static let model = try! ManagedObjectModel(entities: [
    EntityDescription(
      "Spot",
      attributes: [
        AttributeDescription("latitude", .double, isOptional: true),
        AttributeDescription("longitude", .double, isOptional: true),
      ]),
    EntityDescription("Spot_Of", attributes: [AttributeDescription("latitude", .double)]),
  ])

  private static let tree = """
    CREATE VIRTUAL TABLE Z_RT_Spot_bounds USING RTREE (Z_PK INTEGER PRIMARY KEY, ZLATITUDE_MIN FLOAT, \
    ZLATITUDE_MAX FLOAT, ZLONGITUDE_MIN FLOAT, ZLONGITUDE_MAX FLOAT)
    """

  private static func trigger(_ event: String, _ body: String) -> String {
    "; CREATE TRIGGER Z_RT_Spot_bounds_\(event) AFTER \(event) ON ZSPOT FOR EACH ROW BEGIN \(body); END"
  }

  /// A store with the tree and what else is given.
  private func path(_ additions: String) throws -> String {
    let path = Sample.temporaryPath()
    try SQLiteStore(path: path, model: Self.model).close()
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    unsafe try SQLRows.run(database, additions)
    return path
  }

  private func page(_ rows: [(Int64, Double?)], version: Int64 = 1) throws -> RowPage {
    let shape = try #require(Self.model.shape(named: "Spot"))
    var builder = RowPageBuilder(layout: shape.layout)
    for (key, place) in rows {
      builder.appendRow(RowKey(entity: shape.number, primaryKey: key), version: version)
      guard let place else { continue }
      for attribute in shape.attributes { builder.set(attribute.slot ?? 0, to: place) }
    }
    return builder.finish()
  }

  private func rows(_ path: String) throws -> [String] {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    return unsafe try SQLRows.texts(
      database,
      "SELECT Z_PK || ' ' || ZLATITUDE_MIN || ' ' || ZLONGITUDE_MAX FROM Z_RT_Spot_bounds ORDER BY "
        + "Z_PK")
  }

  @Test(arguments: [
    tree,
    // One trigger is there, and the others are not.
    tree + trigger("DELETE", "DELETE FROM Z_RT_Spot_bounds WHERE Z_PK = OLD.Z_PK"),
  ])
  func theTreeChangesWithItsRows(additions: String) throws {
    let path = try path(additions)
    let store = try SQLiteStore(path: path, model: Self.model)
    try store.execute(ChangeSet(inserted: [page([(1, 4), (2, 8), (3, nil)])]))
    try store.commit(.immediate)
    #expect(try rows(path) == ["1 4.0 4.0", "2 8.0 8.0", "3 0.0 0.0"])
    let slots = Self.model.shape(named: "Spot")?.attributes.compactMap(\.slot) ?? []
    let key = RowKey(entity: 1, primaryKey: 2)
    try store.execute(
      ChangeSet(
        updated: [Sample.updates(page([(1, 16)], version: 2), slots)],
        deleted: [DeletedRow(key: key, version: 1)]))
    #expect(throws: StoreError.self) {
      try store.execute(ChangeSet(deleted: [DeletedRow(key: key, version: 1)]))
    }
    try store.commit(.immediate)
    #expect(try rows(path) == ["1 16.0 16.0", "3 0.0 0.0"])
    try store.close()
  }

  @Test func theFilesSchemaStaysAsItIs() throws {
    let path = try path(Self.tree)
    let store = try SQLiteStore(path: path, model: Self.model)
    try store.execute(ChangeSet(inserted: [page([(1, 4)])]))
    try store.close()
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    #expect(
      unsafe try SQLRows.texts(database, "SELECT name FROM sqlite_master WHERE type = 'trigger'")
        .isEmpty)
  }

  @Test(arguments: [
    "CREATE VIRTUAL TABLE Z_RT_Gone_bounds USING RTREE (Z_PK, ZX_MIN, ZX_MAX)",
    "CREATE VIRTUAL TABLE Z_RT_Spot_bounds USING RTREE (Z_PK, ZX_MIN, ZX_MAX)",
    "CREATE VIRTUAL TABLE Z_RT_Spot_bounds USING RTREE (Z_PK, ZLATITUDE_MAX, ZLATITUDE_MIN)",
    "CREATE VIRTUAL TABLE Z_RT_Spot_Of_bounds USING RTREE (Z_PK, ZLONGITUDE_MIN, ZLONGITUDE_MAX)",
  ])
  func aTreeThatIsNotUnderstoodIsReadAndNotWritten(additions: String) throws {
    let path = try path(additions)
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(path: path, model: Self.model)
    }
    #expect(error?.code == .unsupported)
    #expect(error?.detail.contains("Z_RT_") == true)
    var options = SQLiteStoreOptions()
    options.isReadOnly = true
    let store = try SQLiteStore(path: path, model: Self.model, options: options)
    #expect(try store.count(StoreFetch(Self.model.shapes[0]), in: .committed) == 0)
    try store.close()
  }

  @Test(.enabled(if: StoreFixture.areThere)) func photosTreesAreKeptWithoutTheirTriggers() throws {
    let fixture = try #require(StoreFixture.cached.first { $0.name.contains("Photos") })
    let path = try fixture.copy()
    let database = unsafe try StoreFixture.database(path)
    let tree = "Z_RT_GenericAsset_boundedByRect"
    unsafe try SQLRows.run(
      database, ["INSERT", "UPDATE", "DELETE"].map { "DROP TRIGGER \(tree)_\($0);" }.joined())
    unsafe sqlite3_close(database)
    let store = try SQLiteStore(path: path, model: fixture.model)
    let shape = try #require(fixture.model.shape(named: "Asset"))
    let key = RowKey(
      entity: shape.number, primaryKey: try store.reserveKeys(1, for: shape).lowerBound)
    var builder = RowPageBuilder(layout: shape.layout)
    builder.appendRow(key, version: 1)
    for name in ["latitude", "longitude"] {
      guard case .attribute(let attribute)? = shape[name] else { continue }
      builder.set(attribute.slot ?? 0, to: 32.0)
    }
    try store.execute(ChangeSet(inserted: [builder.finish()]))
    try store.close()
    let after = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(after) }
    #expect(
      unsafe try SQLRows.texts(
        after, "SELECT COUNT(*) FROM \(tree) WHERE Z_PK = \(key.primaryKey) AND ZLATITUDE_MIN = 32")
        == ["1"])
    #expect(
      unsafe try SQLRows.texts(
        after, "SELECT (SELECT COUNT(*) FROM \(tree)) - (SELECT COUNT(*) FROM ZGENERICASSET)")
        == ["0"])
  }

  /// An index is no part of what makes a model another version, so a file may have the tree of one that the model
  /// has no more. The file's own triggers go on with it.
  @Test func aTreeWhoseIndexTheModelLostGoesOn() throws {
    var entity = EntityDescription(
      "Spot",
      attributes: ["latitude", "longitude"].map {
        AttributeDescription($0, .double, isOptional: true)
      })
    let elements = ["latitude", "longitude"].map {
      FetchIndexDescription.Element($0, collation: .rTree)
    }
    entity.indexes = [FetchIndexDescription("byPlace", elements)]
    let other = EntityDescription(
      "Spot_Of", attributes: [AttributeDescription("latitude", .double)])
    let path = Sample.temporaryPath()
    try SQLiteStore(path: path, model: ManagedObjectModel(entities: [entity, other])).close()
    let store = try SQLiteStore(path: path, model: Self.model)
    #expect(!store.hasTriggers)
    try store.execute(ChangeSet(inserted: [page([(1, 4), (2, 8)])]))
    try store.commit(.immediate)
    try store.close()
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    #expect(
      unsafe try SQLRows.texts(
        database, "SELECT ZLATITUDE_MIN FROM Z_Spot_byPlace ORDER BY Z_PK") == ["4.0", "8.0"])
  }
}

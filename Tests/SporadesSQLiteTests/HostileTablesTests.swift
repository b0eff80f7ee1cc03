// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesXcode
import Testing

/// A file that was made to mislead is refused, or read in bounded time with what it names.
@Suite struct HostileTablesTests {
  /// A database with the tables of a store, and with the given statements run on it.
  private func store(_ sql: String) throws -> URL {
    let url = URL(fileURLWithPath: Sample.temporaryPath())
    let database = unsafe try StoreFixture.database(url.path)
    defer { unsafe sqlite3_close(database) }
    unsafe try SQLRows.run(
      database,
      """
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      INSERT INTO Z_METADATA VALUES (1, '0E1B9F4E-6C3B-4B67-9B52-1C3B5E0B7B11', NULL);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      """)
    unsafe try SQLRows.run(database, sql)
    return url
  }

  private static let pet =
    "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Pet', 0, 1); "
    + "CREATE TABLE ZPET (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR"

  @Test(arguments: [
    "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Pet', 0, 1), (1, 'Dog', 0, 1)",
    "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Pet', 0, 1), (2, 'PET', 0, 1)",
    "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Pet', 2, 1), (2, 'Dog', 1, 1)",
    "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Pet', 7, 1)",
    "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Pet', 'x', 1)",
    "INSERT INTO Z_PRIMARYKEY VALUES (1, NULL, 0, 1)",
    "INSERT INTO Z_PRIMARYKEY VALUES (-4, 'Pet', 0, 1)",
    "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Pet', 0, 1)", "SELECT 1",
  ]) func aListOfEntitiesThatCannotBeIsRefused(_ sql: String) throws {
    let url = try store(sql)
    let error = #expect(throws: StoreError.self) { try StoreModel(ofStoreAt: url) }
    #expect(error?.code == .corrupt)
    #expect(error?.detail.contains(url.path) == true)
  }

  /// No model has both entities, and one table can hold them.
  @Test func anEntityThatDiffersInCaseAloneIsLeftOut() throws {
    let url = try store(
      Self.pet
        + "); INSERT INTO Z_PRIMARYKEY VALUES (2, 'pet', 1, 1), (3, 'Dog', 2, 0), (4, 'Cat', 1, 0)")
    let found = try StoreModel(ofStoreAt: url)
    #expect(found.model.entities.map(\.name).sorted() == ["Cat", "Pet"])
    #expect(found.warnings.map(\.code) == [.duplicateName, .duplicateName])
    #expect(found.warnings.map(\.entity) == ["pet", "Dog"])
    #expect(found.warnings.allSatisfy { $0.detail.contains("pet differs from Pet in case alone") })
  }

  @Test func moreEntitiesThanAModelHasAreRefused() throws {
    let url = try store(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 16000) "
        + "INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, 0, 0 FROM n")
    let error = #expect(throws: StoreError.self) { try StoreModel(ofStoreAt: url) }
    #expect(error?.code == .unsupported)
  }

  /// A tree of parents that is deeper than any model.
  @Test func aTreeWithoutEndIsRefused() throws {
    let url = try store(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) "
        + "INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, i - 1, 0 FROM n")
    let error = #expect(throws: StoreError.self) { try StoreModel(ofStoreAt: url) }
    #expect(error?.code == .corrupt)
  }

  @Test func whatCannotBeNamedIsLeftOutByName() throws {
    let url = try store(
      Self.pet
        + ", \"Z bad; DROP\" VARCHAR, \"Z\" VARCHAR, ZAGE FANCY, STRANGER INTEGER, Z9OWNER INTEGER, Zsmall VARCHAR); "
        + "INSERT INTO Z_PRIMARYKEY VALUES (2, 'No Name', 0, 0), (3, 'Lost', 0, 0); "
        + "CREATE TABLE Z_8LINKS (Z_8A INTEGER, Z_9B INTEGER); CREATE TABLE Z_1X (A, B, C); "
        + "INSERT INTO ZPET (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Rex')")
    let found = try StoreModel(ofStoreAt: url)
    #expect(found.model.entities.map(\.name) == ["Pet"])
    #expect(found.model.entities[0].attributes.map(\.name) == ["NAME"])
    #expect(found.warnings.count == 10, "\(found.warnings)")
    let store = try SQLiteStore(openingStoreAt: url)
    try DataStack(store: store).newContext().performAndWait { context in
      let pets = try context.fetch(FetchRequest("Pet"))
      #expect(pets.map { $0["NAME"] } == ["Rex"])
    }
    try store.close()
  }

  /// A name with a number may be claimed by several columns, or by an attribute.
  @Test func namesThatCollideAreReadOnceAsNumbers() throws {
    let url = try store(
      Self.pet
        + ", ZOWNER INTEGER, Z1_OWNER INTEGER, Z2_OWNER INTEGER, Z1NAME INTEGER); "
        + "INSERT INTO Z_PRIMARYKEY VALUES (2, 'Dog', 1, 0), (3, 'Cat', 2, 0); "
        + "CREATE TABLE Z_1NAME (Z_1OTHERS INTEGER, Z_1NAME INTEGER)")
    let found = try StoreModel(ofStoreAt: url)
    let pet = try #require(found.model.entitiesByName["Pet"])
    #expect(Set(pet.propertyNames).isSubset(of: ["NAME", "OWNER", "OTHERS"]))
    #expect(Set(pet.propertyNames).count == pet.propertyNames.count)
    #expect(!found.warnings.isEmpty)
  }

  @Test func warningsAreBounded() throws {
    let columns = (0..<1_500).map { ", \"bad \($0)\" VARCHAR" }.joined()
    let found = try StoreModel(ofStoreAt: store(Self.pet + columns + ")"))
    #expect(found.warnings.count == 101)
    #expect(found.warnings.last?.detail.contains("1400 more") == true)
  }

  @Test func otherFilesAreRefusedByName() throws {
    let folder = URL(fileURLWithPath: Sample.temporaryPath())
    let missing = #expect(throws: StoreError.self) { try StoreModel(ofStoreAt: folder) }
    #expect(missing?.code == .cannotOpen)
    try Data("x".utf8).write(to: folder)
    let text = #expect(throws: StoreError.self) { try StoreModel(ofStoreAt: folder) }
    #expect(text?.code == .corrupt)
    try Data().write(to: folder)
    let empty = #expect(throws: StoreError.self) { try StoreModel(ofStoreAt: folder) }
    #expect(empty?.code == .cannotOpen)
  }
}

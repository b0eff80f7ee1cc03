// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesXcode
import Testing

/// Stores of SwiftData always have a history. They keep the members of a codable value in columns of their own, as the
/// members of a composite attribute, and an enum as a composite whose only member has the attribute's name.
@Suite struct SwiftDataFormTests {
  private static func makeModel() throws -> ManagedObjectModel {
    var place = AttributeDescription("place", .composite, isOptional: true)
    place.elements = [
      AttributeDescription("latitude", .double, isOptional: true),
      AttributeDescription("name", .string, isOptional: true),
    ]
    var kind = AttributeDescription("kind", .composite, isOptional: true)
    kind.elements = [AttributeDescription("kind", .string, isOptional: true)]
    return try ManagedObjectModel(entities: [
      EntityDescription(
        "Trip",
        attributes: [
          AttributeDescription("name", .string, isOptional: true), place, kind,
          AttributeDescription("tags", .transformable, isOptional: true),
        ])
    ])
  }

  private static let history = """
    CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY \
    INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );
    CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, \
    ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID \
    VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
    CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 4), \
    (16003, 'TRANSACTIONSTRING', 0, 0);
    INSERT INTO ZTRIP (Z_PK, Z_ENT, Z_OPT, ZNAME, ZLATITUDE, ZNAME1, ZKIND, ZTAGS) \
    VALUES (1, 1, 1, 'Spring', 37.5, 'Athens', 'city', x'5b5d');
    UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 1;
    """

  private func makeFile(_ more: String = "SELECT 1") throws -> URL {
    let url = URL(fileURLWithPath: Sample.temporaryPath())
    try SQLiteStore(url: url, model: Self.makeModel()).close()
    let database = unsafe try StoreFixture.database(url.path)
    defer { unsafe sqlite3_close(database) }
    unsafe try SQLRows.run(database, Self.history)
    unsafe try SQLRows.run(database, more)
    unsafe try SQLRows.run(database, "PRAGMA wal_checkpoint(TRUNCATE)")
    return url
  }

  @Test func compositesAreReadAndWrittenByTheCarriedModel() throws {
    let url = try makeFile()
    #expect(try StoreModel(ofStoreAt: url).source == .cached)
    let store = try SQLiteStore(openingStoreAt: url)
    try DataStack(store: store).newContext().performAndWait { context in
      let request = FetchRequest(
        "Trip", where: try FetchPredicate(format: "place.name == 'Athens' AND place.latitude > 37"))
      let trip = try #require(try context.fetch(request).first)
      #expect(trip["name"] == "Spring")
      #expect(trip["tags"] == .data(Data([0x5b, 0x5d])))
      let kinds = FetchRequest("Trip", where: try FetchPredicate(format: "kind.kind == 'city'"))
      #expect(try context.count(kinds) == 1)
      trip["name"] = "Summer"
      try context.save()
    }
    try store.close()
    let plain = try PlainStore(url.path)
    #expect(
      try plain.rows("SELECT ZNAME, ZNAME1, ZKIND FROM ZTRIP") == [
        [.text("Summer"), .text("Athens"), .text("city")]
      ])
    #expect(
      try plain.rows("SELECT ZCHANGETYPE, ZENTITYPK FROM ACHANGE") == [[.integer(1), .integer(1)]])
  }

  /// Without the model, the members are attributes with the names of their columns.
  @Test func theTablesShowTheMembersAlone() throws {
    let store = try SQLiteStore(openingStoreAt: makeFile("DROP TABLE Z_MODELCACHE"))
    #expect(store.model.entities.map(\.name) == ["Trip"])
    try DataStack(store: store).newContext().performAndWait { context in
      let trip = try #require(try context.fetch(FetchRequest("Trip")).first)
      #expect((trip["NAME"], trip["NAME1"], trip["KIND"]) == ("Spring", "Athens", "city"))
      #expect(trip["LATITUDE"] == 37.5)
    }
    try store.close()
  }
}

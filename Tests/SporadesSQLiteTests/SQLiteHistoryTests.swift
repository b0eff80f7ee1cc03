// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// What an app's framework put into a file beside the tables of the model.
@Suite struct SQLiteHistoryTests {
  /// The tables of a history, and a trigger of a derived attribute.
  private static let additions =
    AppHistory.tables(lastTransaction: 4) + """
      CREATE TRIGGER Z_DA_ZPET_Person_age_PARAMETER_INSERT AFTER INSERT ON ZPET FOR EACH ROW WHEN \
      (NEW.ZOWNER NOT NULL) BEGIN UPDATE ZPERSON SET ZAGE = IFNULL(ZAGE, 0) + 1 WHERE Z_PK = NEW.ZOWNER; \
      SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZPERSON', Z_ENT, Z_PK, 'age', ZAGE) FROM \
      ZPERSON WHERE Z_PK = NEW.ZOWNER; END
      """

  private func store() throws -> SQLiteStore {
    let path = Sample.temporaryPath()
    try SQLiteStore(path: path, model: Sample.model).close()
    var database: OpaquePointer?
    unsafe sqlite3_open(path, &database)
    defer { unsafe sqlite3_close(database) }
    try #require(unsafe sqlite3_exec(database, Self.additions, nil, nil, nil) == SQLITE_OK)
    return try SQLiteStore(path: path, model: Sample.model)
  }

  private func row(_ path: String, _ sql: String) throws -> String {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    var statement: OpaquePointer?
    try #require(
      unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
    defer { unsafe sqlite3_finalize(statement) }
    try #require(unsafe sqlite3_step(statement) == SQLITE_ROW)
    return unsafe String(cString: sqlite3_column_text(statement, 0))
  }

  @Test func recordsEachSaveAndWhatItDidToEachObject() throws {
    let store = try store()
    let person = Sample.key("Person", 1)
    try store.execute(ChangeSet(inserted: [Sample.page("Person", [(1, ["name": "Ada"])])]))
    let page = Sample.page("Person", [(1, ["name": "Eve"])], version: 2)
    try store.execute(
      ChangeSet(updated: [Sample.updates(page, [Sample.slot("Person", "name")])]))
    #expect(throws: StoreError.self) {
      try store.execute(ChangeSet(deleted: [DeletedRow(key: person, version: 9)]))
    }
    try store.execute(ChangeSet(deleted: [DeletedRow(key: person, version: 2)]))
    try store.close()
    let path = try #require(store.path)
    let changes = try row(
      path,
      "SELECT group_concat(Z_ENT || ':' || ZCHANGETYPE || ':' || ZENTITYPK || ':' || ZTRANSACTIONID "
        + "|| ':' || IFNULL(hex(ZCOLUMNS), ''), ' ') FROM ACHANGE")
    // There is no to-one relationship; attributes A to Z: age, born, code, email, height, isAdult, name …:
    // the seventh bit.
    #expect(changes == "16001:0:1:5: 16001:1:1:6:0200 16001:2:1:7:")
    #expect(
      try row(path, "SELECT COUNT(*) || ' ' || MIN(ZPROCESSIDTS) FROM ATRANSACTION") == "3 1")
    #expect(
      try row(path, "SELECT group_concat(Z_MAX) FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == "3,7,1")
  }

  /// `entity:kind:key:columns` of each change, in their order.
  private func changes(_ path: String, after last: Int) throws -> String {
    try row(
      path,
      "SELECT group_concat(p.Z_NAME || ':' || ZCHANGETYPE || ':' || ZENTITYPK || ':' || "
        + "IFNULL(hex(ZCOLUMNS), ''), ' ') FROM (SELECT * FROM ACHANGE WHERE Z_PK > \(last) ORDER BY "
        + "Z_PK) JOIN Z_PRIMARYKEY p ON p.Z_ENT = ZENTITY")
  }

  /// Columns of Pet: owner, Zn_OWNER, Z_FOK_OWNER, name. Those of Person: ten attributes, friends, pets,
  /// tags.
  @Test func namesBothSidesOfARelationshipThatChanged() throws {
    let store = try store()
    let scope = StoreScope(identifier: "x", entityNames: [])
    func owner(_ key: Int64) -> Value {
      .objectID(ManagedObjectID(key: Sample.key("Person", key), scope: scope))
    }
    try store.execute(
      ChangeSet(inserted: [Sample.page("Person", [(1, [:]), (2, [:]), (3, [:])])]))
    try store.execute(ChangeSet(inserted: [Sample.page("Pet", [(1, ["owner": owner(1)])])]))
    let moved = Sample.page("Pet", [(1, ["owner": owner(2)])], version: 2)
    try store.execute(
      ChangeSet(updated: [Sample.updates(moved, [Sample.slot("Pet", "owner")])]))
    let path = try #require(store.path)
    let (linked, other) = (Sample.key("Person", 1), Sample.key("Person", 3))
    let friends = try #require(
      Sample.model.joins.first { $0.first.relationship.name == "friends" })
    try store.execute(
      ChangeSet(links: [
        LinkChange(
          join: friends.index, isFirst: true, owner: linked,
          added: [.init(other: other, position: nil)])
      ]))
    try store.execute(
      ChangeSet(deleted: [DeletedRow(key: Sample.key("Pet", 1), version: 2)]))
    try store.close()
    #expect(
      try changes(path, after: 3)
        == "Pet:0:1: Person:1:1:0010 Pet:1:1:80 Person:1:1:0010 Person:1:2:0010 "
        + "Person:1:1:0020 Person:1:3:0020 Person:1:2:0010 Pet:2:1:")
  }

  @Test func namesTheAuthorAndTheContext() throws {
    let store = try store()
    let stack = DataStack(store: store)
    for (author, name) in [("importer", "night"), ("importer", nil), (nil, nil)] {
      try stack.newContext(name: name).performAndWait { context in
        context.transactionAuthor = author
        context.userInfo["attempt"] = 1
        try context.insert(entityNamed: "Tag")["title"] = "x"
        try context.save()
        #expect(context.userInfo["attempt"] as? Int == 1)
        #expect(context.name == name)
      }
    }
    stack.root.commit(.eventual)
    try store.close()
    let names = try row(
      try #require(store.path),
      "SELECT group_concat(IFNULL(a.ZNAME, '-') || ' ' || IFNULL(n.ZNAME, '-')) FROM ATRANSACTION t "
        + "LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS "
        + "LEFT JOIN ATRANSACTIONSTRING n ON n.Z_PK = t.ZCONTEXTNAMETS")
    #expect(names == "importer night,importer -,- -")
  }

  /// The save is written twice, and the author of the first time is undone with it.
  @Test func namesTheAuthorOfASaveThatExchangesUniqueValues() throws {
    let store = try store()
    func emails(_ values: [String]) -> RowPage {
      Sample.page(
        "Person", values.enumerated().map { (Int64($0 + 1), ["email": .string($1)]) },
        version: values[0] == "a" ? 1 : 2)
    }
    try store.execute(ChangeSet(inserted: [emails(["a", "b"])]))
    try store.execute(
      ChangeSet(
        updated: [Sample.updates(emails(["b", "a"]), [Sample.slot("Person", "email")])],
        author: "importer"))
    try store.execute(
      ChangeSet(inserted: [Sample.page("Tag", [(1, [:])])], author: "importer"))
    try store.close()
    #expect(
      try row(
        try #require(store.path),
        "SELECT group_concat(IFNULL(a.ZNAME, '-')) FROM ATRANSACTION t "
          + "LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS") == "-,importer,importer")
  }

  @Test func letsTriggersOfDerivedAttributesRun() throws {
    let store = try store()
    let scope = StoreScope(identifier: "x", entityNames: [])
    let owner = ManagedObjectID(key: Sample.key("Person", 1), scope: scope)
    try store.execute(
      ChangeSet(inserted: [
        Sample.page("Person", [(1, [:])]), Sample.page("Pet", [(1, ["owner": .objectID(owner)])]),
      ]))
    let page = try store.rows(for: [owner.key], in: .accepted)[0]
    #expect(page.word(0, slot: Sample.slot("Person", "age")) == 1)
  }

  @Test func tellsStatementsToWhoListens() throws {
    let heard = Guarded<[String]>([])
    SQLTrace.setHook { text in heard.withLock { $0.append(text) } }
    let store = try SQLiteStore(inMemory: Sample.model)
    _ = try store.count(StoreFetch(Sample.shape("Tag")), in: .accepted)
    SQLTrace.setHook(nil)
    #expect(heard.withLock { $0.contains("SELECT COUNT(*) FROM ZTAG t0") })
  }
}

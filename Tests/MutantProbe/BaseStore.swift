// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesModelFiles
import SporadesSQLite
import SporadesStore

/// A whole store. Mutants are damaged copies of it.
struct BaseStore {
  let folder: URL
  let path: String
  let model: ManagedObjectModel

  /// A copy of a store with its log.
  init(copying store: String, model: String) throws {
    folder = try Self.newFolder()
    path = folder.appendingPathComponent("Base.sqlite").path
    self.model = try ManagedObjectModel(contentsOf: URL(fileURLWithPath: model))
    for end in ["", "-wal"] where FileManager.default.fileExists(atPath: store + end) {
      try FileManager.default.copyItem(atPath: store + end, toPath: path + end)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + end)
    }
    // One file without a log, so its pages hold all rows.
    try SQLiteStore(path: path, model: self.model).close()
    try Self.run("PRAGMA journal_mode = DELETE", at: path)
  }

  /// Makes a store with inheritance, ordered links, both kinds of links, history, all types and a trigger.
  init() throws {
    folder = try Self.newFolder()
    path = folder.appendingPathComponent("Base.sqlite").path
    model = try Self.allKinds()
    try SQLiteStore(path: path, model: model).close()
    try Self.run(Self.history, at: path)
    let store = try SQLiteStore(path: path, model: model)
    try Self.fill(store)
    try store.close()
    try Self.run("PRAGMA journal_mode = DELETE", at: path)
  }

  func remove() {
    // try? because the system clears its temporary folders if this fails.
    try? FileManager.default.removeItem(at: folder)
  }

  private static func newFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "sporades-mutants-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Runs statements on a connection of SQLite's own, as any other program could.
  static func run(_ sql: String, at path: String) throws {
    var database: OpaquePointer?
    defer { unsafe sqlite3_close(database) }
    guard unsafe sqlite3_open(path, &database) == SQLITE_OK,
      unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
    else {
      let message = unsafe String(cString: sqlite3_errmsg(database))
      throw StoreError(.unsupported, "\(message): \(sql)")
    }
  }

  // MARK: - Model and rows

  private static func allKinds() throws -> ManagedObjectModel {
    var photo = AttributeDescription("photo", .binary, isOptional: true)
    photo.allowsExternalBinaryDataStorage = true
    let types: [(String, AttributeType)] = [
      ("name", .string), ("age", .integer16), ("count", .integer64), ("height", .double),
      ("wealth", .decimal), ("born", .date), ("isAdult", .boolean), ("code", .uuid),
      ("page", .uri), ("email", .string),
    ]
    let person = EntityDescription(
      "Person",
      attributes: types.map { AttributeDescription($0.0, $0.1, isOptional: true) } + [photo],
      relationships: [
        .toMany("pets", "Pet", inverse: "owner", isOrdered: true),
        .toMany("tags", "Tag", inverse: "persons", isOrdered: true),
        .toMany("friends", "Person", inverse: "friends"),
        .toOne("boss", "Person", inverse: "staff"),
        .toMany("staff", "Person", inverse: "boss"),
      ], uniquenessConstraints: [["email"]])
    let employee = EntityDescription(
      "Employee", attributes: [AttributeDescription("salary", .integer64, isOptional: true)],
      superentityName: "Person")
    let pet = EntityDescription(
      "Pet", attributes: [AttributeDescription("name", .string, isOptional: true)],
      relationships: [.toOne("owner", "Person", inverse: "pets")],
      indexes: [FetchIndexDescription("byName", on: "name")])
    let tag = EntityDescription(
      "Tag", attributes: [AttributeDescription("title", .string, isOptional: true)],
      relationships: [.toMany("persons", "Person", inverse: "tags")])
    return try ManagedObjectModel(entities: [person, employee, pet, tag])
  }

  /// The tables of Core Data since iOS 13, and the trigger of a derived attribute.
  private static let history = """
    CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE \
    INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );
    CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS \
    INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, \
    ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
    CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME \
    VARCHAR );
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 4), \
    (16003, 'TRANSACTIONSTRING', 0, 0);
    CREATE TRIGGER Z_DA_ZPET_Person_count_PARAMETER_INSERT AFTER INSERT ON ZPET FOR EACH ROW WHEN \
    (NEW.ZOWNER NOT NULL) BEGIN UPDATE ZPERSON SET ZCOUNT = IFNULL(ZCOUNT, 0) + 1 WHERE Z_PK = \
    NEW.ZOWNER; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZPERSON', Z_ENT, Z_PK, 'count', \
    ZCOUNT) FROM ZPERSON WHERE Z_PK = NEW.ZOWNER; END
    """

  private static func fill(_ store: SQLiteStore) throws {
    let stack = DataStack(store: store)
    try stack.newContext().performAndWait { context in
      let tags = try (0..<4).map { number in
        let tag = try context.insert(entityNamed: "Tag")
        tag["title"] = .string("tag \(number)")
        return tag
      }
      var persons: [ManagedObject] = []
      for number in 0..<12 {
        let person = try context.insert(entityNamed: number % 3 == 0 ? "Employee" : "Person")
        setValues(of: person, number)
        person.setObject(persons.last, forKey: "boss")
        person.setObjects(tags.dropLast(number % 3), forKey: "tags")
        person.setObjects(Array(persons.suffix(2)), forKey: "friends")
        let pets = try (0..<3).map { _ in try context.insert(entityNamed: "Pet") }
        for (place, pet) in pets.enumerated() { pet["name"] = .string("pet \(number).\(place)") }
        person.setObjects(pets, forKey: "pets")
        persons.append(person)
      }
      try context.save()
    }
    if let error = stack.root.commit(.eventual) { throw error }
    try store.setMetadata(["list": .list([.string("é"), .integer(-1)]), "date": .date(1.5)])
  }

  private static func setValues(of person: ManagedObject, _ number: Int) {
    person["name"] = .string("person \(number)")
    person["age"] = .integer(Int64(number))
    person["height"] = .double(Double(number) * 1.5)
    person["wealth"] = .decimal(Decimal(number) / 4)
    person["born"] = .date(Date(timeIntervalSinceReferenceDate: Double(number) * 1e7))
    person["isAdult"] = .boolean(number % 2 == 0)
    person["code"] = .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    person["page"] = URL(string: "https://example.org/\(number)").map { .url($0) } ?? .null
    person["email"] = .string("\(number)@example.org")
    person["photo"] = .data(Data(repeating: UInt8(number), count: number * 40))
  }
}

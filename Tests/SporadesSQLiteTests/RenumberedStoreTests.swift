// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesXcode
import Testing

/// A store whose entities have other numbers than a new store of the model would give them. A migration of an app makes
/// such stores: an entity keeps its number there, whatever entities come before it in the newer model.
@Suite struct RenumberedStoreTests {
  /// Two owners of the same items by relationships of one name and without an inverse: with other numbers, the usual
  /// name of the column of one is the name of the other's column. Destinations with subentities and joins have numbers
  /// in names, too.
  private static let model: ManagedObjectModel = {
    let name = AttributeDescription("name", .string, isOptional: true)
    // The model is written here, so a mistake in it is a mistake of the tests.
    return try! ManagedObjectModel(entities: [
      EntityDescription(
        "Album", attributes: [name],
        relationships: [
          .toMany("items", "Item", isOrdered: true), .toMany("tags", "Tag", inverse: "tags"),
        ]),
      EntityDescription(
        "Box", attributes: [name], relationships: [.toMany("items", "Item", isOrdered: true)]),
      EntityDescription(
        "Item", attributes: [name], relationships: [.toOne("place", "Place", inverse: "things")]),
      EntityDescription(
        "Place", attributes: [name], relationships: [.toMany("things", "Item", inverse: "place")]),
      EntityDescription("Room", superentityName: "Place"),
      EntityDescription(
        "Tag", attributes: [name],
        relationships: [.toMany("tags", "Album", inverse: "tags", isOrdered: true)]),
    ])
  }()

  /// The numbers of another store: those of the two owners change places, and so do others, or all move on.
  private static let numberings: [[Int: Int]] = [
    [1: 2, 2: 1, 3: 3, 4: 6, 5: 5, 6: 4], [1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7],
    [1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 1],
  ]

  private static let expected = [
    "Album A: items cherry, apple; tags red, round", "Box B: items date, banana; tags ",
    "Item apple at Room R", "Item banana at Place P", "Item cherry at ", "Item date at ",
    "Tag red: A", "Tag round: A",
  ]

  @Test(arguments: numberings)
  func theStoresOwnNumbersCount(_ numbers: [Int: Int]) throws {
    let url = try makeStore()
    try renumber(url, numbers)
    // The names of the columns tell the same to SQLite alone.
    let plain = try PlainStore(url.path)
    let (album, box) = (numbers[1] ?? 0, numbers[2] ?? 0)
    #expect(
      try plain.rows("SELECT ZNAME FROM ZITEM WHERE Z\(album)ITEMS IS NOT NULL ORDER BY 1")
        == [[.text("apple")], [.text("cherry")]])
    #expect(
      try plain.rows("SELECT ZNAME FROM ZITEM WHERE Z\(box)ITEMS IS NOT NULL ORDER BY 1")
        == [[.text("banana")], [.text("date")]])
    for opened in [
      try SQLiteStore(url: url, model: Self.model), try SQLiteStore(openingStoreAt: url),
    ] {
      #expect(!opened.isReadOnly)
      #expect(try describe(opened) == Self.expected)
      #expect(try opened.integrityProblems() == [])
    }
  }

  @Test(arguments: numberings)
  func changesGoWhereTheStoresNumbersSay(_ numbers: [Int: Int]) throws {
    let url = try makeStore()
    try renumber(url, numbers)
    let stack = DataStack(store: try SQLiteStore(url: url, model: Self.model))
    try stack.newContext().performAndWait { context in
      let box = try #require(try context.fetch(FetchRequest("Box")).first)
      let items = try context.fetch(
        FetchRequest("Item", where: FetchPredicate(format: "name == 'cherry'")))
      box.setObjects(box.objects(forKey: "items") + items, forKey: "items")
      let room = try #require(try context.fetch(FetchRequest("Room")).first)
      items.first?.setObject(room, forKey: "place")
      try context.save()
    }
    #expect(try stack.store.integrityProblems() == [])
    try stack.store.close()
    let plain = try PlainStore(url.path)
    let cherry = try plain.rows(
      "SELECT Z\(numbers[2] ?? 0)ITEMS, Z\(numbers[4] ?? 0)_PLACE FROM ZITEM WHERE ZNAME = 'cherry'"
    )
    #expect(cherry == [[.integer(1), .integer(Int64(numbers[5] ?? 0))]])
    let again = try SQLiteStore(url: url, model: Self.model)
    #expect(try describe(again).prefix(2).last == "Box B: items date, banana, cherry; tags ")
  }

  // MARK: - Support

  private func makeStore() throws -> URL {
    let url = URL(fileURLWithPath: Sample.temporaryPath())
    let stack = DataStack(store: try SQLiteStore(url: url, model: Self.model))
    try stack.newContext().performAndWait { context in
      func make(_ entity: String, _ name: String) throws -> ManagedObject {
        let object = try context.insert(entityNamed: entity)
        object["name"] = .string(name)
        return object
      }
      let (album, box) = (try make("Album", "A"), try make("Box", "B"))
      let (place, room) = (try make("Place", "P"), try make("Room", "R"))
      let (apple, banana) = (try make("Item", "apple"), try make("Item", "banana"))
      album.setObjects([try make("Item", "cherry"), apple], forKey: "items")
      box.setObjects([try make("Item", "date"), banana], forKey: "items")
      apple.setObject(room, forKey: "place")
      banana.setObject(place, forKey: "place")
      album.setObjects([try make("Tag", "red"), try make("Tag", "round")], forKey: "tags")
      try context.save()
    }
    try stack.store.close()
    return url
  }

  /// Gives the entities of a closed store other numbers, wherever rows and names have them.
  private func renumber(_ url: URL, _ numbers: [Int: Int]) throws {
    let plain = try PlainStore(url.path)
    let entities = plain.entities.filter { $0.value.number < 100 }
    #expect(Set(entities.values.map { Int($0.number) }) == Set(numbers.keys))
    let tables = Set(try entities.keys.map { try plain.table(of: $0) })
    // In two steps, because the new name of one may be the old name of another.
    for (step, offset) in [
      (numbers, 100), (Dictionary(uniqueKeysWithValues: numbers.values.map { ($0 + 100, $0) }), 0),
    ] {
      for table in try plain.tables() where table.hasPrefix("Z") {
        for column in try plain.columns(of: table) {
          guard let name = renumbered(column, step, offset) else { continue }
          try plain.run("ALTER TABLE \"\(table)\" RENAME COLUMN \"\(column)\" TO \"\(name)\"")
        }
      }
      for table in try plain.tables() {
        guard table.hasPrefix("Z_"), let name = renumbered(table, step, offset) else { continue }
        try plain.run("ALTER TABLE \"\(table)\" RENAME TO \"\(name)\"")
      }
    }
    let cases = numbers.map { "WHEN \($0.key) THEN \($0.value)" }.joined(separator: " ")
    for table in tables {
      for column in try plain.columns(of: table)
      where column == "Z_ENT" || column.hasSuffix("_PLACE") {
        try plain.run("UPDATE \(table) SET \(column) = CASE \(column) \(cases) END")
      }
    }
    try plain.run(
      "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 100; UPDATE Z_PRIMARYKEY SET Z_ENT = CASE Z_ENT - 100 \(cases) "
        + "ELSE Z_ENT - 100 END, Z_SUPER = CASE Z_SUPER \(cases) ELSE 0 END; PRAGMA wal_checkpoint(TRUNCATE)"
    )
  }

  /// The name with another number; nil if it has none.
  private func renumbered(_ name: String, _ numbers: [Int: Int], _ offset: Int) -> String? {
    for prefix in ["Z_FOK_", "Z_", "Z"] where name.hasPrefix(prefix) {
      let rest = name.dropFirst(prefix.count)
      let digits = rest.prefix { $0.isNumber }
      guard let number = Int(digits), let other = numbers[number] else { continue }
      return "\(prefix)\(other + offset)\(rest.dropFirst(digits.count))"
    }
    return nil
  }

  private func describe(_ store: SQLiteStore) throws -> [String] {
    try DataStack(store: store).newContext().performAndWait { context in
      func text(_ objects: [ManagedObject]) -> String {
        objects.map { if case .string(let name) = $0["name"] { name } else { "?" } }
          .joined(separator: ", ")
      }
      func all(_ entity: String) throws -> [ManagedObject] {
        try context.fetch(FetchRequest(entity)).sorted { text([$0]) < text([$1]) }
      }
      let owners = try (all("Album") + all("Box")).map { owner in
        "\(owner.entity.name) \(text([owner])): items \(text(owner.objects(forKey: "items"))); tags "
          + (owner.entity.name == "Album"
            ? text(owner.objects(forKey: "tags").sorted { text([$0]) < text([$1]) }) : "")
      }
      let items = try all("Item").map { item in
        let place = item.object(forKey: "place")
        return "Item \(text([item])) at \(place.map { "\($0.entity.name) \(text([$0]))" } ?? "")"
      }
      return try owners + items
        + all("Tag").map { "Tag \(text([$0])): \(text($0.objects(forKey: "tags")))" }
    }
  }
}

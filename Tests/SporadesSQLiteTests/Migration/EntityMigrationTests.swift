// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@Suite struct EntityMigrationTests {
  private static let name = AttributeDescription("name", .string, isOptional: true)

  /// Places with rooms, and items in them; albums and tags with links of both.
  private func model(
    adding others: [EntityDescription] = [], without gone: Set<String> = [],
    renaming renamed: [String: String] = [:]
  ) throws -> ManagedObjectModel {
    func name(_ entity: String) -> String { renamed[entity] ?? entity }
    func entity(
      _ entity: String, _ relationships: [RelationshipDescription] = [], under parent: String? = nil
    ) -> EntityDescription {
      var description = EntityDescription(
        name(entity), attributes: parent == nil ? [Self.name] : [],
        relationships: relationships.filter { !gone.contains($0.destinationEntityName) },
        superentityName: parent.map(name))
      if renamed[entity] != nil { description.renamingIdentifier = entity }
      return description
    }
    let all = [
      entity(
        "Album",
        [
          .toMany("items", name("Item"), isOrdered: true),
          .toMany("tags", name("Tag"), inverse: "albums"),
        ]),
      entity("Item", [.toOne("place", name("Place"), inverse: "things")]),
      entity("Place", [.toMany("things", name("Item"), inverse: "place", isOrdered: true)]),
      entity("Room", under: "Place"),
      entity("Tag", [.toMany("albums", name("Album"), inverse: "tags", isOrdered: true)]),
    ]
    return try ManagedObjectModel(
      entities: all.filter { !gone.contains($0.name) } + others)
  }

  private func store(to new: ManagedObjectModel) throws -> MigratedStore {
    try MigratedStore(from: model(), to: new) { context in
      let (album, second) = (
        try context.make("Album", ["name": "A"]), try context.make("Album", ["name": "B"])
      )
      let (place, room) = (
        try context.make("Place", ["name": "P"]), try context.make("Room", ["name": "R"])
      )
      let items = try ["x", "y", "z"].map { try context.make("Item", ["name": .string($0)]) }
      album.setObjects([items[2], items[0]], forKey: "items")
      room.setObjects([items[1], items[0]], forKey: "things")
      place.setObjects([items[2]], forKey: "things")
      let tag = try context.make("Tag", ["name": "T"])
      tag.setObjects([second, album], forKey: "albums")
    }
  }

  private static let expected = [
    "A: z, x", "B: ", "P: z", "R: y, x", "T: B, A",
  ]

  private func describe(
    _ stack: DataStack, _ names: [String: String] = [:]
  ) throws -> [String] {
    func name(_ entity: String) -> String { names[entity] ?? entity }
    return try stack.newContext().performAndWait { context in
      func lines(_ entity: String, _ relationship: String) throws -> [String] {
        try context.all(name(entity)).map { object in
          let others = object.objects(forKey: relationship).map { Self.text($0["name"]) }
          return "\(Self.text(object["name"])): \(others.joined(separator: ", "))"
        }
      }
      let items = try lines("Album", "items")
      return try items + lines("Place", "things") + lines("Tag", "albums")
    }
  }

  private static func text(_ value: Value) -> String {
    if case .string(let text) = value { text } else { "" }
  }

  @Test func anAddedEntityGivesOthersNewNumbers() throws {
    let store = try store(
      to: model(adding: [
        EntityDescription("Aardvark", attributes: [Self.name]),
        EntityDescription("Cellar", superentityName: "Place"),
      ]))
    #expect(try describe(store.migrate()) == Self.expected)
    let plain = try store.plain()
    #expect(
      try plain.rows("SELECT ZNAME, Z4_PLACE FROM ZITEM ORDER BY 1")
        == [
          [.text("x"), .integer(6)], [.text("y"), .integer(6)], [.text("z"), .integer(4)],
        ])
  }

  @Test func newObjectsGetNewKeys() throws {
    let store = try store(
      to: model(adding: [EntityDescription("Aardvark", attributes: [Self.name])]))
    let stack = try store.migrate()
    try stack.look { context throws in
      let room = try context.make("Room", ["name": "S"])
      try context.all("Item")[0].setObject(room, forKey: "place")
      try context.make("Aardvark", ["name": "first"])
      try context.save()
      #expect(try context.all("Place").count == 3)
    }
    #expect(try describe(stack).contains("S: x"))
    #expect(try stack.store.integrityProblems() == [])
  }

  @Test func anEntityIsRemoved() throws {
    let store = try store(to: model(without: ["Album"]))
    let forecast = try store.forecast()
    #expect(forecast.losses.contains(.init(entity: "Album", count: 2)))
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Tag", "name") == ["T"])
      #expect(try context.values("Item", "name") == ["x", "y", "z"])
      let rooms = try context.all("Room")
      let things = rooms[0].objects(forKey: "things").map { $0["name"] }
      #expect(things == ["y", "x"])
    }
    let tables = try store.plain().tables()
    #expect(!tables.contains("ZALBUM"))
  }

  @Test func referencesToRowsOfARemovedSubentityGo() throws {
    let store = try store(to: model(without: ["Room"]))
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Place", "name") == ["P"])
      let places = try context.all("Item").map { $0.object(forKey: "place") }
      #expect(places.map { $0 == nil } == [true, true, false])
    }
  }

  @Test func entitiesAreRenamed() throws {
    let names = ["Item": "Thing", "Place": "Area", "Tag": "Album", "Album": "Tag"]
    let store = try store(to: model(renaming: names))
    #expect(try describe(store.migrate(), names) == Self.expected)
  }
}

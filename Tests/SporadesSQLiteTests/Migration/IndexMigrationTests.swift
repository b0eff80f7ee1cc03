// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@Suite struct IndexMigrationTests {
  private func model(
    _ change: (inout EntityDescription, inout EntityDescription) -> Void = { _, _ in }
  ) throws -> ManagedObjectModel {
    var person = EntityDescription(
      "Person", attributes: [AttributeDescription("name", .string, isOptional: true)],
      relationships: [.toMany("pets", "Pet", inverse: "owner")])
    var pet = EntityDescription(
      "Pet",
      attributes: [
        AttributeDescription("name", .string, isOptional: true),
        AttributeDescription("x", .double, isOptional: true),
        AttributeDescription("y", .double, isOptional: true),
      ], relationships: [.toOne("owner", "Person", inverse: "pets")])
    change(&person, &pet)
    return try ManagedObjectModel(entities: [person, pet])
  }

  private func store(
    _ old: ManagedObjectModel, _ new: ManagedObjectModel
  ) throws -> MigratedStore {
    try MigratedStore(from: old, to: new) { context in
      let person = try context.make("Person", ["name": "a"])
      let pets = try ["x", "x", "y"].map {
        try context.make("Pet", ["name": .string($0), "x": 1.0, "y": 2.0])
      }
      person.setObjects([pets[0], pets[2]], forKey: "pets")
    }
  }

  /// Indexes are no part of a version, so another change brings them.
  private static func modified(_ entity: inout EntityDescription) {
    entity.versionHashModifier = "2"
  }

  @Test func indexesComeAndGo() throws {
    let store = try store(
      model { $1.indexes = [FetchIndexDescription("byName", on: "name")] },
      model {
        $1.indexes = [FetchIndexDescription("byPlace", on: "x", "y")]
        Self.modified(&$1)
      })
    let forecast = try store.forecast()
    #expect(
      forecast.steps.map(\.text)
        == ["drop the index Z_Pet_byName", "create the index Z_Pet_byPlace"])
    try store.migrate().store.close()
  }

  private func indexes(_ store: PlainStore) throws -> [(name: String, sql: String)] {
    try store.rows(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name"
    ).compactMap { row in
      guard case .text(let name) = row[0], case .text(let sql) = row[1] else { return nil }
      return (name, sql)
    }
  }

  /// Older systems named their indexes otherwise. The new entity gives the columns of the join other numbers.
  @Test func noIndexStaysThatEqualsAnother() throws {
    func linked(_ more: [EntityDescription]) throws -> ManagedObjectModel {
      let entities = try model { person, pet in
        person.relationships.append(.toMany("friends", "Pet", inverse: "fans"))
        pet.relationships.append(.toMany("fans", "Person", inverse: "friends"))
      }.entities
      return try ManagedObjectModel(entities: entities + more)
    }
    let note = EntityDescription(
      "Note", attributes: [AttributeDescription("text", .string, isOptional: true)])
    let store = try store(linked([]), linked([note]))
    let plain = try store.plain()
    let joins = try indexes(plain).filter { $0.name.hasPrefix("Z_") }
    let (name, sql) = try #require(joins.first)
    #expect(joins.count == 1)
    try plain.run("DROP INDEX \(name)")
    try plain.run(sql.replacingOccurrences(of: name, with: "FORMER_NAME"))
    // It compares the tables and indexes with those of a new file.
    try store.migrate().store.close()
    #expect(try indexes(store.plain()).contains { $0.name == "FORMER_NAME" } == false)
  }

  @Test func constraintsListTheirDuplicates() throws {
    let new = try model { $1.uniquenessConstraints = [["name"]] }
    let store = try store(model(), new)
    let problems = try store.problems()
    #expect(problems.map(\.kind) == [.duplicates])
    #expect(problems.map(\.count) == [2])
    try store.plain().run("UPDATE ZPET SET ZNAME = 'z' WHERE Z_PK = \(problems[0].keys[0])")
    try store.alone.migrate().store.close()
    let back = try MigratedStore(from: new, to: model()) { try $0.make("Pet") }
    try back.migrate().store.close()
  }

  @Test func derivedAttributesAreComputed() throws {
    func derived(_ name: String, _ type: AttributeType, _ text: String) -> AttributeDescription {
      var attribute = AttributeDescription(name, type, isOptional: true)
      attribute.derivationExpression = text
      return attribute
    }
    let new = try model { person, pet in
      person.attributes += [
        derived("number", .integer64, "pets.@count"), derived("total", .double, "pets.@sum.x"),
      ]
      pet.attributes += [
        derived("ownerName", .string, "owner.name"), derived("big", .string, "uppercase:(name)"),
        derived("plain", .string, "canonical:(name)"),
      ]
    }
    let store = try store(model(), new)
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Person", "number") == [2])
      #expect(try context.values("Person", "total") == [2.0])
      #expect(Set(try context.values("Pet", "ownerName")) == ["a", .null])
      #expect(Set(try context.values("Pet", "big")) == ["X", "Y"])
      #expect(Set(try context.values("Pet", "plain")) == ["x", "y"])
      let pet = try context.make("Pet", ["x": 3.0])
      pet.setObject(try context.all("Person")[0], forKey: "owner")
      try context.save()
      #expect(try context.values("Person", "number") == [3])
    }
    try stack.store.close()
    let back = try MigratedStore(from: new, to: model()) { context in
      let person = try context.make("Person", ["name": "a"])
      person.setObjects([try context.make("Pet", ["name": "x"])], forKey: "pets")
    }
    try back.migrate().store.close()
  }

  @Test func rTreesFollow() throws {
    let area = FetchIndexDescription(
      "place", [.init("x", collation: .rTree), .init("y", collation: .rTree)])
    let new = try model {
      $1.indexes = [area]
      Self.modified(&$1)
    }
    let store = try store(model(), new)
    try store.migrate().store.close()
    #expect(try store.plain().rows("SELECT COUNT(*) FROM Z_Pet_place") == [[.integer(3)]])
    let renamed = try model {
      $1.indexes = [area]
      $1.name = "Animal"
      $1.renamingIdentifier = "Pet"
      $0.relationships = [.toMany("pets", "Animal", inverse: "owner")]
    }
    let stack = DataStack(store: try SQLiteStore(url: store.url, model: renamed))
    try stack.look { context throws in
      try context.make("Animal", ["x": 5.0, "y": 5.0])
      try context.save()
    }
    try stack.store.close()
    #expect(try store.plain().rows("SELECT COUNT(*) FROM Z_Animal_place") == [[.integer(4)]])
  }

  // MARK: - Other programs

  @Test func indexesAndTriggersOfOthersStay() throws {
    let new = try model { _, pet in
      pet.attributes.removeLast()
      pet.attributes[1] = AttributeDescription("x", .integer64, isOptional: true)
      pet.attributes[0].name = "title"
      pet.attributes[0].renamingIdentifier = "name"
    }
    let store = try store(model(), new)
    let plain = try store.plain()
    try plain.run("ALTER TABLE ZPET ADD COLUMN mine TEXT DEFAULT 'm'")
    try plain.run("CREATE INDEX theirs ON ZPET (mine, ZNAME)")
    try plain.run("CREATE INDEX lost ON ZPET (ZY)")
    try plain.run("CREATE TABLE seen (k)")
    try plain.run(
      "CREATE TRIGGER watch AFTER INSERT ON ZPET BEGIN INSERT INTO seen VALUES (NEW.mine); END")
    let stack = DataStack(store: try SQLiteStore(url: store.url, model: new, options: .losing))
    try stack.look { context throws in
      try context.make("Pet", ["title": "new"])
      try context.save()
    }
    try stack.store.close()
    #expect(try store.plain().rows("SELECT k FROM seen") == [[.text("m")]])
    #expect(
      try store.plain().rows("SELECT sql FROM sqlite_master WHERE name IN ('theirs', 'lost')")
        == [[.text("CREATE INDEX theirs ON ZPET (mine, ZTITLE)")]])
  }

  @Test func aTriggerThatFitsNoLongerIsReported() throws {
    let new = try model { _, pet in pet.attributes.removeLast() }
    let store = try store(model(), new)
    let plain = try store.plain()
    try plain.run("CREATE TABLE seen (k)")
    try plain.run(
      "CREATE TRIGGER watch AFTER INSERT ON ZPET BEGIN INSERT INTO seen VALUES (NEW.ZY); END")
    let before = try plain.contents()
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(url: store.url, model: new, options: .losing)
    }
    guard case .cannotMigrate(let problems)? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problems.count == 1)
    #expect(problems[0].sentence.contains("watch"))
    #expect(try store.plain().contents() == before)
  }
}

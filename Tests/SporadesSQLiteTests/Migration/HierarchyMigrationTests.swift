// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@Suite struct HierarchyMigrationTests {
  private static func attribute(_ name: String) -> AttributeDescription {
    AttributeDescription(name, .string, isOptional: true)
  }

  private static func entity(
    _ entity: String, _ attributes: [String] = [], under parent: String? = nil,
    isAbstract: Bool = false, _ relationships: [RelationshipDescription] = []
  ) -> EntityDescription {
    EntityDescription(
      entity, attributes: attributes.map(attribute), relationships: relationships,
      superentityName: parent, isAbstract: isAbstract)
  }

  private static let owner = entity(
    "Owner", ["name"],
    [
      .toMany("cats", "Cat", inverse: "owner"),
      .toMany("dogs", "Dog", inverse: "owner", isOrdered: true),
    ])

  private static func owned(by name: String) -> [RelationshipDescription] {
    [.toOne("owner", "Owner", inverse: name)]
  }

  private func apart() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      Self.owner, Self.entity("Cat", ["name", "lives"], Self.owned(by: "cats")),
      Self.entity("Dog", ["name", "breed"], Self.owned(by: "dogs")),
    ])
  }

  private func together(isAbstract: Bool) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      Self.owner, Self.entity("Animal", ["name"], isAbstract: isAbstract),
      Self.entity("Cat", ["lives"], under: "Animal", Self.owned(by: "cats")),
      Self.entity("Dog", ["breed"], under: "Animal", Self.owned(by: "dogs")),
    ])
  }

  private func fill(_ context: ManagedObjectContext) throws {
    let owner = try context.make("Owner", ["name": "o"])
    let cats = try ["c1", "c2"].map {
      try context.make("Cat", ["name": .string($0), "lives": "9"])
    }
    let dogs = try ["d1", "d2", "d3"].map {
      try context.make("Dog", ["name": .string($0), "breed": "pug"])
    }
    owner.setObjects([cats[0]], forKey: "cats")
    owner.setObjects([dogs[2], dogs[0]], forKey: "dogs")
  }

  private func check(_ stack: DataStack) throws {
    try stack.look { context throws in
      context.durability = .immediate
      #expect(try context.values("Cat", "name") == ["c1", "c2"])
      #expect(try context.values("Cat", "lives") == ["9", "9"])
      #expect(try context.values("Dog", "name") == ["d1", "d2", "d3"])
      #expect(try context.values("Dog", "breed") == ["pug", "pug", "pug"])
      let owner = try context.all("Owner")[0]
      let names = (owner.objects(forKey: "cats") + owner.objects(forKey: "dogs")).map { $0["name"] }
      #expect(names == ["c1", "d3", "d1"])
      let dog = try context.make("Dog", ["name": "d4"])
      dog.setObject(owner, forKey: "owner")
      try context.save()
    }
    // The test reads the file beside the store.
    #expect(stack.root.commit(.immediate) == nil)
    #expect(try stack.store.integrityProblems() == [])
  }

  @Test(arguments: [true, false]) func entitiesComeUnderANewParent(_ isAbstract: Bool) throws {
    let store = try MigratedStore(from: apart(), to: together(isAbstract: isAbstract), fill)
    #expect(try store.forecast().notes.count == 1)
    let stack = try store.migrate()
    try check(stack)
    #expect(
      try store.plain().rows("SELECT COUNT(*), COUNT(DISTINCT Z_PK) FROM ZANIMAL") == [
        [.integer(6), .integer(6)]
      ])
  }

  @Test func entitiesLeaveTheirParent() throws {
    let store = try MigratedStore(from: together(isAbstract: true), to: apart(), fill)
    try check(store.migrate())
  }

  @Test func anEntityMovesBelowAnother() throws {
    let old = try ManagedObjectModel(entities: [
      Self.entity("A", ["name"]), Self.entity("B", under: "A"),
      Self.entity("C", ["note"], under: "A"),
    ])
    let new = try ManagedObjectModel(entities: [
      Self.entity("A", ["name"]), Self.entity("B", under: "A"),
      Self.entity("C", ["note"], under: "B"),
    ])
    let store = try MigratedStore(from: old, to: new) { context in
      try context.make("A", ["name": "a"])
      try context.make("B", ["name": "b"])
      try context.make("C", ["name": "c", "note": "n"])
    }
    #expect(try store.forecast().rows == 0)
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("A", "name") == ["a", "b", "c"])
      #expect(try context.values("B", "name") == ["b", "c"])
      #expect(try context.values("C", "note") == ["n"])
    }
  }

  @Test func attributesMoveIntoTheParentAndBack() throws {
    let low = try ManagedObjectModel(entities: [
      Self.entity("A", ["name"], isAbstract: true), Self.entity("B", ["note"], under: "A"),
      Self.entity("C", ["note"], under: "A"), Self.entity("D", under: "A"),
    ])
    let high = try ManagedObjectModel(entities: [
      Self.entity("A", ["name", "note"], isAbstract: true), Self.entity("B", under: "A"),
      Self.entity("C", under: "A"), Self.entity("D", under: "A"),
    ])
    func fill(_ context: ManagedObjectContext) throws {
      try context.make("B", ["name": "b", "note": "1"])
      try context.make("C", ["name": "c", "note": "2"])
      try context.make("D", ["name": "d"])
    }
    let up = try MigratedStore(from: low, to: high, fill)
    let stack = try up.migrate()
    try stack.look { context throws in
      #expect(try context.values("A", "note") == ["1", "2", .null])
    }
    let down = try MigratedStore(from: high, to: low, fill)
    let other = try down.migrate()
    try other.look { context throws in
      #expect(try context.values("B", "note") == ["1"])
      #expect(try context.values("C", "note") == ["2"])
    }
  }

  @Test func anEntityWithObjectsDoesNotBecomeAbstract() throws {
    let old = try ManagedObjectModel(entities: [
      Self.entity("A", ["name"]), Self.entity("B", under: "A"),
    ])
    let new = try ManagedObjectModel(entities: [
      Self.entity("A", ["name"], isAbstract: true), Self.entity("B", under: "A"),
    ])
    let full = try MigratedStore(from: old, to: new) { try $0.make("A", ["name": "a"]) }
    let problems = try full.problems()
    #expect(problems.map(\.kind) == [.unsupported])
    #expect(problems.map(\.count) == [1])
    let empty = try MigratedStore(from: old, to: new) { try $0.make("B", ["name": "b"]) }
    let stack = try empty.migrate()
    try stack.look { context throws in #expect(try context.values("A", "name") == ["b"]) }
    let back = try MigratedStore(from: new, to: old) { try $0.make("B", ["name": "b"]) }
    try back.migrate().store.close()
  }

  @Test func aReferenceToTheParentKnowsTheEntities() throws {
    func model(_ destination: String) throws -> ManagedObjectModel {
      try ManagedObjectModel(entities: [
        Self.entity("A", ["name"]), Self.entity("B", under: "A"), Self.entity("C", under: "A"),
        Self.entity("Link", ["name"], [.toOne("end", destination)]),
      ])
    }
    func fill(_ context: ManagedObjectContext) throws {
      try context.make("Link", ["name": "1"]).setObject(
        context.make("B", ["name": "b"]), forKey: "end")
    }
    let up = try MigratedStore(from: model("B"), to: model("A"), fill)
    let stack = try up.migrate()
    try stack.look { context throws in
      #expect(try context.all("Link")[0].object(forKey: "end")?["name"] == "b")
      #expect(try context.all("Link")[0].object(forKey: "end")?.entity.name == "B")
    }
    let down = try MigratedStore(from: model("A"), to: model("B")) { context in
      try fill(context)
      try context.make("Link", ["name": "2"]).setObject(
        context.make("C", ["name": "c"]), forKey: "end")
    }
    let other = try down.migrate()
    try other.look { context throws in
      let ends = try context.all("Link").map { $0.object(forKey: "end")?["name"] }
      #expect(ends == ["b", nil])
    }
  }

  /// The column of an attribute of a subentity is in the rows of all entities of its tree.
  @Test func aDefaultGoesToTheRowsThatHaveTheAttribute() throws {
    func model(_ code: AttributeDescription) throws -> ManagedObjectModel {
      try ManagedObjectModel(entities: [
        Self.entity("Person", ["name"]),
        EntityDescription(
          "Employee", attributes: [code], superentityName: "Person",
          uniquenessConstraints: [["code"]]),
      ])
    }
    let store = try MigratedStore(
      from: model(AttributeDescription("code", .string, isOptional: true)),
      to: model(AttributeDescription("code", .string, defaultValue: "none"))
    ) { context throws in
      for name in ["a", "b", "c"] { try context.make("Person", ["name": .string(name)]) }
      try context.make("Employee", ["name": "d", "code": "1"])
      try context.make("Employee", ["name": "e"])
    }
    #expect(try store.forecast().problems == [])
    try store.migrate().look { context throws in
      #expect(try context.values("Employee", "code") == ["1", "none"])
    }
    #expect(
      try store.plain().rows("SELECT ZCODE FROM ZPERSON WHERE ZNAME < 'd'").map(\.first)
        == [.null, .null, .null])
  }

  /// Only some of the linked objects are of the entity to which the relationship leads from now on.
  @Test func aCountFollowsLinksThatAreCut() throws {
    func model(_ destination: String) throws -> ManagedObjectModel {
      var count = AttributeDescription("count", .integer64, isOptional: true)
      count.derivationExpression = "things.@count"
      var tag = Self.entity("Tag", ["name"], [.toMany("things", destination)])
      tag.attributes.append(count)
      return try ManagedObjectModel(entities: [
        tag, Self.entity("Pet", ["name"]), Self.entity("Puppy", under: "Pet"),
      ])
    }
    let store = try MigratedStore(from: model("Pet"), to: model("Puppy")) { context throws in
      let things = try ["Pet", "Puppy", "Pet"].map { try context.make($0) }
      try context.make("Tag", ["name": "t"]).setObjects(things, forKey: "things")
    }
    try store.migrate().look { context throws in
      #expect(try context.values("Tag", "count") == [1])
    }
  }
}

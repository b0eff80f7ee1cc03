// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// What is known before a migration runs, and how far a running one is.
@Suite struct ForecastMigrationTests {
  private static let name = AttributeDescription("name", .string, isOptional: true)

  // MARK: - Links

  private func people(
    pets: [RelationshipDescription], friends: [RelationshipDescription] = [],
    owner: [RelationshipDescription]
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription("Person", attributes: [Self.name], relationships: pets + friends),
      EntityDescription("Pet", attributes: [Self.name], relationships: owner),
    ])
  }

  private func linked(to new: ManagedObjectModel) throws -> MigratedStore {
    let old = try people(
      pets: [.toMany("pets", "Pet", inverse: "owner")],
      friends: [.toMany("friends", "Person", inverse: "friends")],
      owner: [.toOne("owner", "Person", inverse: "pets")])
    return try MigratedStore(from: old, to: new) { context in
      let persons = try ["a", "b", "c"].map {
        try context.make("Person", ["name": .string($0)])
      }
      persons[0].setObjects([persons[1], persons[2]], forKey: "friends")
      let pets = try ["x", "y", "z"].map { try context.make("Pet", ["name": .string($0)]) }
      pets[0].setObject(persons[0], forKey: "owner")
      pets[1].setObject(persons[0], forKey: "owner")
    }
  }

  @Test func linksOfGoneRelationshipsAreLosses() throws {
    let forecast = try linked(to: people(pets: [], owner: [])).forecast()
    let losses = Set(forecast.losses.map { "\($0.entity).\($0.property ?? ""): \($0.count)" })
    #expect(losses == ["Pet.owner: 2", "Person.friends: 4"])
  }

  @Test func linksThatTheOtherSideKeepsAreNoLosses() throws {
    let new = try people(
      pets: [], friends: [.toMany("friends", "Person", inverse: "friends")],
      owner: [.toOne("owner", "Person")])
    #expect(try linked(to: new).forecast().losses == [])
  }

  @Test func linksToObjectsOfAnEntityThatTheRelationshipNoLongerReachesAreLosses() throws {
    let new = try people(
      pets: [], friends: [.toMany("friends", "Person", inverse: "friends")],
      owner: [.toOne("owner", "Pet")])
    let losses = try linked(to: new).forecast().losses
    #expect(losses == [.init(entity: "Pet", property: "owner", count: 2)])
  }

  @Test func objectsWithoutRequiredLinksAreNoted() throws {
    var pets = RelationshipDescription.toMany("pets", "Pet", inverse: "owner")
    pets.isOptional = false
    let owner = RelationshipDescription.toOne("owner", "Person", inverse: "pets")
    let store = try linked(to: people(pets: [pets], owner: [owner]))
    let note = "have no link of Person.pets, which becomes required."
    let notes = try store.forecast().notes
    #expect(notes.contains { $0.contains(note) }, "\(notes)")
    try store.migrate().look { context in
      let names = try context.values("Pet", "name")
      #expect(names == ["x", "y", "z"])
    }
  }

  @Test func objectsWithoutARequiredLinkAreRefused() throws {
    let pets = RelationshipDescription.toMany("pets", "Pet", inverse: "owner")
    var owner = RelationshipDescription.toOne("owner", "Person", inverse: "pets")
    owner.isOptional = false
    let problems = try linked(to: people(pets: [pets], owner: [owner])).problems()
    #expect(problems.map(\.kind) == [.missingLink])
    #expect(problems.map { "\($0.entity).\($0.property ?? "")" } == ["Pet.owner"])
    #expect(problems.map(\.count) == [1])
    let text = problems.map(\.description).joined()
    #expect(text.hasPrefix("1 object has no link of Pet.owner, which is required."), "\(text)")
    #expect(text.hasSuffix("The key is \(problems[0].keys[0])."), "\(text)")
  }

  /// The objects have links, and the entity that these lead to goes.
  @Test func requiredLinksToObjectsThatGoAreRefused() throws {
    var entities = [
      EntityDescription("Person", attributes: [Self.name]),
      EntityDescription("Robot", superentityName: "Person"),
      EntityDescription(
        "Pet", attributes: [Self.name],
        relationships: [.toOne("owner", "Person", isOptional: false)]),
    ]
    let old = try ManagedObjectModel(entities: entities)
    entities.remove(at: 1)
    let store = try MigratedStore(from: old, to: ManagedObjectModel(entities: entities)) {
      context in
      for (name, owner) in [("x", "Person"), ("y", "Robot")] {
        let pet = try context.make("Pet", ["name": .string(name)])
        pet.setObject(try context.make(owner, ["name": "o"]), forKey: "owner")
      }
    }
    let problems = try store.problems()
    #expect(problems.map(\.kind) == [.missingLink])
    #expect(problems.map(\.count) == [1])
  }

  // MARK: - Sizes

  private func readings(_ type: AttributeType, _ others: [String] = []) throws -> ManagedObjectModel
  {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Reading",
        attributes: [
          Self.name, AttributeDescription("number", type, isOptional: true),
        ] + others.map { AttributeDescription($0, .string, isOptional: true) })
    ])
  }

  private func filled(_ count: Int, to new: ManagedObjectModel) throws -> MigratedStore {
    let store = try MigratedStore(from: readings(.integer64), to: new) { _ in }
    try PlainStore(store.url.path).run(
      """
      INSERT INTO ZREADING (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNUMBER) WITH RECURSIVE \
      n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) \
      SELECT i, 1, 1, 'reading ' || i, i FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_ENT = 1
      """)
    return store
  }

  @Test func theBytesAreThoseOfTheTablesThatAreWritten() throws {
    let converted = try filled(20_000, to: readings(.string)).forecast()
    #expect(converted.bytes > 20_000 * 20)
    #expect(converted.bytes < 20_000 * 100)
    let added = try filled(20_000, to: readings(.integer64, ["remark"])).forecast()
    #expect(added.bytes == 0)
  }

  // MARK: - Versions in between

  /// The attribute is gone in the second of three versions, and there again in the third.
  private func reading(_ attributes: [String]) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Reading",
        attributes: (["name"] + attributes).map {
          AttributeDescription($0, .string, isOptional: true)
        })
    ])
  }

  @Test(arguments: [true, false])
  func aPartThatAVersionInBetweenLacksEnds(_ isListed: Bool) throws {
    let (first, second) = (try reading(["place"]), try reading([]))
    var store = try MigratedStore(from: first, to: reading(["place", "unit"])) { context in
      try context.make("Reading", ["name": "a", "place": "p"])
    }
    store.options.migration.versions = isListed ? [first, second] : [second]
    let forecast = try store.forecast()
    #expect(forecast.losses.map(\.count) == (isListed ? [1] : []))
    let isNoted = forecast.notes.contains { $0.contains("is not in migration.versions") }
    #expect(isNoted == !isListed)
    try store.migrate().look { context in
      let places = try context.values("Reading", "place")
      #expect(places == (isListed ? [.null] : ["p"]))
    }
  }

  // MARK: - Long statements

  @Test func progressGrowsWithinOneStatement() throws {
    var store = try filled(100_000, to: readings(.string))
    let fractions = Fractions()
    let progress = MigrationProgress()
    progress.observe { fractions.add($0) }
    store.options.migration.progress = progress
    try SQLiteStore(url: store.url, model: store.new, options: store.options).close()
    let all = fractions.all
    #expect(all.count > 3)
    #expect(all == all.sorted())
    #expect(all.last == 1)
  }

  @Test func aLongStatementIsCancelled() throws {
    var store = try filled(100_000, to: readings(.string))
    let image = try PlainStore(store.url.path).contents()
    let fractions = Fractions()
    let progress = MigrationProgress()
    progress.observe {
      fractions.add($0)
      progress.cancel()
    }
    store.options.migration.progress = progress
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(url: store.url, model: store.new, options: store.options).close()
    }
    #expect(error?.code == .cancelled)
    #expect(fractions.all.count == 1)
    #expect(fractions.all.allSatisfy { $0 < 0.8 })
    #expect(try PlainStore(store.url.path).contents() == image)
  }

  private final class Fractions: Sendable {
    private let fractions = Guarded<[Double]>([])
    var all: [Double] { fractions.withLock { $0 } }
    func add(_ fraction: Double) { fractions.withLock { $0.append(fraction) } }
  }

  // MARK: - Configurations

  private func divided(_ others: [EntityDescription], _ more: [String]) throws -> ManagedObjectModel
  {
    let attributes =
      [Self.name] + more.map { AttributeDescription($0, .integer64, defaultValue: 7) }
    return try ManagedObjectModel(
      entities: others + [
        EntityDescription("Draft", attributes: attributes),
        EntityDescription("Note", attributes: attributes),
      ], configurations: ["Cloud": ["Note"] + others.map(\.name), "Local": ["Draft"]])
  }

  @Test(arguments: [("Local", "Draft", "Cloud"), ("Cloud", "Note", "Local")])
  func aStoreOfOneConfigurationIsMigratedAlone(
    _ name: String, _ entity: String, _ other: String
  ) throws {
    let url = URL(fileURLWithPath: Sample.temporaryPath())
    let old = try divided([], [])
    let new = try divided([EntityDescription("Archive", attributes: [Self.name])], ["length"])
    var options = SQLiteStoreOptions()
    options.configuration = name
    var stack = DataStack(store: try SQLiteStore(url: url, model: old, options: options))
    try stack.newContext().performAndWait { context in
      try context.make(entity, ["name": "a"])
      try context.save()
    }
    try stack.store.close()
    stack = DataStack(store: try SQLiteStore(url: url, model: new, options: options))
    try stack.look { context in
      let values = try context.values(entity, "name") + context.values(entity, "length")
      #expect(values == ["a", 7])
    }
    try stack.store.close()
    let tables = try PlainStore(url.path).rows(
      "SELECT name FROM sqlite_master WHERE name IN ('ZARCHIVE', 'ZDRAFT', 'ZNOTE')")
    #expect(tables.count == (name == "Local" ? 1 : 2))
    options.configuration = other
    let image = try PlainStore(url.path).contents()
    #expect(throws: StoreError.self) {
      try SQLiteStore(url: url, model: new, options: options).close()
    }
    #expect(try PlainStore(url.path).contents() == image)
  }
}

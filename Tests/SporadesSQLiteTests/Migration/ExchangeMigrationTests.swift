// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Two parts of a model exchange their names. Neither name says that anything changed, so that a `versionHashModifier` makes
/// it another version.
@Suite struct ExchangeMigrationTests {
  private static let name = AttributeDescription("name", .string, isOptional: true)

  private static func fill(_ context: ManagedObjectContext) throws {
    let person = try context.make("Person", ["name": "p"])
    let pets = try ["x", "y"].map { try context.make("Pet", ["name": .string($0)]) }
    person.setObjects([pets[1], pets[0]], forKey: "pets")
    person.setObjects([pets[0]], forKey: "guests")
    person["nick"] = "n"
  }

  private static func person(_ modifier: String?) -> EntityDescription {
    var person = EntityDescription(
      "Person", attributes: [name, AttributeDescription("nick", .string, isOptional: true)],
      relationships: [
        .toMany("pets", "Pet", inverse: "owner", isOrdered: true),
        .toMany("guests", "Pet", inverse: "hosts", isOrdered: true),
      ])
    person.versionHashModifier = modifier
    return person
  }

  private static let pet = EntityDescription(
    "Pet", attributes: [name],
    relationships: [
      .toOne("owner", "Person", inverse: "pets"), .toMany("hosts", "Person", inverse: "guests"),
    ])

  private func old() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [Self.person(nil), Self.pet])
  }

  @Test func attributes() throws {
    var person = Self.person("2")
    (person.attributes[0].name, person.attributes[0].renamingIdentifier) = ("nick", "name")
    (person.attributes[1].name, person.attributes[1].renamingIdentifier) = ("name", "nick")
    let new = try ManagedObjectModel(entities: [person, Self.pet])
    try MigratedStore(from: old(), to: new, Self.fill).migrate().look { context throws in
      let person = try context.all("Person")[0]
      #expect(person["name"] == "n" && person["nick"] == "p")
      #expect(person.objects(forKey: "pets").map { $0["name"] } == ["y", "x"])
    }
  }

  /// A one-to-many and a many-to-many relationship, so that the links lie in different places.
  @Test func relationships() throws {
    var person = Self.person("2")
    var pet = Self.pet
    (person.relationships[0].name, person.relationships[0].renamingIdentifier) = ("guests", "pets")
    (person.relationships[1].name, person.relationships[1].renamingIdentifier) = ("pets", "guests")
    pet.relationships[0].inverseName = "guests"
    pet.relationships[1].inverseName = "pets"
    let new = try ManagedObjectModel(entities: [person, pet])
    try MigratedStore(from: old(), to: new, Self.fill).migrate().look { context throws in
      let person = try context.all("Person")[0]
      #expect(person.objects(forKey: "guests").map { $0["name"] } == ["y", "x"])
      #expect(person.objects(forKey: "pets").map { $0["name"] } == ["x"])
      let pet = try context.all("Pet")[0]
      #expect(pet.object(forKey: "owner") === person && pet.objects(forKey: "hosts") == [person])
    }
  }

  @Test func entities() throws {
    var person = Self.person("2")
    var pet = Self.pet
    (person.name, person.renamingIdentifier) = ("Pet", "Person")
    (pet.name, pet.renamingIdentifier) = ("Person", "Pet")
    for place in 0..<2 {
      person.relationships[place].destinationEntityName = "Person"
      pet.relationships[place].destinationEntityName = "Pet"
    }
    let new = try ManagedObjectModel(entities: [person, pet])
    try MigratedStore(from: old(), to: new, Self.fill).migrate().look { context throws in
      #expect(try context.values("Person", "name") == ["x", "y"])
      let former = try context.all("Pet")[0]
      #expect(former["name"] == "p" && former["nick"] == "n")
      #expect(former.objects(forKey: "pets").map { $0["name"] } == ["y", "x"])
    }
  }

  /// Without a modifier, the file looks like one of the newer version.
  @Test func withoutAModifierNobodyNotices() throws {
    var person = Self.person(nil)
    (person.attributes[0].name, person.attributes[0].renamingIdentifier) = ("nick", "name")
    (person.attributes[1].name, person.attributes[1].renamingIdentifier) = ("name", "nick")
    let new = try ManagedObjectModel(entities: [person, Self.pet])
    let store = try MigratedStore(from: old(), to: new, Self.fill)
    #expect(try store.forecast().steps.isEmpty)
    try store.migrate().look { context throws in
      #expect(try context.all("Person")[0]["name"] == "p")
    }
  }
}

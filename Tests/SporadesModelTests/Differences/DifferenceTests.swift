// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import Testing

/// Two versions of a model are compared, in words and in values.
@Suite struct DifferenceTests {
  private static func base() -> [EntityDescription] {
    [
      EntityDescription(
        "Owner", attributes: [AttributeDescription("name", .string)],
        relationships: [.toMany("pets", "Pet", inverse: "owner")]),
      EntityDescription(
        "Pet", attributes: [AttributeDescription("age", .integer16)],
        relationships: [.toOne("owner", "Owner", inverse: "pets")]),
      EntityDescription("Dog", superentityName: "Pet"),
    ]
  }

  /// The differences that a change of the entities makes.
  private func differences(
    _ change: (inout [EntityDescription]) throws -> Void
  ) throws -> ModelDifferences {
    var entities = Self.base()
    try change(&entities)
    let old = try ManagedObjectModel(entities: Self.base())
    let new = try ManagedObjectModel(entities: entities)
    let differences = new.differences(from: old)
    #expect(
      differences.changesVersionHashes == (old.versionChecksum != new.versionChecksum))
    return differences
  }

  @Test func aModelDoesNotDifferFromItself() throws {
    let same = try differences { $0.reverse() }
    #expect(same.isEmpty)
    #expect(same.description == "")
    #expect(!same.changesVersionHashes)
  }

  @Test func addedAndRemovedPartsAreNamed() throws {
    let found = try differences { entities in
      entities.removeLast()
      entities.append(EntityDescription("Cat", superentityName: "Pet"))
      entities[0].attributes = [AttributeDescription("email", .string, isOptional: true)]
      entities[0].attributes.append(
        AttributeDescription("scratch", .undefined, isOptional: true, isTransient: true))
    }
    #expect(
      found.description == """
        Owner.email is new: String?.
        Owner.name is gone.
        Owner.scratch is new: Undefined? transient. Version hashes stay.
        Cat is a new entity.
        Dog is gone.
        """)
    #expect(found.entities.map(\.kind) == [.changed, .added, .removed])
    #expect(found.entities[0].properties.map(\.kind) == [.added, .added, .removed])
    #expect(found.entities[1].new?.name == "Cat")
    #expect(found.entities[2].old?.superentityName == "Pet")
  }

  @Test func renamedPartsAreFoundByTheirIdentifier() throws {
    let found = try differences { entities in
      entities[1].name = "Animal"
      entities[1].renamingIdentifier = "Pet"
      entities[1].attributes[0].name = "years"
      entities[1].attributes[0].renamingIdentifier = "age"
      entities[0].relationships[0].destinationEntityName = "Animal"
      entities[2].superentityName = "Animal"
    }
    #expect(found.entities.map(\.kind) == [.changed, .renamed, .changed])
    #expect(found.entities[1].properties.map(\.kind) == [.renamed])
    #expect(found.entities[1].old?.name == "Pet")
    #expect(
      found.description == """
        Owner.pets: the destination changes from Pet to Animal.
        Animal was named Pet.
        Animal.years was named age.
        Animal.years: the renaming identifier changes from none to age. Version hashes stay.
        Animal: the renaming identifier changes from none to Pet. Version hashes stay.
        Dog: the superentity changes from Pet to Animal.
        """)
  }

  /// An identifier leads through several versions: each one keeps that of the first, or names the one before.
  @Test(arguments: ["Pet", "Animal"])
  func identifiersLeadThroughSeveralVersions(identifier: String) throws {
    func version(_ name: String, _ identifier: String?) throws -> ManagedObjectModel {
      var entity = EntityDescription(name)
      entity.renamingIdentifier = identifier
      return try ManagedObjectModel(entities: [entity])
    }
    let third = try version("Creature", identifier)
    let found = third.differences(from: try version("Animal", "Pet"))
    #expect(found.entities.map(\.kind) == [.renamed])
  }

  @Test func anEntityThatTakesAnothersNameIsNotThatOne() throws {
    let old = try ManagedObjectModel(entities: [EntityDescription("A"), EntityDescription("B")])
    var renamed = EntityDescription("B")
    renamed.renamingIdentifier = "A"
    let new = try ManagedObjectModel(entities: [renamed])
    let found = new.differences(from: old)
    #expect(found.entities.map(\.kind) == [.renamed, .removed])
    #expect(found.entities[1].name == "B")
  }

  /// The name that a renamed entity leaves is free for a new one in the same version.
  @Test func aNewEntityTakesTheNameOfARenamedOne() throws {
    let old = try ManagedObjectModel(entities: [EntityDescription("A")])
    var renamed = EntityDescription("B")
    renamed.renamingIdentifier = "A"
    let new = try ManagedObjectModel(entities: [EntityDescription("A"), renamed])
    let found = new.differences(from: old)
    #expect(Set(found.entities.map(\.kind)) == [.renamed, .added])
    #expect(found.entities.first { $0.kind == .added }?.name == "A")
    // In the next version both are themselves, although the identifier is still there.
    #expect(new.differences(from: new).entities.isEmpty)
    let direct = try ManagedObjectModel(entities: [renamed, EntityDescription("A")])
    #expect(direct.differences(from: new).entities.isEmpty)
  }

  /// A transient attribute is in no hash, and a derived one only with its expression.
  @Test func eachTraitSaysWhetherItCounts() throws {
    let found = try differences { entities in
      entities[1].attributes[0].type = .integer32
      entities[1].attributes[0].isOptional = true
      entities[1].attributes[0].defaultValue = 3
      entities[1].attributes[0].validation.maximum = 20
      entities[1].attributes[0].userInfo = ["a": "b"]
      entities[1].relationships[0].deleteRule = .deny
      entities[1].relationships[0].minCount = 1
      entities[1].indexes = [.init("byAge", on: "age")]
      entities[1].uniquenessConstraints = [["age"]]
    }
    #expect(
      found.description == """
        Pet: the list of uniqueness constraints changes from none to (age).
        Pet.age: the type changes from Integer16 to Integer32.
        Pet.age: the optional mark changes from no to yes.
        Pet.age: the default changes from none to 3. Version hashes stay.
        Pet.age: the maximum changes from none to 20. Version hashes stay.
        Pet.age: the user info changes from none to a = "b". Version hashes stay.
        Pet.owner: the least count changes from 0 to 1.
        Pet.owner: the delete rule changes from nullify to deny. Version hashes stay.
        Pet: the list of indexes changes from none to byAge(age). Version hashes stay.
        Dog has another version hash, because an entity that it inherits from has one.
        """)
    let age = try #require(found.entities[0].properties.first { $0.name == "age" })
    #expect(age.traits.map(\.changesVersionHash) == [true, true, false, false, false])
    #expect(age.traits[0].description == "type: Integer16 → Integer32")
    #expect(age.changesVersionHash)
  }

  @Test func partsOfNoStoreLeaveTheHashes() throws {
    func model(_ type: AttributeType, _ expression: String) throws -> ManagedObjectModel {
      var copy = AttributeDescription("copy", type, isOptional: true)
      copy.derivationExpression = expression
      return try ManagedObjectModel(entities: [
        EntityDescription(
          "A",
          attributes: [
            AttributeDescription("name", .integer64), AttributeDescription("title", .integer64),
            copy,
            AttributeDescription("scratch", type, isOptional: true, isTransient: true),
          ])
      ])
    }
    let types = try model(.integer16, "name").differences(from: model(.integer64, "name"))
    #expect(
      types.entities[0].properties.flatMap(\.traits).map(\.changesVersionHash) == [false, false])
    #expect(!types.changesVersionHashes)
    let expressions = try model(.integer64, "title").differences(from: model(.integer64, "name"))
    #expect(expressions.changesVersionHashes)
    #expect(
      expressions.description == "A.copy: the derivation changes from \"name\" to \"title\".")
  }

  @Test func configurationsTemplatesAndIdentifiersBelongToTheModel() throws {
    let entities = Self.base()
    let old = try ManagedObjectModel(entities: entities, configurations: ["a": ["Owner"]])
    let new = try ManagedObjectModel(
      entities: entities, configurations: ["b": ["Pet", "Dog"]],
      fetchRequestTemplates: ["all": FetchRequest("Pet", limit: 3)], versionIdentifiers: ["2"])
    let found = new.differences(from: old)
    #expect(found.entities.isEmpty && !found.isEmpty && !found.changesVersionHashes)
    #expect(
      found.description == """
        The model: the configuration a changes from Owner to none. Version hashes stay.
        The model: the configuration b changes from none to Dog, Pet. Version hashes stay.
        The model: the fetch request template all changes from none to Pet, at most 3. Version hashes stay.
        The model: the list of version identifiers changes from none to "2". Version hashes stay.
        """)
  }
}

// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesXcode
import Testing

/// A class whose properties do not fit the model of a store is refused by name, before anything is read through it.
@Suite struct ClassFitTests {
  enum Fitting {
    @Entity final class Person: ManagedObject {
      var name: String?
      // A wider number than the model's.
      var age: Int = 0
      var pets: Set<Pet>
    }
    @Entity final class Pet: ManagedObject {
      var owner: Person?
    }
  }

  enum Wrong {
    @Entity final class Person: ManagedObject {
      var name: Date?
      var agee: Int = 0
      var pets: [Pet]
    }
    @Entity final class Pet: ManagedObject {
      var owner: String?
      var name: Person?
    }
    @Entity final class Stranger: ManagedObject {
      var name: String?
    }
  }

  enum Narrow {
    @Entity final class Person: ManagedObject {
      var name: String?
      var age: Int16 = 0
      var number: Int32 = 0
      var height: Float = 0
    }
  }

  enum Wide {
    @Entity final class Person: ManagedObject {
      var age: Int = 0
      var number: Int = 0
      var height: Double = 0
    }
  }

  enum Elsewhere {
    @Entity final class Pet: ManagedObject {
      var owner: Tag?
    }
    @Entity final class Tag: ManagedObject {
      var pets: Set<Pet>
    }
  }

  private static func makeModel() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Person",
        attributes: [
          AttributeDescription("name", .string, isOptional: true),
          AttributeDescription("age", .integer16),
        ], relationships: [.toMany("pets", "Pet", inverse: "owner")]),
      EntityDescription(
        "Pet", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [.toOne("owner", "Person", inverse: "pets")]),
      EntityDescription("Tag", relationships: [.toMany("pets", "Pet")]),
    ])
  }

  private func makeFile() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sporades-fit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("Fit.sqlite")
    try DataStack(sqlite: file, model: Self.makeModel()).store.close()
    return file
  }

  @Test func aClassMayShowAPartOfItsEntity() throws {
    let stack = try DataStack(
      openingStoreAt: makeFile(), classes: [Fitting.Person.self, Fitting.Pet.self])
    try stack.main.performAndWait { context in
      let person = Fitting.Person.create(in: context)
      (person.name, person.age) = ("John", 9)
      try context.save()
    }
    try stack.store.close()
  }

  @Test func everyPropertyThatDoesNotFitIsNamed() throws {
    let error = #expect(throws: ModelError.self) {
      try DataStack(openingStoreAt: makeFile(), classes: [Wrong.Person.self, Wrong.Pet.self])
    }
    let problems = error?.problems ?? []
    #expect(
      problems.map { "\($0.entity ?? "").\($0.property ?? "")" } == [
        "Person.name", "Person.agee", "Person.pets", "Pet.owner", "Pet.name",
      ])
    #expect(problems.allSatisfy { $0.code == .unknownProperty })
    let details = problems.map(\.detail)
    #expect(
      details[0].contains(
        "of the type date in the class Person, and of the type string in the model"))
    #expect(details[1].contains("the model does not have it"))
    #expect(details[2].contains("an ordered to-many relationship in the class"))
    #expect(
      details[3].contains("is an attribute of the class Pet, and a relationship of the model"))
    #expect(
      details[4].contains("is a relationship of the class Pet, and an attribute of the model"))
  }

  private static func makeNumbers(
    _ whole: AttributeType, _ other: AttributeType, _ real: AttributeType
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Person",
        attributes: [
          AttributeDescription("name", .string, isOptional: true),
          AttributeDescription("age", whole, isOptional: true),
          AttributeDescription("number", other, isOptional: true),
          AttributeDescription("height", real, isOptional: true),
        ])
    ])
  }

  /// A narrow property would show the last bits of a large number, or a rounded one.
  @Test func aPropertyThatIsNarrowerThanTheModelIsRefused() throws {
    let error = #expect(throws: ModelError.self) {
      try DataStack(
        inMemory: Self.makeNumbers(.integer32, .integer64, .double),
        classes: [Narrow.Person.self])
    }
    #expect(error?.problems.map(\.property) == ["age", "number", "height"])
    _ = try DataStack(
      inMemory: Self.makeNumbers(.integer16, .integer32, .float), classes: [Narrow.Person.self])
    _ = try DataStack(
      inMemory: Self.makeNumbers(.integer16, .integer16, .float), classes: [Narrow.Person.self])
    _ = try DataStack(
      inMemory: Self.makeNumbers(.integer16, .integer32, .float), classes: [Wide.Person.self])
  }

  @Test func aClassWithoutItsEntityInTheModelIsRefused() throws {
    let error = #expect(throws: ModelError.self) {
      try DataStack(openingStoreAt: makeFile(), classes: [Wrong.Stranger.self])
    }
    #expect(error?.problems.map(\.code) == [.unknownEntity])
    #expect(error?.problems.first?.detail.contains("It has Person, Pet, Tag.") == true)
  }

  @Test func aRelationshipThatLeadsToAnotherEntityIsRefused() throws {
    let error = #expect(throws: ModelError.self) {
      try DataStack(openingStoreAt: makeFile(), classes: [Elsewhere.Pet.self])
    }
    #expect(error?.problems.map(\.property) == ["owner"])
    #expect(
      error?.problems.first?.detail.contains(
        "leads to Tag in the class Pet, and to the entity Person") == true)
  }

  /// The same holds wherever classes meet a model.
  @Test func stacksContainersAndServicesRefuseItAlike() throws {
    let model = try Self.makeModel()
    #expect(throws: ModelError.self) {
      try DataStack(inMemory: model, classes: [Wrong.Stranger.self])
    }
    #expect(throws: ModelError.self) {
      try DataStack(sqlite: makeFile(), model: model, classes: [Wrong.Stranger.self])
    }
    let file = try makeFile()
    #expect(throws: ModelError.self) {
      try PersistentContainer(openingStoreAt: file, classes: [Wrong.Stranger.self])
    }
    let container = PersistentContainer(
      name: "Fit", managedObjectModel: model, classes: [Wrong.Stranger.self])
    container.persistentStoreDescriptions = [PersistentStoreDescription(type: .inMemory)]
    #expect(throws: ModelError.self) { try container.loadPersistentStores() }
    let service = DALService(openingStoreAt: file, classes: [Wrong.Stranger.self])
    #expect(throws: DALError.self) { try service.readValue { _ in } }
  }
}

// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesXcode
import Testing

/// Two versions of a model with every kind of relationship.
enum Village {
  static let old: ManagedObjectModel = {
    do {
      return try ManagedObjectModel(entities: [
        EntityDescription(
          "Person",
          attributes: [
            .init("first", .string), .init("last", .string),
            .init("age", .integer32, isOptional: true),
            .init("photo", .binary, isOptional: true),
          ],
          relationships: [
            .toMany("pets", "Pet", inverse: "owner"),
            .toMany("friends", "Person", inverse: "friends"),
            .toOne("house", "House", inverse: "people"),
          ]),
        EntityDescription(
          "Pet", attributes: [.init("name", .string), .init("kind", .string)],
          relationships: [.toOne("owner", "Person", inverse: "pets")]),
        EntityDescription(
          "House", attributes: [.init("street", .string), .init("number", .string)],
          relationships: [.toMany("people", "Person", inverse: "house", isOrdered: true)]),
      ])
    } catch { preconditionFailure("\(error)") }
  }()

  static let new: ManagedObjectModel = {
    var human = EntityDescription(
      "Human",
      attributes: [
        .init("first", .string), .init("surname", .string),
        .init("age", .string, isOptional: true), .init("photo", .binary, isOptional: true),
        .init("state", .string, defaultValue: "new"),
      ],
      relationships: [
        .toMany("pets", "Animal", inverse: "owner"),
        .toMany("friends", "Human", inverse: "friends"),
        .toOne("house", "House", inverse: "people"),
      ])
    human.renamingIdentifier = "Person"
    human.attributes[1].renamingIdentifier = "last"
    var animal = EntityDescription(
      "Animal", attributes: [.init("name", .string)],
      relationships: [.toOne("owner", "Human", inverse: "pets", isOptional: false)],
      isAbstract: false)
    animal.renamingIdentifier = "Pet"
    do {
      return try ManagedObjectModel(entities: [
        human, animal,
        EntityDescription(
          "Dog", attributes: [.init("barks", .boolean, defaultValue: true)],
          superentityName: "Animal"),
        EntityDescription(
          "House", attributes: [.init("street", .string), .init("number", .integer16)],
          relationships: [.toMany("people", "Human", inverse: "house", isOrdered: true)]),
        EntityDescription("Stamp", attributes: [.init("text", .string)]),
      ])
    } catch { preconditionFailure("\(error)") }
  }()

  /// Fills a store with `count` people.
  static func fill(_ store: any PersistentStore, count: Int) throws {
    try DataStack(store: store).newContext().performAndWait { context in
      context.durability = .immediate
      var people: [ManagedObject] = []
      for number in 0..<count {
        let person = try context.insert(entityNamed: "Person")
        person["first"] = .string("F\(number)")
        person["last"] = .string("L\(number)")
        if number % 3 != 0 { person["age"] = .integer(Int64(number)) }
        people.append(person)
        for name in ["a", "b"] {
          let pet = try context.insert(entityNamed: "Pet")
          pet["name"] = .string("\(name)\(number)")
          pet["kind"] = name == "a" ? "dog" : "cat"
          pet.setObject(person, forKey: "owner")
        }
      }
      for (number, person) in people.enumerated() where number > 0 {
        person.add(people[number - 1], to: "friends")
      }
      for start in stride(from: 0, to: count, by: 4) {
        let house = try context.insert(entityNamed: "House")
        house["street"] = "Main"
        house["number"] = .string("\(start)")
        house.setObjects(people[start..<min(start + 4, count)].reversed(), forKey: "people")
      }
      try context.save()
    }
  }

  /// The mappings that a program would write for the two versions.
  static var mappings: MappingModel {
    var model = MappingModel.inferred(from: old, to: new)
    model["IEM_Add_Dog"] = nil
    model["IEM_Add_Stamp"] = nil
    model["IEM_Transform_Human"]?[attribute: "surname"] = PropertyMapping(
      "surname", "uppercase($source.last)")
    model["IEM_Transform_Animal"]?.sourceExpression = .sourceObjects(
      ofEntity: "Pet", where: "kind != 'dog'")
    var dogs = EntityMapping(
      "Dogs", from: "Pet", to: "Dog", attributes: [.init("name"), .init("barks", "nil")],
      relationships: [.init("owner")],
      sourceExpression: .sourceObjects(ofEntity: "Pet", where: "kind == 'dog'"))
    dogs.userInfo = ["by": "hand"]
    model["Dogs"] = dogs
    return model
  }
}

extension ManagedObject {
  /// The number in the object's permanent id.
  var primaryKey: Int64 { objectID.key.primaryKey }
}

/// Stores of two kinds, for the older and the newer version.
struct StorePair: CustomTestStringConvertible, Sendable {
  let old: StoreKind
  let new: StoreKind

  static let all = StoreKind.allCases.flatMap { old in
    StoreKind.allCases.map { StorePair(old: old, new: $0) }
  }

  var testDescription: String { "\(old) to \(new)" }
}

/// The problems of an error that stops a migration.
func problems(_ body: () throws -> Void) -> [MigrationProblem] {
  do {
    try body()
    Issue.record("The migration did not fail.")
  } catch let error as StoreError {
    if case .cannotMigrate(let problems) = error.code { return problems }
    Issue.record("\(error.code)")
  } catch {
    Issue.record("\(error)")
  }
  return []
}

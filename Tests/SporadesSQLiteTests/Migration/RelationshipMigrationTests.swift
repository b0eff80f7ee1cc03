// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@Suite struct RelationshipMigrationTests {
  private static let name = AttributeDescription("name", .string, isOptional: true)

  /// Persons and pets with one relationship on each side; nil for a side without one.
  struct Sides: Hashable, CustomTestStringConvertible {
    enum Kind: Hashable { case one, many, ordered }
    let pets: Kind?
    let owners: Kind?

    var testDescription: String {
      "pets \(pets.map { "\($0)" } ?? "-"), owners \(owners.map { "\($0)" } ?? "-")"
    }

  }

  private static func model(_ sides: Sides) throws -> ManagedObjectModel {
    func relationship(
      _ name: String, _ entity: String, _ kind: Sides.Kind?, _ inverse: String?
    ) -> [RelationshipDescription] {
      switch kind {
      case .one: [.toOne(name, entity, inverse: inverse)]
      case .many: [.toMany(name, entity, inverse: inverse)]
      case .ordered: [.toMany(name, entity, inverse: inverse, isOrdered: true)]
      case nil: []
      }
    }
    let both = sides.pets != nil && sides.owners != nil
    return try ManagedObjectModel(entities: [
      EntityDescription(
        "Person", attributes: [name],
        relationships: relationship("pets", "Pet", sides.pets, both ? "owners" : nil)),
      EntityDescription("Employee", superentityName: "Person"),
      EntityDescription(
        "Pet", attributes: [name],
        relationships: relationship("owners", "Person", sides.owners, both ? "pets" : nil)),
    ])
  }

  private static let all: [Sides] = {
    let kinds: [Sides.Kind?] = [nil, .one, .many, .ordered]
    return kinds.flatMap { pets in kinds.map { Sides(pets: pets, owners: $0) } }
      .filter { $0.pets != nil || $0.owners != nil }
  }()

  struct Pair: CustomTestStringConvertible {
    let old: Sides
    let new: Sides
    var testDescription: String { "\(old.testDescription) → \(new.testDescription)" }
  }

  private static let pairs = all.flatMap { old in
    all.filter { $0 != old }.map { Pair(old: old, new: $0) }
  }

  /// Links that every kind of relationship can keep: each person has one pet at most, and the reverse.
  @Test(arguments: pairs) func singleLinksSurviveEachChange(_ pair: Pair) throws {
    let store = try MigratedStore(from: Self.model(pair.old), to: Self.model(pair.new)) { context in
      let persons = try ["a", "b", "c"].map {
        try context.make($0 == "b" ? "Employee" : "Person", ["name": .string($0)])
      }
      let pets = try ["x", "y", "z"].map { try context.make("Pet", ["name": .string($0)]) }
      for (person, pet) in [(persons[0], pets[1]), (persons[1], pets[0])] {
        if let kind = pair.old.pets {
          if kind == .one {
            person.setObject(pet, forKey: "pets")
          } else {
            person.setObjects([pet], forKey: "pets")
          }
        } else if pair.old.owners == .one {
          pet.setObject(person, forKey: "owners")
        } else {
          pet.setObjects([person], forKey: "owners")
        }
      }
    }
    // A side of its own name takes its own links; a side that is new takes those of its inverse.
    let keepsLinks =
      (pair.old.pets != nil && pair.new.pets != nil)
      || (pair.old.owners != nil && pair.new.owners != nil)
    let expected = keepsLinks ? ["a: y", "b: x", "c: "] : ["a: ", "b: ", "c: "]
    #expect(try describe(store.migrate(), pair.new) == expected)
  }

  private func describe(_ stack: DataStack, _ sides: Sides) throws -> [String] {
    try stack.newContext().performAndWait { context in
      var links: [String: [String]] = ["a": [], "b": [], "c": []]
      func text(_ object: ManagedObject) -> String {
        if case .string(let text) = object["name"] { text } else { "" }
      }
      func others(_ object: ManagedObject, _ name: String, _ kind: Sides.Kind) -> [String] {
        kind == .one
          ? object.object(forKey: name).map { [text($0)] } ?? []
          : object.objects(forKey: name).map(text)
      }
      if let kind = sides.pets {
        for person in try context.all("Person") {
          links[text(person)] = others(person, "pets", kind)
        }
      } else if let kind = sides.owners {
        for pet in try context.all("Pet") {
          for person in others(pet, "owners", kind) { links[person, default: []].append(text(pet)) }
        }
      }
      return links.keys.sorted().map { "\($0): \((links[$0] ?? []).joined(separator: ", "))" }
    }
  }

  // MARK: - Order

  private static let ordered = Sides(pets: .ordered, owners: .one)
  private static let manyOrdered = Sides(pets: .ordered, owners: .many)

  private func fill(_ context: ManagedObjectContext) throws {
    let person = try context.make("Employee", ["name": "a"])
    let pets = try ["x", "y", "z"].map { try context.make("Pet", ["name": .string($0)]) }
    person.setObjects([pets[2], pets[0], pets[1]], forKey: "pets")
    try context.make("Person", ["name": "b"])
    try context.make("Person", ["name": "c"])
  }

  @Test(arguments: [
    (ordered, manyOrdered), (manyOrdered, ordered), (ordered, Sides(pets: .ordered, owners: nil)),
    (Sides(pets: .ordered, owners: nil), ordered),
    (Sides(pets: .ordered, owners: nil), manyOrdered),
    (manyOrdered, Sides(pets: .ordered, owners: nil)),
    (manyOrdered, Sides(pets: .ordered, owners: .ordered)),
  ]) func anOrderIsKept(_ old: Sides, _ new: Sides) throws {
    let store = try MigratedStore(from: Self.model(old), to: Self.model(new), fill)
    let stack = try store.migrate()
    #expect(try describe(stack, new) == ["a: z, x, y", "b: ", "c: "])
    try stack.look { context throws in
      let person = try context.all("Person")[0]
      person.setObjects(person.objects(forKey: "pets").reversed(), forKey: "pets")
      try context.save()
    }
    #expect(try describe(stack, new) == ["a: y, x, z", "b: ", "c: "])
  }

  @Test(arguments: [
    (Sides(pets: .many, owners: .one), ordered), (Sides(pets: .many, owners: .many), manyOrdered),
    (Sides(pets: .many, owners: nil), Sides(pets: .ordered, owners: nil)),
  ]) func anOrderBeginsWithTheKeys(_ old: Sides, _ new: Sides) throws {
    let store = try MigratedStore(from: Self.model(old), to: Self.model(new), fill)
    let keys = try store.plain().rows("SELECT ZNAME FROM ZPET ORDER BY Z_PK").map { row in
      if case .text(let text) = row[0] { text } else { "" }
    }
    #expect(
      try describe(store.migrate(), new)
        == ["a: \(keys.joined(separator: ", "))", "b: ", "c: "])
  }

  @Test(arguments: [
    (ordered, Sides(pets: .many, owners: .one)), (manyOrdered, Sides(pets: .many, owners: .many)),
  ]) func anOrderIsGivenUp(_ old: Sides, _ new: Sides) throws {
    let store = try MigratedStore(from: Self.model(old), to: Self.model(new), fill)
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.all("Person")[0].objects(forKey: "pets").count == 3)
    }
  }

  @Test(arguments: [
    (ordered, Sides(pets: .one, owners: .many), "pets"),
    (manyOrdered, Sides(pets: .one, owners: .one), "pets"),
  ]) func surplusLinksAreReported(_ old: Sides, _ new: Sides, _ name: String) throws {
    let store = try MigratedStore(from: Self.model(old), to: Self.model(new), fill)
    let problems = try store.problems()
    #expect(problems.map(\.kind) == [.tooManyLinks])
    #expect(problems.map(\.property) == [name])
    #expect(problems.map(\.count) == [1])
  }
}

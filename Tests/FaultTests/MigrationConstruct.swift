// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// One kind of change of a model, for a store that is filled with the older version.
struct MigrationConstruct: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let old: ManagedObjectModel
  let new: ManagedObjectModel
  private let filling: Filling

  /// Fills what a construct adds to the older version, in the objects of that version.
  typealias Filling =
    @Sendable (_ people: [ManagedObject], _ pets: [ManagedObject], _ tags: [ManagedObject]) -> Void

  /// The entities of a version, which a construct changes.
  struct Entities {
    var person = EntityDescription(
      "Person",
      attributes: [
        .init("name", .string, isOptional: true), .init("age", .integer32, isOptional: true),
        .init("photo", .binary, isOptional: true), .init("notes", .string, isOptional: true),
      ],
      relationships: [
        .toMany("pets", "Pet", inverse: "owner", isOrdered: true),
        .toMany("tags", "Tag", inverse: "persons", isOrdered: true),
        .toMany("friends", "Person", inverse: "friends"),
      ])
    var employee = EntityDescription(
      "Employee", attributes: [.init("salary", .integer64, isOptional: true)],
      superentityName: "Person")
    var pet = EntityDescription(
      "Pet", attributes: [.init("name", .string, isOptional: true)],
      relationships: [.toOne("owner", "Person", inverse: "pets")])
    var tag = EntityDescription(
      "Tag", attributes: [.init("title", .string, isOptional: true)],
      relationships: [.toMany("persons", "Person", inverse: "tags")])
    var others: [EntityDescription] = []

    init() {
      person.attributes[2].allowsExternalBinaryDataStorage = true
      person.attributes[0].preservesValueInHistoryOnDeletion = true
    }

    /// Three attributes of a person become the members of one.
    mutating func gather() {
      var origin = AttributeDescription("origin", .composite, isOptional: true)
      origin.elements = Array(person.attributes[1...])
      for place in origin.elements.indices {
        origin.elements[place].renamingIdentifier = origin.elements[place].name
      }
      person.attributes[1...] = [origin]
    }

    /// Pets are called tags, and tags pets. So are the relationships to them.
    mutating func exchangePetsAndTags() {
      (pet.name, pet.renamingIdentifier) = ("Tag", "Pet")
      (tag.name, tag.renamingIdentifier) = ("Pet", "Tag")
      pet.versionHashModifier = "2"
      tag.versionHashModifier = "2"
      person.relationships[0].name = "tags"
      person.relationships[0].renamingIdentifier = "pets"
      person.relationships[0].destinationEntityName = "Tag"
      person.relationships[1].name = "pets"
      person.relationships[1].renamingIdentifier = "tags"
      person.relationships[1].destinationEntityName = "Pet"
      pet.relationships[0].inverseName = "tags"
      tag.relationships[0].inverseName = "pets"
    }

    /// Owners do not know their pets any more.
    mutating func removePets() {
      person.relationships.removeFirst()
      pet.relationships[0].inverseName = nil
    }
  }

  /// The changes are made to both versions, and then to the newer one alone.
  init(
    _ name: String, both: (inout Entities) -> Void = { _ in },
    filling: @escaping Filling = { _, _, _ in }, _ change: (inout Entities) -> Void
  ) {
    testDescription = name
    self.filling = filling
    var entities = Entities()
    both(&entities)
    old = Self.model(entities)
    change(&entities)
    new = Self.model(entities)
  }

  private static func model(_ entities: Entities) -> ManagedObjectModel {
    let all = [entities.person, entities.employee, entities.pet, entities.tag] + entities.others
    do { return try ManagedObjectModel(entities: all) } catch {
      preconditionFailure("A construct has an impossible model: \(error)")
    }
  }

  // MARK: - Filling

  /// Writes a store of the older version with links, orders, large values and a history.
  func fill(_ store: URL) throws {
    try SQLiteStore(url: store, model: old).close()
    try RawStore.change(store, RawStore.historyTables)
    let stack = DataStack(store: try SQLiteStore(url: store, model: old))
    let context = stack.newContext()
    try context.performAndWait { context in
      let people = try (1...6).map { number in
        let person = try context.insert(entityNamed: number == 6 ? "Employee" : "Person")
        person["name"] = .string("Person \(number)")
        let photo = Data(repeating: UInt8(number), count: number % 2 == 0 ? 120_000 : 200)
        set(Int64(number * 10), photo, in: person)
        return person
      }
      let pets = try (0..<12).map { number in
        let pet = try context.insert(entityNamed: "Pet")
        pet["name"] = .string("Pet \(number)")
        // One person is deleted later: without an inverse, links to it would lead nowhere.
        pet.setObject(people[number % 4], forKey: "owner")
        return pet
      }
      let tags = try (0..<4).map { number in
        let tag = try context.insert(entityNamed: "Tag")
        tag["title"] = .string("Tag \(number)")
        return tag
      }
      for (number, person) in people.enumerated() {
        person.setObjects(Array(tags[0...(number % 4)].reversed()), forKey: "tags")
      }
      people[0].setObjects([people[1], people[5]], forKey: "friends")
      filling(people, pets, tags)
      try context.save()
      set(99, Data(repeating: 99, count: 130_000), in: people[1])
      people[2]["name"] = "Another"
      try context.save()
      context.delete(people[4])
      try context.save()
    }
    try stack.store.close()
    try RawStore.change(store, "PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Sets an age and a photo, which may be members of a composite.
  private func set(_ age: Int64, _ photo: Data, in person: ManagedObject) {
    if old.shape(named: "Person")?["origin"] != nil {
      person["origin"] = .list([.integer(age), .data(photo), .string("Note \(age)")])
    } else {
      person["age"] = .integer(age)
      person["photo"] = .data(photo)
    }
  }
}

extension MigrationConstruct {
  static let all: [MigrationConstruct] = [
    MigrationConstruct("adds and renames an attribute, adds an entity with the first number") {
      $0.person.attributes.append(.init("mail", .string, isOptional: true))
      $0.person.attributes[3].name = "remarks"
      $0.person.attributes[3].renamingIdentifier = "notes"
      $0.others.append(
        EntityDescription("Album", attributes: [.init("title", .string, isOptional: true)]))
    },
    MigrationConstruct("removes an attribute and converts another") {
      $0.person.attributes.removeLast()
      $0.person.attributes[1].type = .string
    },
    MigrationConstruct("requires an attribute, with a default") {
      $0.person.attributes[3].isOptional = false
      $0.person.attributes[3].defaultValue = .string("none")
    },
    MigrationConstruct("switches external storage off") {
      $0.person.attributes[2].allowsExternalBinaryDataStorage = false
    },
    MigrationConstruct(
      "switches external storage on",
      both: { $0.person.attributes[2].allowsExternalBinaryDataStorage = false },
      {
        $0.person.attributes[2].allowsExternalBinaryDataStorage = true
      }),
    MigrationConstruct("removes an entity with its large values") {
      $0.employee.superentityName = nil
      $0.pet.relationships = []
      $0.tag.relationships = []
      $0.person = EntityDescription(
        "Human", attributes: [.init("name", .string, isOptional: true)])
    },
    MigrationConstruct("makes a to-one relationship to-many") {
      $0.pet.relationships = [.toMany("owner", "Person", inverse: "pets")]
    },
    MigrationConstruct("takes an order away and adds another") {
      $0.person.relationships[0].isOrdered = false
      $0.tag.relationships[0].isOrdered = true
    },
    MigrationConstruct("merges two tables under a new parent") {
      $0.others.append(
        EntityDescription(
          "Being", attributes: [.init("name", .string, isOptional: true)], isAbstract: true))
      $0.person.superentityName = "Being"
      $0.person.attributes.removeFirst()
      $0.pet.superentityName = "Being"
      $0.pet.attributes = []
    },
    MigrationConstruct("adds an index, a constraint and a derived attribute") {
      $0.pet.uniquenessConstraints = [["name"]]
      $0.person.indexes = [FetchIndexDescription("byAge", on: "age")]
      var total = AttributeDescription("petCount", .integer64, isOptional: true)
      total.derivationExpression = "pets.@count"
      $0.person.attributes.append(total)
    },
    MigrationConstruct(
      "renames an entity, makes another abstract and a third one concrete",
      both: {
        $0.others = ["Ghost", "Spirit"].map {
          EntityDescription(
            $0, attributes: [.init("name", .string, isOptional: true)], isAbstract: $0 == "Ghost")
        }
      },
      {
        $0.tag.name = "Label"
        $0.tag.renamingIdentifier = "Tag"
        $0.person.relationships[1].destinationEntityName = "Label"
        $0.others[0].isAbstract = false
        $0.others[1].isAbstract = true
      }),
    MigrationConstruct("removes an inverse") { $0.removePets() },
    MigrationConstruct(
      "adds an inverse", both: { $0.removePets() },
      {
        $0.person.relationships.append(.toMany("pets", "Pet", inverse: "owner"))
        $0.pet.relationships[0].inverseName = "pets"
      }),
    MigrationConstruct("gathers attributes in a composite") { $0.gather() },
    MigrationConstruct(
      "dissolves a composite", both: { $0.gather() },
      { entities in
        var members = entities.person.attributes.remove(at: 1).elements
        for place in members.indices {
          members[place].renamingIdentifier = "origin.\(members[place].name)"
        }
        members[0].name = "years"
        entities.person.attributes += members
      }),
    MigrationConstruct(
      "makes to-many relationships to-one",
      both: {
        $0.person.relationships += [
          .toMany("guards", "Pet", inverse: "guarded"),
          .toMany("favorites", "Tag", inverse: "fans", isOrdered: true),
        ]
        $0.pet.relationships.append(.toOne("guarded", "Person", inverse: "guards"))
        $0.tag.relationships.append(
          .toMany("fans", "Person", inverse: "favorites", isOrdered: true))
      },
      filling: { people, pets, tags in
        for (number, person) in people.enumerated() where number != 2 {
          person.setObjects([pets[number * 2]], forKey: "guards")
          person.setObjects([tags[number % 2]], forKey: "favorites")
        }
        tags[0].setObjects([people[4], people[0]], forKey: "fans")
      },
      {
        for place in $0.person.relationships.indices.suffix(2) {
          $0.person.relationships[place].maxCount = 1
          $0.person.relationships[place].isOrdered = false
        }
      }),
    MigrationConstruct(
      "moves an entity to another parent in its tree",
      both: {
        $0.others.append(
          EntityDescription(
            "Adult", attributes: [.init("vote", .boolean, isOptional: true)],
            superentityName: "Person"))
      },
      { $0.employee.superentityName = "Adult" }),
    MigrationConstruct("moves an entity below another one") {
      $0.pet.superentityName = "Person"
      $0.pet.attributes = []
    },
    MigrationConstruct("moves an entity to the top") {
      $0.employee.superentityName = nil
      $0.employee.attributes += $0.person.attributes
    },
    MigrationConstruct("exchanges the names of attributes, relationships and entities") {
      $0.person.attributes[0].name = "notes"
      $0.person.attributes[0].renamingIdentifier = "name"
      $0.person.attributes[3].name = "name"
      $0.person.attributes[3].renamingIdentifier = "notes"
      $0.person.attributes[0].versionHashModifier = "2"
      $0.exchangePetsAndTags()
    },
  ]
}

// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Versions with the same hashes, one of which says what its parts were called before.
@Suite struct AlikeVersionsMigrationTests {
  /// The first version, the one that renames a part, and one whose identifier was removed later.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let versions: @Sendable () throws -> [ManagedObjectModel]
  }

  private static func person(
    _ entity: (String, String?) = ("Person", nil), _ mail: (String, String?) = ("mail", nil),
    _ friends: (String, String?) = ("friends", nil)
  ) throws -> ManagedObjectModel {
    var attribute = AttributeDescription(mail.0, .string, isOptional: true)
    attribute.renamingIdentifier = mail.1
    var relationship = RelationshipDescription.toMany(friends.0, entity.0, inverse: friends.0)
    relationship.renamingIdentifier = friends.1
    var description = EntityDescription(
      entity.0,
      attributes: [AttributeDescription("name", .string, isOptional: true), attribute],
      relationships: [relationship])
    description.renamingIdentifier = entity.1
    return try ManagedObjectModel(entities: [description])
  }

  static let cases = [
    Case(testDescription: "an attribute") {
      try [nil, "mail"].map { try person(("Person", nil), ("email", $0)) }
    },
    Case(testDescription: "a relationship") {
      try [nil, "friends"].map { try person(("Person", nil), ("mail", nil), ("pals", $0)) }
    },
    Case(testDescription: "an entity") { try [nil, "Person"].map { try person(("Human", $0)) } },
  ]

  private func store(to new: ManagedObjectModel) throws -> MigratedStore {
    var store = try MigratedStore(from: Self.person(), to: new) { context in
      let people = try ["Ada", "Alan"].map {
        try context.make("Person", ["name": .string($0), "mail": .string("\($0)@x.org")])
      }
      people[0].setObjects([people[1]], forKey: "friends")
    }
    store.options.migration.losses = .declared
    return store
  }

  private func checkWhole(_ store: MigratedStore, _ location: SourceLocation) throws {
    #expect(try store.forecast().losses == [], sourceLocation: location)
    let stack = try store.migrate()
    let entity = store.new.entities[0]
    try stack.look { context in
      let mails = try context.values(entity.name, entity.attributes[1].name)
      #expect(mails == ["Ada@x.org", "Alan@x.org"], sourceLocation: location)
      let friends = try context.all(entity.name)[0].objects(forKey: entity.relationships[0].name)
      #expect(friends.map { $0["name"] } == ["Alan"], sourceLocation: location)
    }
    try stack.store.close()
  }

  @Test(arguments: cases, [true, false])
  func theIdentifierOfAListedVersionCounts(_ item: Case, _ listsAll: Bool) throws {
    let versions = try item.versions()
    #expect(versions[0].versionChecksum == versions[1].versionChecksum)
    var store = try store(to: versions[0])
    store.options.migration.versions = [store.old, versions[1]] + (listsAll ? [versions[0]] : [])
    try checkWhole(store, #_sourceLocation)
  }

  @Test(arguments: cases)
  func theIdentifierOfTheProgramCountsBesideAListedVersionWithoutOne(_ item: Case) throws {
    let versions = try item.versions()
    var store = try store(to: versions[1])
    store.options.migration.versions = [store.old, versions[0]]
    try checkWhole(store, #_sourceLocation)
  }

  /// The next version after two of equal hashes.
  @Test(arguments: cases)
  func theIdentifierCountsInTheMiddleToo(_ item: Case) throws {
    let versions = try item.versions()
    var entities = versions[0].entities
    entities[0].attributes.append(AttributeDescription("age", .integer64, isOptional: true))
    for middle in [versions, versions.reversed()] {
      var store = try store(to: ManagedObjectModel(entities: entities))
      store.options.migration.versions = [store.old] + middle
      #expect(try store.forecast().losses == [])
      store.options.migration.versions.append(store.new)
      try checkWhole(store, #_sourceLocation)
    }
  }

  /// Two attributes that exchanged their names do so once.
  @Test func anExchangeHappensOnce() throws {
    func model(_ identifiers: [String?], _ others: [String] = []) throws -> ManagedObjectModel {
      var attributes = (["a", "b"] + others).map {
        AttributeDescription($0, .string, isOptional: true)
      }
      for (place, identifier) in identifiers.enumerated() {
        attributes[place].renamingIdentifier = identifier
      }
      return try ManagedObjectModel(entities: [EntityDescription("Pair", attributes: attributes)])
    }
    let exchanged = try model(["b", "a"], ["c"])
    var store = try MigratedStore(from: model([]), to: model([], ["c"])) {
      try $0.make("Pair", ["a": "1", "b": "2"])
    }
    store.options.migration.versions = [store.old, exchanged, exchanged, store.new]
    let stack = try store.migrate()
    try stack.look { context in
      let pair = try context.all("Pair", by: "a")[0]
      #expect(pair["a"] == "2" && pair["b"] == "1")
    }
    try stack.store.close()
  }
}

// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// The renaming identifiers of the older version.
@Suite struct OlderIdentifierTests {
  private func model(
    _ entity: (name: String, identifier: String?), _ attribute: (name: String, identifier: String?)
  ) throws -> ManagedObjectModel {
    var property = AttributeDescription(attribute.name, .string, isOptional: true)
    property.renamingIdentifier = attribute.identifier
    var description = EntityDescription(entity.name, attributes: [property])
    description.renamingIdentifier = entity.identifier
    return try ManagedObjectModel(entities: [description, EntityDescription("Other")])
  }

  @Test func valuesAndObjectsStay() throws {
    let store = try MigratedStore(
      from: model(("Animal", "Pet"), ("old", "new")), to: model(("Pet", nil), ("new", nil))
    ) { try $0.make("Animal", ["old": "kept"]) }
    #expect(try store.forecast().losses == [])
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Pet", "new", by: "new") == ["kept"])
    }
    try stack.store.close()
  }

  /// The program has given the older version its identifiers after the store was made.
  @Test func identifiersOfAListedVersionCount() throws {
    var store = try MigratedStore(
      from: model(("Animal", nil), ("old", nil)), to: model(("Pet", nil), ("new", nil))
    ) { try $0.make("Animal", ["old": "kept"]) }
    store.options.migration.versions = [try model(("Animal", "Pet"), ("old", "new"))]
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Pet", "new", by: "new") == ["kept"])
    }
    try stack.store.close()
  }

  @Test func aPairInDoubtIsRefusedByName() throws {
    func model(_ names: [(String, String?)]) throws -> ManagedObjectModel {
      try ManagedObjectModel(
        entities: names.map { name, identifier in
          var entity = EntityDescription(
            name, attributes: [AttributeDescription("name", .string, isOptional: true)])
          entity.renamingIdentifier = identifier
          return entity
        })
    }
    let store = try MigratedStore(
      from: model([("Cat", "Pet"), ("Dog", "Pet")]), to: model([("Pet", nil), ("Cow", nil)])
    ) { try $0.make("Cat", ["name": "Tom"]) }
    let problems = try store.problems()
    let sentence = try #require(problems.first?.sentence)
    for name in ["Cat", "Dog", "Pet"] { #expect(sentence.contains(name)) }
  }
}

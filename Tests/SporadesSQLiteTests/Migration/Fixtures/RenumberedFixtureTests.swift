// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Stores that Apple's frameworks wrote, changed to another version of their model. Works on copies.
@Suite(.enabled(if: StoreFixture.areThere)) struct RenumberedFixtureTests {
  /// The model with a first entity, which gives all others new numbers, and with a new attribute in each tree.
  private func widened(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
    let added = AttributeDescription("zzzAdded", .string, isOptional: true)
    var entities = model.entities
    for place in entities.indices where entities[place].superentityName == nil {
      entities[place].attributes.append(added)
    }
    return try ManagedObjectModel(
      entities: entities + [EntityDescription("AAAFirst", attributes: [added])],
      configurations: model.configurations, fetchRequestTemplates: model.fetchRequestTemplates,
      versionIdentifiers: model.versionIdentifiers)
  }

  @Test(arguments: StoreFixture.all + StoreFixture.cached)
  func rowsAndLinksStay(_ fixture: StoreFixture) throws {
    let path = try fixture.copy()
    let before = try SQLiteStore(path: path, model: fixture.model)
    let expected = try describe(before, fixture.model)
    let faults = try before.integrityProblems().count
    try before.close()
    let new = try widened(fixture.model)
    var options = SQLiteStoreOptions()
    // Stores of old systems carry no model.
    options.migration.versions = [fixture.model]
    let after = try SQLiteStore(path: path, model: new, options: options)
    // A counter of keys that lagged behind is corrected.
    #expect(try after.integrityProblems().count <= faults)
    let found = try describe(after, fixture.model)
    #expect(found.count == expected.count)
    for (one, other) in zip(found, expected) where one != other {
      Issue.record("\(one) was \(other)")
      break
    }
    try after.close()
    let numbers = try PlainStore(path).entities
    for shape in new.shapes { #expect(numbers[shape.name].map { Int($0.number) } == shape.number) }
  }

  /// Each object with its values and links, a line each.
  private func describe(
    _ store: SQLiteStore, _ model: ManagedObjectModel
  ) throws -> [String] {
    try DataStack(store: store).newContext().performAndWait { context in
      try model.shapes.flatMap { shape -> [String] in
        var request = FetchRequest(shape.name)
        request.includesSubentities = false
        let objects = try context.fetch(request).sorted {
          $0.objectID.key.primaryKey < $1.objectID.key.primaryKey
        }
        return objects.prefix(300).map { line($0, shape) }
      }
    }
  }

  private func line(_ object: ManagedObject, _ shape: EntityShape) -> String {
    func name(_ other: ManagedObject) -> String {
      "\(other.entity.name) \(other.objectID.key.primaryKey)"
    }
    let values = shape.attributes.filter { !$0.description.isTransient && $0.slot != nil }
      .map { "\($0.name) \(object[$0.name])" }
    let links = shape.relationships.filter(\.isStored).map { relationship in
      let others =
        relationship.isToMany
        ? object.objects(forKey: relationship.name).map(name)
        : object.object(forKey: relationship.name).map { [name($0)] } ?? []
      let list = relationship.isOrdered ? others : others.sorted()
      return "\(relationship.name) \(list.joined(separator: "+"))"
    }
    return "\(name(object)): \((values + links).joined(separator: ", "))"
  }
}

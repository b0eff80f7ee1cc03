// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// What the error about content without a place says of the reason and the remedy.
@Suite struct LossSentenceTests {
  private static let name = AttributeDescription("name", .string, isOptional: true)

  private static func model(
    _ attributes: [AttributeDescription], _ relationships: [RelationshipDescription] = [],
    others: [String: String?] = ["C": nil]
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        EntityDescription("A", attributes: [name]),
        EntityDescription("B", attributes: attributes, relationships: relationships),
      ]
        + others.sorted { $0.key < $1.key }.map {
          EntityDescription(
            $0.key, attributes: $0.value == nil ? [name] : [], superentityName: $0.value)
        })
  }

  private func sentences(
    from old: ManagedObjectModel, to new: ManagedObjectModel,
    _ losses: MigrationOptions.Losses = .declared,
    fill: (ManagedObjectContext) throws -> Void
  ) throws -> String {
    var store = try MigratedStore(from: old, to: new, fill)
    store.options.migration.losses = losses
    if losses == .refused { store.options.migration.versions = [old, new] }
    #expect(try store.problems().allSatisfy { $0.kind == .loss })
    let error = #expect(throws: StoreError.self) { try store.migrate() }
    return error?.description ?? ""
  }

  private static func link(_ context: ManagedObjectContext) throws {
    let b = try context.make("B")
    b.setObject(try context.make("A"), forKey: "a")
  }

  @Test func aRelationshipWithAnotherDestination() throws {
    let text = try sentences(
      from: Self.model([], [.toOne("a", "A")]), to: Self.model([], [.toOne("a", "C")]),
      fill: Self.link)
    #expect(text.contains("B.a leads to C now, and led to A."), "\(text)")
    #expect(text.contains("1 link of it"), "\(text)")
  }

  @Test func anEntityThatLeavesTheTreeOfADestination() throws {
    let text = try sentences(
      from: Self.model([], [.toOne("a", "A")], others: ["C": "A"]),
      to: Self.model([], [.toOne("a", "A")], others: ["C": nil])
    ) { context in
      let b = try context.make("B")
      b.setObject(try context.make("C"), forKey: "a")
    }
    #expect(text.contains("1 link of B.a to objects that are no A in the model"), "\(text)")
  }

  @Test func anAttributeThatBecomesARelationship() throws {
    let text = try sentences(
      from: Self.model([AttributeDescription("a", .string, isOptional: true)]),
      to: Self.model([], [.toOne("a", "A")])
    ) { try $0.make("B", ["a": "x"]) }
    #expect(text.contains("B.a is a relationship now, and was an attribute."), "\(text)")
  }

  @Test func aRelationshipThatBecomesAnAttribute() throws {
    let text = try sentences(
      from: Self.model([], [.toOne("a", "A")]),
      to: Self.model([AttributeDescription("a", .string, isOptional: true)]), fill: Self.link)
    #expect(text.contains("B.a is an attribute now, and was a relationship."), "\(text)")
  }

  @Test func lossesThatAreRefused() throws {
    let text = try sentences(from: Self.model([Self.name]), to: Self.model([]), .refused) {
      try $0.make("B", ["name": "x"])
    }
    #expect(text.contains("migration.losses is .refused."), "\(text)")
    #expect(!text.contains("To remove them, name both versions"), "\(text)")
  }

  @Test func aChainOfRenames() throws {
    var last = AttributeDescription("third", .string, isOptional: true)
    last.renamingIdentifier = "second"
    let text = try sentences(from: Self.model([Self.name]), to: Self.model([last])) {
      try $0.make("B", ["name": "x"])
    }
    #expect(text.contains("B.third says that it was second"), "\(text)")
    #expect(text.contains("name the store's version and those in between"), "\(text)")
  }

  /// The sentence names the file, and the remedy that helps.
  @Test func aModelInTheStoreThatCannotBeRead() throws {
    let store = try MigratedStore(from: Self.model([]), to: Self.model([Self.name])) { _ in }
    try PlainStore(store.url.path).run("UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'")
    let error = #expect(throws: StoreError.self) { try store.migrate() }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("\(store.url.path): The store carries a model"), "\(text)")
    #expect(text.contains("migration.versions"), "\(text)")
  }
}

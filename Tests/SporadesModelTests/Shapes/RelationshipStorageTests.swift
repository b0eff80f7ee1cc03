// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct RelationshipStorageTests {
  private func storage(
    _ model: ManagedObjectModel, _ entity: String, _ name: String
  ) throws -> RelationshipShape.Storage {
    let shape = try #require(model.shape(named: entity))
    return try #require(shape.relationships.first { $0.name == name }).storage
  }

  @Test func toManyIsStoredInTheRowsItLeadsTo() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Person", relationships: [.toMany("pets", "Pet", inverse: "owner")]),
      EntityDescription("Pet", relationships: [.toOne("owner", "Person", inverse: "pets")]),
    ])
    #expect(try storage(model, "Pet", "owner") == .reference(slot: 0, position: nil))
    #expect(try storage(model, "Person", "pets") == .inverseReference(slot: 0, position: nil))
    #expect(model.shape(named: "Person")?.layout.slots.isEmpty == true)
    #expect(model.joins.isEmpty)
  }

  @Test func orderedToManyKeepsPositionsBesideTheReference() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Person", relationships: [.toMany("pets", "Pet", inverse: "owner", isOrdered: true)]),
      EntityDescription(
        "Pet", attributes: [AttributeDescription("name", .string)],
        relationships: [.toOne("owner", "Person", inverse: "pets"), .toOne("vet", "Person")]),
    ])
    #expect(try storage(model, "Pet", "owner") == .reference(slot: 1, position: 3))
    #expect(try storage(model, "Person", "pets") == .inverseReference(slot: 1, position: 3))
    #expect(try storage(model, "Pet", "vet") == .reference(slot: 2, position: nil))
    let slots = try #require(model.shape(named: "Pet")).layout.slots
    #expect(slots[3].role == .position(toOne: "owner"))
    #expect(slots[3].kind == .integer)
  }

  @Test func toManyWithoutInverseKeepsItsOwnerInTheRowsItLeadsTo() throws {
    let spec = RelationshipDescription.toMany("spec", "Ingredient", isOrdered: true)
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Cocktail", relationships: [spec]), EntityDescription("Base"),
      EntityDescription("Ingredient", superentityName: "Base"),
    ])
    #expect(model.shapes.map(\.name) == ["Base", "Ingredient", "Cocktail"])
    #expect(try storage(model, "Cocktail", "spec") == .inverseReference(slot: 0, position: 1))
    let slots = try #require(model.shape(named: "Ingredient")).layout.slots
    #expect(slots.map(\.role) == [.owner(entity: 3, spec), .position(toOne: "3spec")])
    #expect(slots.map(\.kind) == [.reference, .integer])
  }

  @Test func noStoreKeepsTransientRelationships() throws {
    func transient(_ relationship: RelationshipDescription) -> RelationshipDescription {
      relationship.with { $0.isTransient = true }
    }
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "A",
        relationships: [
          transient(.toMany("links", "B", inverse: "links")),
          transient(.toOne("b", "B", inverse: "as")),
          transient(.toMany("owned", "B")),
        ]),
      EntityDescription(
        "B",
        relationships: [
          transient(.toMany("links", "A", inverse: "links")),
          transient(.toMany("as", "A", inverse: "b", isOrdered: true)),
        ]),
    ])
    #expect(model.joins.isEmpty)
    for shape in model.shapes {
      #expect(shape.layout.slots.isEmpty)
      #expect(shape.relationships.allSatisfy { $0.storage == .memory && !$0.isStored })
    }
  }

  @Test func aStoredRelationshipWithATransientInverseIsKeptLikeOneWithoutInverse() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("A", relationships: [.toMany("bs", "B", inverse: "a", isOrdered: true)]),
      EntityDescription(
        "B",
        relationships: [
          RelationshipDescription.toOne("a", "A", inverse: "bs").with { $0.isTransient = true }
        ]),
    ])
    #expect(try storage(model, "A", "bs") == .inverseReference(slot: 0, position: 1))
    #expect(try storage(model, "B", "a") == .memory)
    #expect(model.shape(named: "A")?.relationships[0].inverseName == "a")
  }

  @Test func aJoinWithinOneEntityIsNamedByTheLaterRelationship() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Folder",
        relationships: [
          .toMany("favorites", "Folder", inverse: "favoriteFolders"),
          .toMany("favoriteFolders", "Folder", inverse: "favorites"),
        ])
    ])
    #expect(model.joins.map(\.first.relationship.name) == ["favorites"])
    #expect(model.joins.map(\.second.relationship.name) == ["favoriteFolders"])
  }

  @Test func oneToOneIsStoredOnBothSides() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("A", relationships: [.toOne("b", "B", inverse: "a")]),
      EntityDescription("B", relationships: [.toOne("a", "A", inverse: "b")]),
    ])
    #expect(try storage(model, "A", "b") == .reference(slot: 0, position: nil))
    #expect(try storage(model, "B", "a") == .reference(slot: 0, position: nil))
  }

  @Test func manyToManyIsOneJoinNamedByTheLowerNumber() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Tag", relationships: [.toMany("notes", "Note", inverse: "tags")]),
      EntityDescription("Note", relationships: [.toMany("tags", "Tag", inverse: "notes")]),
    ])
    #expect(model.joins.count == 1)
    #expect(model.joins[0].first.relationship.name == "tags")
    #expect(model.joins[0].first.entity == 1)
    #expect(model.joins[0].isReflexive == false)
    #expect(try storage(model, "Note", "tags") == .join(0, isFirst: true))
    #expect(try storage(model, "Tag", "notes") == .join(0, isFirst: false))
  }

  @Test func theSideWithSubentitiesNamesTheJoin() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("A", relationships: [.toMany("bs", "B", inverse: "as")]),
      EntityDescription("B", relationships: [.toMany("as", "A", inverse: "bs")]),
      EntityDescription("C", superentityName: "B"),
    ])
    #expect(model.joins.map(\.first.relationship.name) == ["as"])
    #expect(try storage(model, "A", "bs") == .join(0, isFirst: false))
    #expect(try storage(model, "C", "as") == .join(0, isFirst: true))
  }

  @Test func inheritedInversesShareTheJoinOfTheirDeclaration() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("A", relationships: [.toMany("lows", "Low", inverse: "as")]),
      EntityDescription("Top", relationships: [.toMany("as", "A", inverse: "lows")]),
      EntityDescription("Low", superentityName: "Top"),
    ])
    #expect(model.joins.count == 1)
    #expect(model.joins[0].first.entity == model.shape(named: "Top")?.number)
    #expect(try storage(model, "Low", "as") == .join(0, isFirst: true))
    #expect(try storage(model, "A", "lows") == .join(0, isFirst: false))
  }

  @Test func aRelationshipThatIsItsOwnInverseHasAReflexiveJoin() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "A",
        relationships: [
          .toMany("friends", "A", inverse: "friends"), .toMany("fans", "A", inverse: "idols"),
          .toMany("idols", "A", inverse: "fans"),
        ])
    ])
    #expect(model.joins.map(\.isReflexive) == [true, false])
    #expect(try storage(model, "A", "friends") == .join(0, isFirst: true))
    #expect(try storage(model, "A", "fans") == .join(1, isFirst: false))
    #expect(try storage(model, "A", "idols") == .join(1, isFirst: true))
  }

  @Test func shapesNameTheirInverse() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Person", relationships: [.toMany("pets", "Pet", inverse: "owner")]),
      EntityDescription("Pet", relationships: [.toOne("owner", "Person", inverse: "pets")]),
    ])
    let pets = try #require(model.shape(named: "Person")?.relationships.first)
    #expect(pets.inverseName == "owner")
    #expect(pets.destination == 2)
    #expect(pets.entity == 1)
  }
}

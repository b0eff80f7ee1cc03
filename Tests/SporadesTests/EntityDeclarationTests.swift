// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesGraph
import SporadesModel
import Testing

/// The model that classes marked `@Entity` declare.
struct EntityDeclarationTests {
  private let model: ManagedObjectModel

  init() throws {
    model = try ManagedObjectModel([User.self, Pet.self, Manager.self, Recording.self])
  }

  private func entity(_ name: String) throws -> EntityDescription {
    try #require(model.entities.first { $0.name == name })
  }

  private func attribute(_ name: String, of entity: String) throws -> AttributeDescription {
    try #require(try self.entity(entity).attributes.first { $0.name == name })
  }

  private func relationship(
    _ name: String, of entity: String
  ) throws -> RelationshipDescription {
    try #require(try self.entity(entity).relationships.first { $0.name == name })
  }

  @Test func listsPropertiesInTheOrderOfTheSource() {
    #expect(User.declaration.name == "User")
    #expect(
      User.declaration.properties.map(\.name) == [
        "firstname", "lastname", "age", "email", "pets", "scratch", "petCount", "address", "score",
      ])
    #expect(User.declaration.propertyCount == 9)
  }

  @Test func typesAndInitialValuesMakeAttributes() throws {
    let firstname = try attribute("firstname", of: "User")
    #expect(firstname.type == .string)
    #expect(firstname.isOptional)
    #expect(firstname.defaultValue.isNull)
    let age = try attribute("age", of: "User")
    #expect(age.type == .integer64)
    #expect(!age.isOptional)
    #expect(age.defaultValue == 0)
    #expect(try attribute("score", of: "User").defaultValue == -1)
    #expect(try attribute("mood", of: "Pet").defaultValue == 1)
    #expect(try attribute("salary", of: "Employee").type == .decimal)
  }

  @Test func codableValuesAreTransformable() throws {
    let tricks = try attribute("tricks", of: "Pet")
    #expect(tricks.type == .transformable)
    #expect(!tricks.isOptional)
    #expect(tricks.defaultValue == .data(Data(#"["sit"]"#.utf8)))
    let diet = try attribute("diet", of: "Pet")
    #expect(diet.type == .transformable)
    #expect(diet.isOptional)
    #expect(diet.defaultValue.isNull)
  }

  @Test func optionsReachTheAttribute() throws {
    #expect(try attribute("email", of: "User").renamingIdentifier == "mail")
    #expect(
      try entity("User").uniquenessConstraints == [
        ["firstname", "lastname"], ["age", "lastname"], ["email"],
      ])
  }

  @Test func transientAndDerivedAttributesAreMarked() throws {
    #expect(try attribute("scratch", of: "User").isTransient)
    #expect(try attribute("petCount", of: "User").derivationExpression == "pets.@count")
  }

  @Test func aKeyPathNamesTheInverseOfBothSides() throws {
    let pets = try relationship("pets", of: "User")
    #expect(pets.isToMany)
    #expect(!pets.isOrdered)
    #expect(pets.deleteRule == .cascade)
    #expect(pets.destinationEntityName == "Pet")
    #expect(pets.inverseName == "owner")
    let owner = try relationship("owner", of: "Pet")
    #expect(!owner.isToMany)
    #expect(owner.destinationEntityName == "User")
    #expect(owner.inverseName == "pets")
    #expect(try relationship("friends", of: "Pet").isOrdered)
  }

  @Test func indexesAreNamedAfterTheirProperties() throws {
    let indexes = try entity("User").indexes
    #expect(
      indexes.map(\.name) == ["byLastname", "byAge", "byAddress_city", "byAgeDown"])
    #expect(indexes[2].elements.map(\.property) == ["address.city"])
    #expect(indexes[3].elements.map(\.isAscending) == [false])
  }

  @Test func subentitiesInheritTheirProperties() throws {
    #expect(try entity("Employee").superentityName == "Person")
    #expect(try entity("Manager").superentityName == "Employee")
    #expect(Manager.declaration.properties.map(\.name) == ["bonus"])
    #expect(Manager.declaration.propertyCount == 4)
  }

  @Test func argumentsOfTheEntityReachTheModel() throws {
    let track = try entity("Track")
    #expect(track.isAbstract)
    #expect(track.renamingIdentifier == "Song")
    #expect(track.versionHashModifier == "2")
    #expect(track.attributes.map(\.name) == ["title", "default"])
  }

  @Test func membersOfACompositeAreItsElements() throws {
    let address = try attribute("address", of: "User")
    #expect(address.type == .composite)
    #expect(address.isOptional)
    #expect(address.elements.map(\.name) == ["street", "city", "position"])
    #expect(address.elements[1].validation.maximumLength == 40)
    #expect(address.elements[2].elements.map(\.type) == [.double, .double])
  }

  @Test func aConstraintSaidTwiceIsOne() throws {
    let model = try ManagedObjectModel([Tagged.self])
    #expect(model.entitiesByName["Tagged"]?.uniquenessConstraints == [["code"]])
  }

  @Test func aHashModifierReachesTheRelationship() throws {
    let model = try ManagedObjectModel([Tagged.self])
    let next = try #require(model.entitiesByName["Tagged"]?.relationships.first)
    #expect(next.versionHashModifier == "2")
  }
}

@Entity final class Tagged: ManagedObject {
  @Attribute(.unique) var code: String = ""
  @Relationship(hashModifier: "2") var next: Tagged?
  #Unique("code")
}

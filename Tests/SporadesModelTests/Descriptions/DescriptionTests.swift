// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

/// The questions that a model answers about its entities and properties.
@Suite struct DescriptionTests {
  private func model() throws -> ManagedObjectModel {
    var name = AttributeDescription("name", .string)
    name.userInfo = ["label": "Name"]
    var pets = RelationshipDescription.toMany("pets", "Pet", inverse: "owner")
    pets.userInfo = ["label": "Pets"]
    return try ManagedObjectModel(
      entities: [
        EntityDescription("Person", attributes: [name], relationships: [pets]),
        EntityDescription(
          "Member", attributes: [AttributeDescription("number", .integer64)],
          superentityName: "Person"),
        EntityDescription("Pet", relationships: [.toOne("owner", "Person", inverse: "pets")]),
      ],
      fetchRequestTemplates: [
        "named": FetchRequest("Person", where: try FetchPredicate(format: "name == $NAME"))
      ])
  }

  @Test func entitiesAndPropertiesAreFoundByName() throws {
    let model = try model()
    #expect(Set(model.entitiesByName.keys) == ["Person", "Member", "Pet"])
    #expect(model.entitiesByName["Member"]?.superentityName == "Person")
    #expect(model.entitiesByName["Nobody"] == nil)
    #expect(model.shape(named: "Nobody") == nil)
    let member = try #require(model.shape(named: "Member"))
    #expect(member.attributes.map(\.name).sorted() == ["name", "number"])
    guard case .relationship(let pets)? = member["pets"] else {
      Issue.record("The relationship is not inherited.")
      return
    }
    #expect(pets.description.destinationEntityName == "Pet")
    #expect(pets.description.isToMany)
    #expect(pets.description.inverseName == "owner")
    #expect(member["nothing"] == nil)
  }

  @Test func entitiesKnowTheFamilyBelowThem() throws {
    let model = try model()
    let (person, member) = (
      try #require(model.shape(named: "Person")), try #require(model.shape(named: "Member"))
    )
    #expect(person.hasSubentities)
    #expect(person.family.contains(member.number))
    #expect(!member.hasSubentities)
    #expect(!member.family.contains(person.number))
    #expect(member.superNumber == person.number)
    #expect(member.rootNumber == person.number)
  }

  @Test func propertiesKeepTheirUserInfo() throws {
    let person = try #require(try model().entitiesByName["Person"])
    #expect(person.attributes[0].userInfo == ["label": "Name"])
    #expect(person.relationships[0].userInfo == ["label": "Pets"])
  }

  @Test func aChangedCopyIsAnotherModel() throws {
    let model = try model()
    var entities = model.entities
    entities[0].attributes[0].isOptional = true
    let changed = try ManagedObjectModel(entities: entities)
    #expect(model.entities[0].attributes[0].isOptional == false)
    #expect(changed != model)
    #expect(try model == self.model())
  }

  @Test func templatesTakeValuesForTheirVariables() throws {
    let model = try model()
    let request = try #require(
      model.fetchRequest(fromTemplate: "named", substituting: ["NAME": "Ann"]))
    #expect(try request.predicate == FetchPredicate(format: "name == 'Ann'"))
    #expect(model.fetchRequestTemplates["named"]?.predicate?.variableNames == ["NAME"])
    #expect(model.fetchRequest(fromTemplate: "unnamed") == nil)
  }
}

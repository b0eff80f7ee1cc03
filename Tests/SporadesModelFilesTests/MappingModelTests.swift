// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles
import Testing

/// Mapping models as values: inferred, completed and checked.
@Suite struct MappingModelTests {
  private let old: ManagedObjectModel
  private let new: ManagedObjectModel

  init() throws {
    old = try ManagedObjectModel(entities: [
      EntityDescription(
        "Person", attributes: [.init("name", .string), .init("age", .integer16)],
        relationships: [.toMany("pets", "Pet", inverse: "owner")]),
      EntityDescription(
        "Pet", attributes: [.init("name", .string)],
        relationships: [.toOne("owner", "Person", inverse: "pets")]),
      EntityDescription("Tag", attributes: [.init("text", .string)]),
    ])
    var human = EntityDescription(
      "Human",
      attributes: [.init("fullName", .string), .init("height", .double, isOptional: true)],
      relationships: [.toMany("pets", "Pet", inverse: "owner")])
    human.renamingIdentifier = "Person"
    human.attributes[0].renamingIdentifier = "name"
    new = try ManagedObjectModel(entities: [
      human,
      EntityDescription(
        "Pet", attributes: [.init("name", .string)],
        relationships: [.toOne("owner", "Human", inverse: "pets")]),
      EntityDescription("Note", attributes: [.init("text", .string)]),
    ])
  }

  /// Of a subentity and its superentity, whose identifiers no rule of a model compares.
  @Test func aPartInDoubtIsRefusedByItsSentence() throws {
    func pet(_ identifier: String?, _ name: String, _ other: String?) throws -> ManagedObjectModel {
      func attribute(_ name: String) -> AttributeDescription {
        var attribute = AttributeDescription(name, .string, isOptional: true)
        attribute.renamingIdentifier = identifier
        return attribute
      }
      return try ManagedObjectModel(entities: [
        EntityDescription("Animal", attributes: other.map { [attribute($0)] } ?? []),
        EntityDescription("Pet", attributes: [attribute(name)], superentityName: "Animal"),
      ])
    }
    let (old, new) = (try pet(nil, "a", nil), try pet("a", "b", "c"))
    let problems = MappingModel.inferred(from: old, to: new).problems(from: old, to: new)
    #expect(!problems.isEmpty)
    #expect(problems.allSatisfy { $0.sentence.contains("one renaming identifier") })
  }

  @Test func anInferredModelHasCoreDatasNames() throws {
    let model = MappingModel.inferred(from: old, to: new)
    #expect(
      model.entityMappings.map(\.name) == [
        "IEM_Remove_Tag", "IEM_Transform_Human", "IEM_Add_Note", "IEM_Transform_Pet",
      ])
    let human = try #require(model["IEM_Transform_Human"])
    #expect(human.kind == .transform)
    #expect(human.sourceEntityName == "Person")
    #expect(human[attribute: "fullName"]?.valueExpression == "$source.name")
    #expect(human[attribute: "height"]?.valueExpression == nil)
    #expect(
      human[relationship: "pets"]?.valueExpression
        == .destinationInstances(forSourceRelationshipNamed: "pets"))
    #expect(model["IEM_Add_Note"]?.kind == .add)
    #expect(model.problems(from: old, to: new).isEmpty)
    #expect(model.fits(from: old, to: new))
    #expect(!model.fits(from: new, to: old))
    let copies = MappingModel.inferred(from: old, to: old).entityMappings
    #expect(copies.map(\.name) == ["IEM_Copy_Person", "IEM_Copy_Pet", "IEM_Copy_Tag"])
    #expect(copies.allSatisfy { $0.kind == .copy })
  }

  @Test func automaticPropertiesGetTheExpressionsThatXcodeMakes() throws {
    let model = MappingModel([
      EntityMapping(
        from: "Person", to: "Human",
        attributes: [.init("fullName", "$source.name"), .init("height")],
        relationships: [.init("pets")]),
      EntityMapping(
        from: "Pet", to: "Pet", attributes: [.init("name")], relationships: [.init("owner")]),
      EntityMapping(from: nil, to: "Note", attributes: [.init("text")]),
    ]).resolved(from: old, to: new)
    #expect(model.entityMappings.map(\.name) == ["PersonToHuman", "PetToPet", "Note"])
    #expect(model.entityMappings.map(\.kind) == [.transform, .transform, .add])
    #expect(model["PersonToHuman"]?[attribute: "height"]?.valueExpression == nil)
    #expect(model["PetToPet"]?[attribute: "name"]?.valueExpression == "$source.name")
    #expect(
      model["PetToPet"]?[relationship: "owner"]?.valueExpression
        == .destinationInstances(forEntityMappingNamed: "PersonToHuman", of: "$source.owner"))
    #expect(model["Note"]?[attribute: "text"]?.valueExpression == nil)
    #expect(model.problems(from: old, to: new).isEmpty)
  }

  @Test func everythingThatDoesNotFitIsListed() {
    var wrongHash = EntityMapping(from: "Tag", to: "Note")
    wrongHash.sourceEntityVersionHash = [1, 2, 3]
    let model = MappingModel([
      EntityMapping(from: "Person", to: "Robot"),
      EntityMapping(
        from: "Pet", to: "Pet",
        attributes: [
          .init("weight"), .init("owner"), .init("name", "$source.nickname"),
        ],
        relationships: [
          .init("name"),
          .init(
            "owner", .destinationInstances(forEntityMappingNamed: "Nobody", of: .source("owner"))),
        ]),
      wrongHash,
      EntityMapping("TagToNote", from: "Tag", to: "Note", attributes: [.init("text", "name")]),
      EntityMapping(
        "More", from: "Tag", to: "Note",
        attributes: [.init("text", "$sauce.text"), .init("text", "soundex($source.text)")]),
    ])
    let problems = model.problems(from: old, to: new)
    #expect(problems.allSatisfy { $0.kind == .mapping })
    #expect(
      problems.map { "\($0.mapping ?? "")/\($0.property ?? "")" } == [
        "TagToNote/", "PersonToRobot/", "PetToPet/weight", "PetToPet/owner", "PetToPet/name",
        "PetToPet/name", "PetToPet/owner", "TagToNote/", "TagToNote/text", "More/text", "More/text",
      ])
    for problem in problems { #expect(problem.sentence.hasSuffix("."), "\(problem.sentence)") }
  }

  @Test func mappingsAreChangedByName() {
    var model = MappingModel.inferred(from: old, to: new)
    model["IEM_Transform_Human"]?[attribute: "height"] = PropertyMapping("height", "1.75")
    #expect(
      model["IEM_Transform_Human"]?[attribute: "height"]?.valueExpression == .constant(1.75))
    model["IEM_Add_Note"] = nil
    #expect(model.entityMappingsByName.count == 3)
    model["Notes"] = EntityMapping("Notes", from: "Tag", to: "Note")
    #expect(model.entityMappings.last?.name == "Notes")
  }
}

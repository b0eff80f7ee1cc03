// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct ReferenceValidationTests {
  private func entity(
    constraints: [[String]] = [], indexes: [FetchIndexDescription] = []
  ) -> EntityDescription {
    EntityDescription(
      "A",
      attributes: [
        AttributeDescription("name", .string),
        AttributeDescription("secret", .string, isTransient: true),
        .composite("place", AttributeDescription("x", .double)),
      ],
      relationships: [
        .toOne("owner", "A", inverse: "pets"), .toMany("pets", "A", inverse: "owner"),
      ],
      superentityName: "Top", uniquenessConstraints: constraints, indexes: indexes)
  }

  private let top = EntityDescription("Top", attributes: [AttributeDescription("id", .uuid)])

  @Test func constraintsMayNameStoredProperties() {
    #expect(problems(top, entity(constraints: [["name", "owner"], ["id"], ["place.x"]])) == [])
  }

  @Test(arguments: ["nothing", "pets", "secret", "place", "owner.name", ""])
  func reportsConstraintsOnPropertiesThatAreNotStored(name: String) {
    #expect(problems(top, entity(constraints: [[name]])) == ["unknownProperty A.\(name)"])
  }

  @Test func reportsConstraintsOnValuesThatMayLieInFiles() {
    var (photo, size) = (
      AttributeDescription("photo", .binary), AttributeDescription("size", .integer64)
    )
    photo.allowsExternalBinaryDataStorage = true
    size.allowsExternalBinaryDataStorage = true
    let above = EntityDescription("Above", attributes: [photo, size])
    let below = EntityDescription(
      "Below", superentityName: "Above", uniquenessConstraints: [["size", "photo"], ["size"]])
    #expect(problems(above, below) == ["misplacedOption Below.photo"])
  }

  @Test func reportsConstraintsOnEncodedValues() {
    let entity = EntityDescription(
      "A", attributes: [AttributeDescription("sizes", .transformable)],
      uniquenessConstraints: [["sizes"]])
    #expect(problems(entity) == ["misplacedOption A.sizes"])
  }

  @Test func reportsEmptyAndRepetitiveConstraints() {
    #expect(problems(top, entity(constraints: [[]])) == ["unknownProperty A"])
    #expect(problems(top, entity(constraints: [["name", "name"]])) == ["duplicateName A"])
  }

  @Test func indexesMayNamePathsAndChangesOfCase() {
    let index = FetchIndexDescription(
      "i", on: "name", "owner", "owner.id", "place.x", "self", "entity", "lowercase:(name)")
    #expect(problems(top, entity(indexes: [index])) == [])
  }

  @Test(arguments: ["nothing", "pets", "pets.name", "secret", "count:(pets)", "name + 1"])
  func reportsIndexesOnPropertiesThatAreNotStored(name: String) {
    let index = FetchIndexDescription("i", on: name)
    #expect(problems(top, entity(indexes: [index])) == ["unknownProperty A.\(name)"])
  }

  @Test func reportsIndexesWithoutNameOrElements() {
    #expect(
      problems(
        top,
        entity(indexes: [
          FetchIndexDescription("", on: "name"), FetchIndexDescription("i", []),
          FetchIndexDescription("i", on: "name"),
        ])) == ["invalidName A", "unknownProperty A", "duplicateName A"])
  }

  @Test func reportsUnknownEntitiesOfConfigurations() {
    #expect(
      problems(EntityDescription("A"), configurations: ["some": ["A", "B"], "": []])
        == ["invalidName", "unknownEntity"])
  }

  @Test func reportsUnknownEntitiesOfTemplates() {
    #expect(
      problems(
        EntityDescription("A"),
        templates: [
          "t": FetchRequest("B"), "": FetchRequest("A"), "u": FetchRequest("A", limit: -1),
        ])
        == ["invalidName", "unknownEntity", "invalidCount"])
  }

  @Test func reportsUnknownEntitiesOfFetchedProperties() {
    var entity = EntityDescription("A")
    entity.fetchedProperties = [FetchedPropertyDescription("f", FetchRequest("B"))]
    #expect(problems(entity) == ["unknownEntity A.f"])
  }

  @Test func reportsEveryProblemAtOnce() {
    let wrong = EntityDescription(
      "A",
      attributes: [
        AttributeDescription("hash", .string),
        AttributeDescription("n", .integer16, defaultValue: "x"),
        AttributeDescription("n", .composite), .derived("d", .string, "?"),
      ],
      relationships: [.toOne("b", "B"), .toOne("c", "C", inverse: "x")], superentityName: "Nothing",
      uniquenessConstraints: [["u"]], indexes: [FetchIndexDescription("i", on: "v")])
    #expect(
      problems(wrong, EntityDescription("C"), EntityDescription("c"), configurations: ["k": ["Z"]])
        == [
          "duplicateName c", "missingSuperentity A", "reservedName A.hash", "duplicateName A.n",
          "invalidDefault A.n", "invalidComposite A.n", "invalidDerivation A.d",
          "missingDestination A.b", "missingInverse A.c", "unknownProperty A.u",
          "unknownProperty A.v", "unknownEntity",
        ])
  }

  @Test func everyProblemIsASentenceThatNamesItsEntity() throws {
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(entities: [
        EntityDescription("A", relationships: [.toOne("b", "B")])
      ])
    }
    #expect(error?.description.hasPrefix("A.b: leads to B") == true)
    #expect(error?.description.hasSuffix(".") == true)
  }
}

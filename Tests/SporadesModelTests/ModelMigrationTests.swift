// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct ModelMigrationTests {
  private func attribute(_ name: String, was former: String? = nil) -> AttributeDescription {
    var attribute = AttributeDescription(name, .string, isOptional: true)
    attribute.renamingIdentifier = former
    return attribute
  }

  private func model(
    _ entity: String, was former: String? = nil, _ attributes: [AttributeDescription]
  ) throws -> ManagedObjectModel {
    var description = EntityDescription(entity, attributes: attributes)
    description.renamingIdentifier = former
    return try ManagedObjectModel(entities: [description])
  }

  @Test func partsContinueUnderTheirIdentifiersAndNames() throws {
    let evolution = ModelEvolution(
      from: try model("Pet", [attribute("name"), attribute("old")]),
      to: try model("Animal", was: "Pet", [attribute("title", was: "name"), attribute("new")]))
    #expect(evolution.source(ofEntity: "Animal") == "Pet")
    #expect(evolution.successor(ofEntity: "Pet") == "Animal")
    #expect(evolution.source(ofAttribute: "title", in: "Animal") == "name")
    #expect(evolution.source(ofAttribute: "new", in: "Animal") == nil)
    #expect(evolution.source(ofEntity: "Pet") == nil)
  }

  @Test func versionsBetweenAreFollowed() throws {
    let versions = try [
      model("A", [attribute("a")]), model("B", was: "A", [attribute("b", was: "a")]),
      model("C", was: "B", [attribute("c", was: "b")]),
    ]
    let evolution = ModelEvolution(from: versions[0], through: [versions[1]], to: versions[2])
    #expect(evolution.source(ofEntity: "C") == "A")
    #expect(evolution.source(ofAttribute: "c", in: "C") == "a")
    let direct = ModelEvolution(from: versions[0], to: versions[2])
    #expect(direct.source(ofEntity: "C") == nil)
  }

  @Test func membersOfCompositesHavePaths() throws {
    var composite = AttributeDescription("address", .composite, isOptional: true)
    composite.elements = [attribute("street", was: "street"), attribute("city")]
    var single = AttributeDescription("kind", .composite, isOptional: true)
    single.elements = [attribute("kind")]
    let evolution = ModelEvolution(
      from: try model("Pet", [attribute("street"), attribute("kind")]),
      to: try model("Pet", [composite, single]))
    #expect(evolution.source(ofAttribute: "address.street", in: "Pet") == "street")
    #expect(evolution.source(ofAttribute: "address.city", in: "Pet") == nil)
    #expect(evolution.source(ofAttribute: "kind.kind", in: "Pet") == "kind")
  }

  // MARK: - Conversions

  /// Types without a single meaning in each other have no conversion, in either direction.
  @Test(arguments: AttributeType.allCases, AttributeType.allCases)
  func conversionsGoBothWays(_ old: AttributeType, _ new: AttributeType) {
    let there = ValueConversion(from: old, to: new)
    let back = ValueConversion(from: new, to: old)
    #expect((there == nil) == (back == nil))
    if old == new { #expect(there == .same) }
  }

  @Test func aWiderTypeTakesEveryNumber() {
    #expect(ValueConversion(from: .integer16, to: .integer64) == .same)
    #expect(ValueConversion(from: .integer64, to: .integer16) == .narrowing(-32768...32767))
    #expect(ValueConversion(from: .string, to: .date) == nil)
    #expect(ValueConversion(from: .binary, to: .string) == nil)
  }
}

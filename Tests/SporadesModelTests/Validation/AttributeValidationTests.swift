// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import Testing

@Suite struct AttributeValidationTests {
  private func problems(of attribute: AttributeDescription) -> [String] {
    problems(EntityDescription("A", attributes: [attribute]))
  }

  private func problems(_ entity: EntityDescription) -> [String] {
    SporadesModelTests.problems(entity)
  }

  @Test(
    arguments: [
      (AttributeType.integer16, Value.integer(32768)), (.integer16, .integer(-32769)),
      (.integer32, .integer(1 << 31)), (.integer64, .double(1)), (.boolean, .integer(1)),
      (.string, .integer(0)), (.double, .integer(0)), (.decimal, .double(0)), (.date, .double(0)),
      (.uuid, .string("")), (.uri, .string("x")), (.binary, .string("")),
      (.transformable, .string("")), (.objectID, .integer(1)), (.composite, .integer(1)),
    ])
  func reportsDefaultsOfTheWrongType(type: AttributeType, value: Value) {
    var attribute = AttributeDescription("b", type, defaultValue: value)
    if type == .composite { attribute.elements = [AttributeDescription("x", .double)] }
    #expect(problems(of: attribute) == ["invalidDefault A.b"])
  }

  @Test(
    arguments: [
      (AttributeType.integer16, Value.integer(-32768)), (.integer32, .integer(1 << 31 - 1)),
      (.boolean, .boolean(false)), (.double, .double(1)), (.float, .double(1)), (.string, ""),
      (.date, .date(Date(timeIntervalSinceReferenceDate: 0))), (.uuid, .uuid(UUID())),
      (.decimal, .decimal(1)), (.binary, .data(Data())), (.undefined, "anything"),
    ])
  func acceptsDefaultsOfTheType(type: AttributeType, value: Value) {
    #expect(problems(of: AttributeDescription("b", type, defaultValue: value)) == [])
  }

  @Test func reportsBoundsThatNoValueSatisfies() {
    let number = AttributeDescription("b", .integer16).with {
      $0.validation.minimum = 2
      $0.validation.maximum = 1
    }
    #expect(problems(of: number) == ["invalidBounds A.b"])
    let text = AttributeDescription("b", .string).with {
      $0.validation.minimumLength = 2
      $0.validation.maximumLength = 1
    }
    #expect(problems(of: text) == ["invalidBounds A.b"])
  }

  @Test func reportsBoundsOfTheWrongType() {
    let date = AttributeDescription("b", .date).with { $0.validation.minimum = 1 }
    #expect(problems(of: date) == ["invalidBounds A.b"])
    let text = AttributeDescription("b", .string).with { $0.validation.maximum = "x" }
    #expect(problems(of: text) == ["invalidBounds A.b"])
    let number = AttributeDescription("b", .double).with { $0.validation.pattern = "x" }
    #expect(problems(of: number) == ["invalidBounds A.b"])
  }

  @Test(arguments: ["[", "(?<=a*)b", "a{2,1}", String(repeating: "[", count: 5_000)])
  func reportsPatternsThatAreNotRegularExpressions(pattern: String) {
    let text = AttributeDescription("b", .string).with { $0.validation.pattern = pattern }
    #expect(problems(of: text) == ["invalidPattern A.b"])
  }

  @Test func acceptsEveryPatternThatICUAccepts() {
    let text = AttributeDescription("b", .string).with {
      $0.validation.pattern = "(?<=^|-)\\p{Lu}{2}+(?<!XX)[\\w&&[^_]]*"
    }
    #expect(problems(of: text) == [])
  }

  @Test func reportsNegativeLengths() {
    let text = AttributeDescription("b", .string).with { $0.validation.minimumLength = -1 }
    #expect(problems(of: text) == ["invalidBounds A.b"])
  }

  @Test func reportsCompositesWithoutElements() {
    #expect(problems(of: AttributeDescription("b", .composite)) == ["invalidComposite A.b"])
  }

  @Test func reportsElementsOfAttributesThatAreNotComposites() {
    let attribute = AttributeDescription("b", .string).with {
      $0.elements = [AttributeDescription("x", .double)]
    }
    #expect(problems(of: attribute) == ["invalidComposite A.b"])
  }

  @Test func looksIntoNestedComposites() {
    let inner = AttributeDescription.composite(
      "c", AttributeDescription("x", .integer16, defaultValue: "1"),
      AttributeDescription("x", .double), AttributeDescription("y z", .double),
      .derived("d", .date, "now()"))
    #expect(
      problems(of: .composite("b", inner)) == [
        "invalidDefault A.b.c.x", "duplicateName A.b.c.x", "invalidName A.b.c.y z",
        "invalidDerivation A.b.c.d",
      ])
  }

  @Test(
    arguments: [
      ("owner.name", AttributeType.string), ("name", .string), ("canonical:(name)", .string),
      ("uppercase:(owner.name)", .string), ("pets.@count", .integer64),
      ("count:(pets)", .integer16),
      ("pets.@sum.age", .integer64), ("sum:(pets.age)", .double), ("now()", .date),
      ("place.x", .double),
    ])
  func acceptsDerivationsThatStoresUnderstand(expression: String, type: AttributeType) {
    #expect(problems(family(.derived("d", type, expression))) == [])
  }

  @Test(
    arguments: [
      ("", AttributeType.string), ("name + 1", .string), ("pets.name", .string),
      ("owner.nothing", .string), ("pets", .integer64), ("owner", .string),
      ("canonical:(age)", .string), ("lowercase:name", .string), ("reverse:(name)", .string),
      ("owner.@count", .integer64), ("pets.@count", .string), ("sum:(pets)", .integer64),
      ("sum:(age)", .integer64), ("pets.@sum.name", .integer64), ("now()", .string),
      ("pets.@max.age", .integer64), ("secret", .string), ("name", .integer64), ("name", .date),
    ])
  func reportsDerivationsThatStoresDoNotUnderstand(expression: String, type: AttributeType) {
    #expect(problems(family(.derived("d", type, expression))) == ["invalidDerivation A.d"])
  }

  @Test func reportsTransientDerivations() {
    let attribute = AttributeDescription.derived("d", .date, "now()").with {
      $0.isTransient = true
    }
    #expect(problems(of: attribute) == ["invalidDerivation A.d"])
  }

  private func family(_ derived: AttributeDescription) -> EntityDescription {
    EntityDescription(
      "A",
      attributes: [
        AttributeDescription("name", .string), AttributeDescription("age", .integer16),
        AttributeDescription("secret", .string, isTransient: true),
        .composite("place", AttributeDescription("x", .double)), derived,
      ],
      relationships: [
        .toOne("owner", "A", inverse: "pets"), .toMany("pets", "A", inverse: "owner"),
      ])
  }
}

// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@Suite struct ConversionMigrationTests {
  private func model(_ type: AttributeType) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Pet",
        attributes: [
          AttributeDescription("name", .string, isOptional: true),
          AttributeDescription("value", type, isOptional: true),
        ], indexes: [FetchIndexDescription("byValue", on: "value")])
    ])
  }

  private func store(
    _ old: AttributeType, _ new: AttributeType, _ values: [Value]
  ) throws -> MigratedStore {
    try MigratedStore(from: model(old), to: model(new)) { context in
      for (place, value) in values.enumerated() {
        try context.make("Pet", ["name": .string("\(place)"), "value": value])
      }
    }
  }

  struct Case: CustomTestStringConvertible {
    let old: AttributeType
    let new: AttributeType
    let values: [(Value, Value)]
    var testDescription: String { "\(old) to \(new)" }
  }

  private static let uuid = UUID()
  private static let date = Date(timeIntervalSinceReferenceDate: 12.5)

  private static let cases: [Case] = [
    Case(old: .integer16, new: .integer64, values: [(7, 7), (-1, -1)]),
    Case(old: .integer64, new: .integer16, values: [(32767, 32767), (-32768, -32768)]),
    Case(old: .boolean, new: .integer16, values: [(true, 1), (false, 0)]),
    Case(old: .integer32, new: .boolean, values: [(1, true), (0, false)]),
    Case(
      old: .integer64, new: .double, values: [(3, 3.0), (.integer(1 << 53), 9007199254740992.0)]),
    Case(old: .double, new: .integer32, values: [(3.0, 3), (-4.0, -4)]),
    Case(old: .integer32, new: .decimal, values: [(3, .decimal(3))]),
    Case(old: .decimal, new: .integer32, values: [(.decimal(3), 3)]),
    Case(old: .decimal, new: .double, values: [(.decimal(2.5), 2.5)]),
    Case(old: .double, new: .decimal, values: [(2.5, .decimal(2.5))]),
    Case(old: .float, new: .double, values: [(2.5, 2.5)]),
    Case(old: .double, new: .float, values: [(2.5, 2.5)]),
    Case(old: .integer32, new: .string, values: [(12, "12"), (-3, "-3")]),
    Case(old: .string, new: .integer32, values: [("12", 12), ("-3", -3)]),
    Case(old: .double, new: .string, values: [(0.1, "0.1"), (1e300, "1e+300")]),
    Case(
      old: .string, new: .double,
      values: [
        ("0.1", 0.1), ("12", 12.0), ("12.0", 12.0), ("-12.50", -12.5), ("0", 0.0),
        ("100000000000000000000", 1e20), ("1e+300", 1e300),
      ]),
    Case(old: .string, new: .float, values: [("12", 12.0), ("2.50", 2.5)]),
    Case(old: .decimal, new: .string, values: [(.decimal(2.5), "2.5")]),
    Case(
      old: .string, new: .decimal,
      values: [
        ("2.5", .decimal(2.5)), ("12", .decimal(12)), ("12.00", .decimal(12)),
        ("-2.50", .decimal(-2.5)),
      ]),
    Case(old: .boolean, new: .string, values: [(true, "true"), (false, "false")]),
    Case(old: .string, new: .boolean, values: [("true", true), ("false", false)]),
    Case(old: .uuid, new: .string, values: [(.uuid(uuid), .string(uuid.uuidString))]),
    Case(old: .string, new: .uuid, values: [(.string(uuid.uuidString), .uuid(uuid))]),
    Case(
      old: .uri, new: .string,
      values: [(.url(URL(string: "https://a.example/b")!), "https://a.example/b")]),
    Case(
      old: .string, new: .uri,
      values: [("https://a.example/b", .url(URL(string: "https://a.example/b")!))]),
    Case(old: .date, new: .double, values: [(.date(date), 12.5)]),
    Case(old: .double, new: .date, values: [(12.5, .date(date))]),
  ]

  @Test(arguments: cases) func valuesAreConverted(_ sample: Case) throws {
    let store = try store(sample.old, sample.new, sample.values.map(\.0) + [.null])
    #expect(try store.forecast().problems == [])
    let stack = try store.migrate()
    try stack.look { context throws in
      #expect(try context.values("Pet", "value") == sample.values.map(\.1) + [.null])
    }
  }

  struct Refusal: CustomTestStringConvertible {
    let old: AttributeType
    let new: AttributeType
    let value: Value
    var testDescription: String { "\(value) of \(old) to \(new)" }
  }

  @Test(arguments: [
    Refusal(old: .integer64, new: .integer16, value: 32768),
    Refusal(old: .integer32, new: .boolean, value: 2),
    Refusal(old: .integer64, new: .double, value: .integer((1 << 53) + 1)),
    Refusal(old: .integer64, new: .double, value: .integer(.max)),
    Refusal(old: .double, new: .integer64, value: 2.5),
    Refusal(old: .double, new: .integer64, value: 1e19),
    Refusal(old: .double, new: .float, value: 0.1),
    Refusal(old: .integer32, new: .float, value: 16_777_217),
    Refusal(old: .string, new: .integer32, value: "012"),
    Refusal(old: .string, new: .integer32, value: "99999999999"),
    Refusal(old: .string, new: .integer32, value: "x"),
    Refusal(old: .string, new: .double, value: "12,50"),
    Refusal(old: .string, new: .double, value: "012"),
    Refusal(old: .string, new: .double, value: "+12"),
    Refusal(old: .string, new: .double, value: ".5"),
    Refusal(old: .string, new: .double, value: "1e5"),
    Refusal(old: .string, new: .double, value: "9007199254740993"),
    Refusal(old: .string, new: .decimal, value: "1.2.3"),
    Refusal(old: .string, new: .decimal, value: "00.5"),
    Refusal(old: .string, new: .integer32, value: "12.0"),
    Refusal(old: .string, new: .boolean, value: "yes"),
    Refusal(old: .string, new: .uuid, value: "x"),
  ]) func valuesWithoutAnEqualAreReported(_ sample: Refusal) throws {
    let store = try store(sample.old, sample.new, [.null, sample.value])
    let problems = try store.problems()
    #expect(problems.map(\.kind) == [.inconvertibleValue])
    #expect(problems.map(\.count) == [1])
    #expect(problems.map(\.property) == ["value"])
    #expect(problems.first?.keys.count == 1)
  }

  private static let strangers: [(AttributeType, AttributeType, Value)] = [
    (.string, .date, "x"), (.binary, .string, .data(Data([1]))), (.integer64, .date, 5),
    (.uuid, .binary, .uuid(uuid)), (.date, .integer64, .date(date)),
    (.transformable, .binary, .data(Data([1, 2]))),
  ]

  @Test(arguments: strangers)
  func typesWithoutASingleMeaningAreRefused(
    _ old: AttributeType, _ new: AttributeType, _ value: Value
  ) throws {
    let problems = try store(old, new, [.null, value]).problems()
    #expect(problems.map(\.kind) == [.inconvertibleType])
    #expect(problems.map(\.count) == [1])
    let sentence = problems.first?.sentence ?? ""
    #expect(sentence.hasPrefix("1 value of Pet.value has no single meaning as"))
    #expect(sentence.contains("Use a custom stage"))
  }

  /// No value is lost where there is none.
  @Test(arguments: strangers)
  func anAttributeWithoutValuesGetsAnyType(
    _ old: AttributeType, _ new: AttributeType, _ value: Value
  ) throws {
    for values in [[], [Value.null, .null]] {
      let stack = try store(old, new, values).migrate()
      try stack.look { context in
        let found = try context.values("Pet", "value")
        #expect(found == values)
      }
      try stack.store.close()
    }
  }

  // MARK: - Composites

  private func address(
    _ attributes: [AttributeDescription]
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Pet",
        attributes: [AttributeDescription("name", .string, isOptional: true)] + attributes)
    ])
  }

  private func attribute(_ name: String, was former: String? = nil) -> AttributeDescription {
    var attribute = AttributeDescription(name, .string, isOptional: true)
    attribute.renamingIdentifier = former
    return attribute
  }

  private func composite(_ elements: [AttributeDescription]) -> AttributeDescription {
    var composite = AttributeDescription("address", .composite, isOptional: true)
    composite.elements = elements
    return composite
  }

  /// The members of a composite that may be nil need no value; those of a required one do.
  @Test(arguments: [true, false])
  func aNewCompositeNeedsItsRequiredMembersOnlyIfItIsRequired(_ isOptional: Bool) throws {
    var street = attribute("street")
    street.isOptional = false
    var address = composite([street, attribute("city")])
    address.isOptional = isOptional
    let store = try MigratedStore(from: self.address([]), to: self.address([address])) { context in
      try context.make("Pet", ["name": "a"])
    }
    guard isOptional else {
      let error = #expect(throws: StoreError.self) { try store.migrate() }
      guard case .cannotMigrate(let problems)? = error?.code else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(problems.map(\.kind) == [.missingValue])
      #expect(problems.map(\.property) == ["address.street"])
      return
    }
    try store.migrate().store.close()
    #expect(try store.plain().rows("SELECT ZNAME, ZSTREET FROM ZPET") == [[.text("a"), .null]])
  }

  @Test func attributesMoveIntoACompositeAndOutOfIt() throws {
    let plain = try address([
      attribute("street", was: "address.street"), attribute("city", was: "address.city"),
    ])
    let composed = try address([
      composite([attribute("street", was: "street"), attribute("city", was: "city")])
    ])
    let store = try MigratedStore(from: plain, to: composed) { context in
      try context.make("Pet", ["name": "a", "street": "s", "city": "c"])
    }
    try store.migrate().store.close()
    #expect(
      try store.plain().rows("SELECT ZSTREET, ZCITY FROM ZPET") == [[.text("s"), .text("c")]])
    var back = try MigratedStore(from: composed, to: plain) { context in
      try context.make("Pet", ["name": "a"])
    }
    back.options.migration.versions = [composed, plain]
    // The file alone is changed beside the store.
    back.twin = nil
    try back.plain().run("UPDATE ZPET SET ZSTREET = 's', ZCITY = 'c'")
    let stack = try back.migrate()
    try stack.look { context throws in
      #expect(try context.values("Pet", "street") == ["s"])
      #expect(try context.values("Pet", "city") == ["c"])
    }
  }
}

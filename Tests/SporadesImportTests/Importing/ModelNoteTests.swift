// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesImport
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Cases of MagicalRecord's import, with its notes in the model, on entities without classes.
@Suite struct ModelNoteTests {
  @Test func valuesBecomeAttributesOfTheirTypes() async throws {
    let service = try Self.makeService()
    let text = """
      {"big": 10158365420975381, "text": "This is a test value", "middle": 32, "small": 256,
       "decimal": 1.2, "double": 124.3, "float": 10000000000, "flag": false, "flagText": "true",
       "when": "2011-07-23T22:30:40Z", "whenInWords": "8/5/2011 1-56-04", "nothing": null,
       "digits": 10248909829, "seconds": 1388349428, "milliseconds": 1388349427543,
       "otherKey": "Mapped value", "color": "rgba(64,128,225,1)"}
      """
    #expect(try await service.import(Self.request("Plain", text)).made == 1)
    let expected: [String: Value] = [
      "big": 10_158_365_420_975_381, "text": "This is a test value", "middle": 32, "small": 256,
      "decimal": .decimal(Decimal(string: "1.2") ?? 0), "double": 124.3, "float": 1e10,
      "flag": false, "flagText": true, "nothing": nil, "digits": "10248909829",
      "mapped": "Mapped value", "unmentioned": "from the model", "refreshed": "the default",
      "when": .date(Date(timeIntervalSince1970: 1_311_460_240)),
      "whenInWords": .date(Date(timeIntervalSince1970: 1_312_509_364)),
      "seconds": .date(Date(timeIntervalSince1970: 1_388_349_428)),
      "milliseconds": .date(Date(timeIntervalSince1970: 1_388_349_427.543)),
    ]
    let found = try service.readValue { context in
      let object = try context.fetch(FetchRequest("Plain"))[0]
      return Dictionary(
        uniqueKeysWithValues: expected.keys.map { ($0, object.value(forKey: $0)) })
    }
    for (name, value) in expected { #expect(found[name] == value, "\(name)") }
  }

  @Test func textsBecomeNumbers() async throws {
    let service = try Self.makeService()
    let text = """
      {"big": "42", "middle": "32", "small": "256", "decimal": "1.2", "double": "124.3", "float": "1e10"}
      """
    #expect(try await service.import(Self.request("Plain", text)).made == 1)
    let found = try service.readValue { context in
      let object = try context.fetch(FetchRequest("Plain"))[0]
      return ["big", "middle", "small", "double", "float"].map { object.value(forKey: $0) }
    }
    #expect(found == [42, 32, 256, 124.3, 1e10])
  }

  @Test func aDefaultComesBackWhereTheNoteSaysSo() async throws {
    let service = try Self.makeService()
    var request = Self.request("Plain", #"[{"big": 1, "refreshed": "x", "unmentioned": "y"}]"#)
    request.uniquedBy = ["big"]
    _ = try await service.import(request)
    request.source = .json(text: #"[{"big": 1}]"#)
    #expect(try await service.import(request).updated == 1)
    let found = try service.readValue { context in
      let object = try context.fetch(FetchRequest("Plain"))[0]
      return [object["refreshed"], object["unmentioned"]]
    }
    #expect(found == ["the default", "y"])
  }

  @Test func rowsWithoutAKeyAreAllMade() async throws {
    let service = try Self.makeService()
    let row = #"{"text": "This is a test value"}"#
    let text = "[\(Array(repeating: row, count: 4).joined(separator: ","))]"
    #expect(try await service.import(Self.request("Plain", text)).made == 4)
  }

  @Test func aNestedRecordFindsItsObjectByTheUsualKey() async throws {
    let service = try Self.makeService()
    _ = try await service.import(
      Self.request("Target", #"[{"targetID": 42, "note": "made before"}]"#) { $0.uniquedBy = [] })
    let text = #"{"target": {"targetID": 42, "note": "from the file"}}"#
    _ = try await service.import(Self.request("Holder", text))
    #expect(try Self.targets(service) == ["42 0 from the file -"])
  }

  @Test func aRelationshipHasNotesOfItsOwn() async throws {
    let service = try Self.makeService()
    _ = try await service.import(
      Self.request("Target", #"[{"id": 42, "note": "made before"}]"#) { $0.uniquedBy = [] })
    let text = #"{"someOtherName": {"id": 42, "note": "from the file"}}"#
    _ = try await service.import(Self.request("Keyed", text))
    #expect(try Self.targets(service) == ["0 42 from the file -"])
  }

  @Test func aKeyPathLeadsIntoTheRecord() async throws {
    let service = try Self.makeService()
    let text = #"{"target": {"targetID": 42, "inner": {"nestedValue": "This is a nested value"}}}"#
    _ = try await service.import(Self.request("Holder", text))
    #expect(try Self.targets(service) == ["42 0 - This is a nested value"])
  }

  @Test func laterKeysCountWhereFirstOnesAreMissing() async throws {
    let service = try Self.makeService()
    let text = #"{"actualKey": "value", "actualTarget": {"targetID": 50, "note": "n"}}"#
    _ = try await service.import(Self.request("Fallback", text))
    let found = try service.readValue { context in
      let object = try context.fetch(FetchRequest("Fallback"))[0]
      return [
        object["text"], object.object(forKey: "target")?["targetID"] ?? .null, object["kept"],
      ]
    }
    #expect(found == ["value", 50, true])
  }

  @Test func listsOfRecordsAndOfKeysBecomeMembers() async throws {
    let service = try Self.makeService()
    let records = (1...4).map { #"{"id": \#($0), "note": "n\#($0)"}"# }.joined(separator: ",")
    _ = try await service.import(
      Self.request("Many", #"{"ownKey": 84, "targets": [\#(records)]}"#))
    #expect(try Self.members(service) == [1, 2, 3, 4])
    _ = try await service.import(Self.request("Many", #"{"ownKey": 84}"#))
    #expect(try Self.members(service) == [1, 2, 3, 4])
    // A list of keys replaces the members; MagicalRecord adds them.
    _ = try await service.import(Self.request("Many", #"{"ownKey": 84, "targets": [2, 3]}"#))
    #expect(try Self.members(service) == [2, 3])
    _ = try await service.import(Self.request("Many", #"{"ownKey": 84, "targets": null}"#))
    #expect(try Self.members(service) == [])
  }

  @Test func theNoteTypeNamesASubentity() async throws {
    let service = try Self.makeService()
    let text = """
      {"one": {"base": "BASE", "own": "DESCENDANT"},
       "some": [{"base": "BASE 1", "own": "DESCENDANT 1"}, {"base": "BASE 2", "own": "DESCENDANT 2"}]}
      """
    _ = try await service.import(Self.request("Tree", text))
    let found = try service.readValue { context in
      try context.fetch(FetchRequest("Leaf", sortedBy: [SortTerm("base")])).map { "\($0["own"])" }
    }
    #expect(found == ["DESCENDANT", "DESCENDANT 1", "DESCENDANT 2"])
  }

  @Test func aNoteThatNamesNothingIsRefusedByName() async throws {
    let service = try Self.makeService()
    let error = await #expect(throws: ImportError.self) {
      _ = try await service.import(Self.request("Target", "[]"))
    }
    #expect(error?.code == .request)
    #expect(error?.detail.contains("mapped") == true)
  }

  // MARK: - The model

  private static func request(
    _ name: String, _ text: String,
    _ change: (inout ImportRequest<ManagedObject>) -> Void = { _ in }
  ) -> ImportRequest<ManagedObject> {
    var request = ImportRequest(entityNamed: name, from: .json(text: text))
    if name == "Plain" || name == "Holder" || name == "Keyed" || name == "Fallback" {
      request.uniquedBy = []
    }
    change(&request)
    return request
  }

  private static func targets(_ service: DALService) throws -> [String] {
    try service.readValue { context in
      try context.fetch(FetchRequest("Target")).map { object in
        ["targetID", "number", "note", "nested"].map { name in
          let value = object.value(forKey: name)
          if case .string(let text) = value { return text }
          return value.isNull ? "-" : "\(value)"
        }.joined(separator: " ")
      }
    }
  }

  private static func members(_ service: DALService) throws -> [Value] {
    try service.readValue { context in
      try context.fetch(FetchRequest("Many"))[0].objects(forKey: "targets")
        .map { $0["number"] }.sorted { "\($0)" < "\($1)" }
    }
  }

  private static func attribute(
    _ name: String, _ type: AttributeType, default value: Value = .null,
    _ notes: [String: String] = [:]
  ) -> AttributeDescription {
    var attribute = AttributeDescription(name, type, isOptional: true, defaultValue: value)
    attribute.userInfo = notes
    return attribute
  }

  private static func link(
    _ relationship: RelationshipDescription, _ notes: [String: String]
  ) -> RelationshipDescription {
    var relationship = relationship
    relationship.userInfo = notes
    return relationship
  }

  private static func makeService() throws -> DALService {
    var target = EntityDescription(
      "Target",
      attributes: [
        attribute("targetID", .integer16, default: 0), attribute("note", .string),
        attribute("nested", .string, ["mappedKeyName": "inner.nestedValue"]),
        attribute("number", .integer64, default: 0, ["mappedKeyName": "id"]),
      ])
    target.userInfo = ["relatedByAttribute": "mapped"]
    var many = EntityDescription(
      "Many", attributes: [attribute("ownKey", .integer16)],
      relationships: [
        link(.toMany("targets", "Target"), ["relatedByAttribute": "number"])
      ])
    many.userInfo = ["relatedByAttribute": "ownKey"]
    let model = try ManagedObjectModel(
      entities: [plain, target, many] + holders + tree)
    var options = DALService.Options()
    options.reactor = nil
    return DALService(stack: DataStack(store: MemoryStore(model: model)), options: options)
  }

  private static var plain: EntityDescription {
    EntityDescription(
      "Plain",
      attributes: [
        attribute("big", .integer64), attribute("middle", .integer32),
        attribute("small", .integer16), attribute("decimal", .decimal),
        attribute("double", .double), attribute("float", .float), attribute("flag", .boolean),
        attribute("flagText", .boolean), attribute("text", .string), attribute("when", .date),
        attribute("whenInWords", .date, ["dateFormat": "M/d/yyyy H-mm-ss"]),
        attribute("nothing", .integer64, default: 100), attribute("digits", .string),
        attribute("seconds", .date), attribute("milliseconds", .date, ["dateFormat": "UnixTime"]),
        attribute("mapped", .string, ["mappedKeyName": "otherKey"]),
        attribute("unmentioned", .string, default: "from the model"),
        attribute(
          "refreshed", .string, default: "the default", ["useDefaultValueWhenNotPresent": "YES"]),
      ])
  }

  private static var holders: [EntityDescription] {
    [
      EntityDescription("Holder", relationships: [.toOne("target", "Target")]),
      EntityDescription(
        "Keyed",
        relationships: [
          link(
            .toOne("target", "Target"),
            ["mappedKeyName": "someOtherName", "relatedByAttribute": "number"])
        ]),
      EntityDescription(
        "Fallback",
        attributes: [
          attribute("kept", .boolean, default: true),
          attribute(
            "text", .string,
            [
              "mappedKeyName": "notInUse", "mappedKeyName.1": "warmer",
              "mappedKeyName.2": "actualKey",
            ]),
        ],
        relationships: [
          link(
            .toOne("target", "Target"),
            ["mappedKeyName": "notInUse", "mappedKeyName.1": "actualTarget"])
        ]),
    ]
  }

  private static var tree: [EntityDescription] {
    [
      EntityDescription("Branch", attributes: [attribute("base", .string)], isAbstract: true),
      EntityDescription("Leaf", attributes: [attribute("own", .string)], superentityName: "Branch"),
      EntityDescription(
        "Tree",
        relationships: [
          link(.toOne("one", "Branch"), ["type": "Leaf", "relatedByAttribute": "base"]),
          link(.toMany("some", "Branch"), ["type": "Leaf", "relatedByAttribute": "base"]),
        ]),
    ]
  }
}

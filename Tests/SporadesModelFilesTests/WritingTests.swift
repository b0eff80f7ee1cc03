// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

/// A model from code goes into Xcode's file and comes out again.
@Suite struct WritingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var file: URL { folder.url.appendingPathComponent("M.xcdatamodel") }

  private func text() throws -> String {
    try String(contentsOf: file.appendingPathComponent("contents"), encoding: .utf8)
  }

  /// A model with every construct that a file can hold.
  static func model() throws -> ManagedObjectModel {
    let texts = "\"<&>'\t\n\r é 🏝"
    var name = AttributeDescription("name", .string, defaultValue: .string(texts))
    name.userInfo = ["a": texts, "": ""]
    name.versionHashModifier = "2 < 3"
    name.renamingIdentifier = "title"
    name.preservesValueInHistoryOnDeletion = true
    name.isIndexedBySpotlight = true
    name.validation.minimumLength = 1
    name.validation.maximumLength = 40
    name.validation.pattern = "[^<]+"
    var age = AttributeDescription("age", .integer16, isOptional: true, defaultValue: .integer(-1))
    age.validation.minimum = .integer(-5)
    age.validation.maximum = .integer(300)
    var born = AttributeDescription(
      "born", .date, isOptional: true,
      defaultValue: .date(Date(timeIntervalSinceReferenceDate: 12.5)))
    born.validation.maximum = .date(Date(timeIntervalSinceReferenceDate: 86_400))
    var photo = AttributeDescription("photo", .binary, isOptional: true)
    photo.allowsExternalBinaryDataStorage = true
    var tags = AttributeDescription("tags", .transformable, isOptional: true)
    tags.valueTransformerName = "Tags"
    tags.attributeValueClassName = "NSArray"
    var inner = AttributeDescription("inner", .composite)
    inner.elements = [AttributeDescription("x", .double, defaultValue: .double(0.1))]
    var place = AttributeDescription("place", .composite, isOptional: true)
    place.elements = [inner, AttributeDescription("y", .float, isOptional: true)]
    var otherPlace = place
    otherPlace.name = "otherPlace"
    var count = AttributeDescription("count", .integer64, isOptional: true)
    count.derivationExpression = "pets.@count"
    var being = EntityDescription(
      "Being",
      attributes: [
        name, age, born, photo, tags, place, otherPlace,
        AttributeDescription("seen", .undefined, isOptional: true, isTransient: true),
        AttributeDescription("id", .uuid, defaultValue: .uuid(UUID())),
        AttributeDescription("home", .uri, defaultValue: .url(URL(string: "https://a.b/c?d")!)),
        AttributeDescription("price", .decimal, defaultValue: .decimal(Decimal(string: "1.50")!)),
        AttributeDescription("isGood", .boolean, defaultValue: true),
        AttributeDescription("ratio", .double, defaultValue: .double(1e-300)),
      ], isAbstract: true, uniquenessConstraints: [["id"], ["name", "age"]],
      indexes: [
        .init("age", on: "age"),
        .init("some", [.init("name", isAscending: false), .init("age")]),
        .init(
          "young", [.init("age")], where: try FetchPredicate(format: "age < 3 AND name != 'x'")),
        .init("near", [.init("ratio", collation: .rTree)]),
      ])
    being.userInfo = ["key": "value"]
    being.versionHashModifier = "b"
    being.renamingIdentifier = "Thing"
    var request = FetchRequest("Pet", where: try FetchPredicate(format: "owner == $FETCH_SOURCE"))
    request.fetchLimit = 3
    request.includesSubentities = false
    var owner = EntityDescription(
      "Owner", attributes: [count],
      relationships: [
        .toMany("pets", "Pet", inverse: "owner", isOrdered: true, deleteRule: .cascade)
      ], superentityName: "Being")
    owner.relationships[0].minCount = 1
    owner.relationships[0].maxCount = 5
    owner.relationships[0].userInfo = ["r": "s"]
    owner.fetchedProperties = [FetchedPropertyDescription("friends", request)]
    owner.managedObjectClassName = "App.Owner"
    let pet = EntityDescription(
      "Pet",
      relationships: [
        .toOne("owner", "Owner", inverse: "pets", isOptional: false, deleteRule: .deny),
        .toOne("friend", "Pet", deleteRule: .noAction),
      ], superentityName: "Being")
    var counted = FetchRequest("Being", where: try FetchPredicate(format: "age > $least"))
    counted.resultType = .count
    counted.returnsDistinctResults = true
    return try ManagedObjectModel(
      entities: [being, owner, pet],
      configurations: ["Local": ["Pet"], "All": ["Owner", "Being"]],
      fetchRequestTemplates: ["old": counted], versionIdentifiers: ["7"])
  }

  @Test func comesOutAsItWentIn() throws {
    let model = try Self.model()
    #expect(try model.write(to: file).map(\.description) == [])
    let reading = try ModelFile.read(file)
    #expect(reading.warnings.map(\.description) == [])
    #expect(reading.model.differences(from: model).description == "")
    #expect(reading.model == model)
  }

  @Test func looksLikeXcodesFile() throws {
    let owner = EntityDescription(
      "Owner", relationships: [.toMany("pets", "Pet", inverse: "owner", deleteRule: .cascade)])
    var pet = EntityDescription(
      "Pet", attributes: [AttributeDescription("age", .integer16, defaultValue: 0)],
      relationships: [.toOne("owner", "Owner", inverse: "pets")], uniquenessConstraints: [["age"]])
    pet.managedObjectClassName = "Pet"
    try ManagedObjectModel(entities: [owner, pet], versionIdentifiers: [""]).write(to: file)
    #expect(
      try text() == """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="1" systemVersion="11A491" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
            <entity name="Owner" syncable="YES">
                <relationship name="pets" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Pet" inverseName="owner" inverseEntity="Pet"/>
            </entity>
            <entity name="Pet" representedClassName="Pet" syncable="YES">
                <attribute name="age" attributeType="Integer 16" defaultValueString="0" usesScalarValueType="YES"/>
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Owner" inverseName="pets" inverseEntity="Owner"/>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="age"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
        </model>
        """)
  }

  /// A composite has the name of its place, and attributes with equal members share one.
  @Test func compositesAreDeclaredOnce() throws {
    try Self.model().write(to: file)
    let root = try XMLTree.parse(text())
    let composites = root.children.filter { $0.name == "composite" }
    #expect(
      composites.map { $0.attributes["name"] } == ["BeingPlaceInner", "BeingPlace"])
  }

  @Test func partsThatNoFileCanHoldAreLeftOutAndNamed() throws {
    var name = AttributeDescription("name", .string)
    name.validation.predicates = [try FetchPredicate(format: "SELF != 'x'")]
    name.validation.pattern = ""
    let bytes = AttributeDescription("bytes", .binary, defaultValue: .data(Data([1])))
    let nan = AttributeDescription("nan", .double, defaultValue: .double(.nan))
    let place = AttributeDescription("place", .objectID, isOptional: true, isTransient: true)
    var entity = EntityDescription("A", attributes: [name, bytes, nan, place])
    var request = FetchRequest("A")
    request.sortTerms = [SortTerm("name")]
    entity.fetchedProperties = [FetchedPropertyDescription("all", request)]
    var none = FetchRequest("A")
    none.fetchLimit = 0
    let model = try ManagedObjectModel(
      entities: [entity], fetchRequestTemplates: ["none": none], versionIdentifiers: ["2", "1"])
    let omissions = try model.write(to: file)
    #expect(
      omissions.map { "\($0.code.rawValue) \($0.property ?? "")" } == [
        "misplacedOption ", "invalidBounds name", "invalidBounds name", "invalidDefault bytes",
        "invalidDefault nan", "misplacedOption place", "misplacedOption all",
        "misplacedOption none",
      ])
    let read = try ManagedObjectModel(contentsOf: file)
    #expect(read.versionChecksum == model.versionChecksum)
    #expect(read.versionIdentifiers == ["1"])
    #expect(read.entities[0].propertyNames == ["name", "bytes", "nan", "place"])
    #expect(read.fetchRequestTemplates.isEmpty)
  }

  @Test func charactersThatXMLForbidsAreRefusedByName() throws {
    var name = AttributeDescription("name", .string, defaultValue: "bell \u{7}")
    name.userInfo = ["\u{FFFE}": ""]
    var pet = EntityDescription("Pet", attributes: [name])
    pet.userInfo = ["key": "\0"]
    let model = try ManagedObjectModel(entities: [pet])
    let error = #expect(throws: ModelError.self) { try model.write(to: file) }
    let problems = error?.problems.map { "\($0.code.rawValue) \($0.description.prefix(60))" }
    #expect(
      problems == [
        "unwritableText Pet.name: has the character U+0007 in its defaultValueString",
        "unwritableText Pet.name: has the character U+FFFE in its key, which no XML ",
        "unwritableText Pet: has the character U+0000 in its value, which no XML fil",
      ])
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    // An archive has no such limits.
    let compiled = folder.url.appendingPathComponent("M.mom")
    try model.write(to: compiled)
    #expect(try ManagedObjectModel(contentsOf: compiled).entities[0].userInfo == ["key": "\0"])
  }

  /// Every other character, alone and between others, is read as it was written.
  @Test func allOtherCharactersComeBack() throws {
    var scalars: [Unicode.Scalar] = ["\t", "\n", "\r"]
    for number: UInt32 in 0x20...0x10_FFFD {
      let isChosen = number < 0x300 || number % 0x4D == 0 || number & 0xFFFF > 0xFFF0
      guard isChosen, number != 0xFFFE, number != 0xFFFF else { continue }
      if let scalar = Unicode.Scalar(number) { scalars.append(scalar) }
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    text.append(contentsOf: "  \r\n\n]]>&amp;&#10; ".unicodeScalars)
    let entity = EntityDescription(
      "A", attributes: [AttributeDescription("a", .string, defaultValue: .string(String(text)))])
    try ManagedObjectModel(entities: [entity]).write(to: file)
    let read = try ManagedObjectModel(contentsOf: file).entities[0].attributes[0].defaultValue
    guard case .string(let back) = read else {
      Issue.record("no text")
      return
    }
    #expect(Array(back.unicodeScalars) == Array(text))
  }
}

// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesTesting
import SporadesXcode
import Testing

/// Classes and code that are written of a model give the model again. The files beside this one are what is
/// written of ``kennel()``, and the compiler has read them.
///
/// `SPORADES_WRITE_SOURCE=1` writes them anew.
@Suite struct SwiftSourceTests {
  /// A model with every construct, and with names for which Swift has other uses.
  static func kennel() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [animal(), dog(), handler(), set(), plain()],
      configurations: ["Dogs": ["Dog", "Keeper"], "Rest": ["Set"]],
      fetchRequestTemplates: [
        "grown": FetchRequest("Dog", where: FetchPredicate(format: "age > $least"))
      ], versionIdentifiers: ["3"])
  }

  private static func animal() throws -> EntityDescription {
    var name = AttributeDescription("name", .string, defaultValue: "\"é\\\n\u{301}")
    name.validation.minimumLength = 1
    name.validation.maximumLength = 40
    name.validation.pattern = #"[^\\"]+"#
    name.validation.predicates = [try FetchPredicate(format: "SELF != 'x'")]
    name.renamingIdentifier = "title"
    name.versionHashModifier = "2"
    name.userInfo = ["b": "2", "a": "1"]
    name.isIndexedBySpotlight = true
    var age = AttributeDescription("age", .integer16, isOptional: true, defaultValue: .integer(-1))
    age.validation.minimum = .integer(-5)
    age.validation.maximum = .integer(300)
    var photo = AttributeDescription("photo", .binary, isOptional: true)
    photo.allowsExternalBinaryDataStorage = true
    photo.preservesValueInHistoryOnDeletion = true
    var born = AttributeDescription(
      "born", .date, defaultValue: .date(Date(timeIntervalSinceReferenceDate: 12.5)))
    born.validation.maximum = .date(Date(timeIntervalSinceReferenceDate: 86_400))
    var weight = AttributeDescription("weight", .decimal, defaultValue: .decimal(Decimal(5)))
    weight.validation.minimum = .decimal(Decimal(string: "0.5")!)
    var inner = AttributeDescription("inner", .composite)
    inner.elements = [AttributeDescription("x", .double, defaultValue: .double(0.25))]
    var place = AttributeDescription("place", .composite, isOptional: true)
    place.elements = [inner, AttributeDescription("in", .float, isOptional: true)]
    var animal = EntityDescription(
      "Beast",
      attributes: [
        name, age, photo, born, weight, place,
        AttributeDescription("default", .boolean, defaultValue: true),
        AttributeDescription("scratch", .integer64, isOptional: true, isTransient: true),
        AttributeDescription("anything", .undefined, isOptional: true, isTransient: true),
      ], isAbstract: true, uniquenessConstraints: [["name"], ["age", "born"]],
      indexes: [
        .init("age", on: "age"),
        .init("both", [.init("name", isAscending: false), .init("age")]),
        .init("young", [.init("age")], where: try FetchPredicate(format: "age < 3")),
      ])
    animal.userInfo = ["key": "value"]
    animal.versionHashModifier = "b"
    animal.renamingIdentifier = "Thing"
    return animal
  }

  private static func dog() throws -> EntityDescription {
    var count = AttributeDescription("count", .integer64, isOptional: true)
    count.derivationExpression = "tricks.@count"
    var colors = AttributeDescription("colors", .transformable, isOptional: true)
    colors.valueTransformerName = "Colors"
    colors.attributeValueClassName = "NSArray"
    var tricks = RelationshipDescription.toMany(
      "tricks", "Set", inverse: "dog", isOptional: false, isOrdered: true, deleteRule: .cascade)
    tricks.maxCount = 5
    tricks.userInfo = ["r": "s"]
    var handler = RelationshipDescription.toOne("handler", "Keeper", inverse: "dogs")
    handler.minCount = 1
    var dog = EntityDescription(
      "Dog", attributes: [count, colors], relationships: [tricks, handler],
      superentityName: "Beast")
    dog.managedObjectClassName = "Kennel.KennelDog"
    dog.fetchedProperties = [FetchedPropertyDescription("others", FetchRequest("Dog"))]
    return dog
  }

  private static func handler() throws -> EntityDescription {
    var dogs = RelationshipDescription.toMany("dogs", "Dog", inverse: "handler", deleteRule: .deny)
    dogs.minCount = 1
    dogs.isOptional = false
    var friend = RelationshipDescription.toOne(
      "friend", "Keeper", isOptional: false, deleteRule: .noAction)
    friend.renamingIdentifier = "pal"
    friend.versionHashModifier = "x"
    var mate = RelationshipDescription.toOne("mate", "Keeper")
    mate.isTransient = true
    return EntityDescription(
      "Keeper",
      attributes: [
        AttributeDescription("id", .uuid, defaultValue: .uuid(UUID(uuid: someID))),
        AttributeDescription("home", .uri, isOptional: true),
        AttributeDescription("String", .string, isOptional: true),
      ], relationships: [dogs, friend, mate])
  }

  private static var someID: uuid_t { (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1) }

  /// The name is one of Swift's types.
  private static func set() -> EntityDescription {
    EntityDescription(
      "Set",
      attributes: [
        AttributeDescription("ratio", .float, defaultValue: .double(0.5)),
        AttributeDescription("total", .double, defaultValue: .double(1e-300)),
        AttributeDescription("small", .integer32), AttributeDescription("large", .integer64),
      ], relationships: [.toOne("dog", "Dog", inverse: "tricks", isOptional: false)])
  }

  private static func plain() -> EntityDescription { EntityDescription("Hollow") }

  // MARK: - Tests

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let head = "// SPDX-License-Identifier: MIT\n// swift-format-ignore-file\n"

  @Test(arguments: [false, true])
  func theFilesAreWhatIsWritten(isModel: Bool) throws {
    let source = try Self.kennel().swiftSource(named: "Kennel")
    let text = Self.head + (isModel ? source.model : source.classes)
    let file = Self.folder.appendingPathComponent(isModel ? "KennelModel.swift" : "Kennel.swift")
    if ProcessInfo.processInfo.environment["SPORADES_WRITE_SOURCE"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test func theClassesGiveTheModelAgain() throws {
    let model = try Self.kennel()
    let source = try model.swiftSource(named: "Kennel")
    let again = try Kennel.makeModel()
    #expect(!source.needsModel)
    #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(
      source.omissions.map(\.description) == [
        "Beast.anything: is of a type that Swift lacks.",
        "Dog.others: is a fetched property, which no class declares.",
        "grown: is a fetch request template, which no class declares.",
        "The model has version identifiers, which no class declares.",
      ])
    let differences = again.differences(from: model)
    #expect(!differences.changesVersionHashes)
    #expect(
      differences.description == """
        Beast: the class changes from none to Beast. Version hashes stay.
        Beast.anything is gone. Version hashes stay.
        Dog: the class changes from Kennel.KennelDog to KennelDog. Version hashes stay.
        Dog.others is gone. Version hashes stay.
        Set: the class changes from none to SetEntity. Version hashes stay.
        Keeper: the class changes from none to Keeper. Version hashes stay.
        Hollow: the class changes from none to Hollow. Version hashes stay.
        The model: the fetch request template grown changes from Dog where age > $least to none. Version hashes stay.
        The model: the list of version identifiers changes from "3" to none. Version hashes stay.
        """)
  }

  @Test func theCodeGivesTheModelAgain() throws {
    let model = try Self.kennel()
    #expect(try KennelModel.makeModel().differences(from: model).description == "")
    #expect(try KennelModel.makeModel() == model)
  }

  /// The bytes of a transformable attribute go through a class that knows no transformer.
  @Test func objectsOfTheClassesAreSaved() throws {
    let model = try Kennel.makeModel()
    let stack = DataStack(store: MemoryStore(model: model), classes: Kennel.classes)
    try stack.newContext().performAndWait { context in
      let dog = KennelDog(context: context)
      dog.colors = TransformedBytes(Data([1, 2]))
      dog.default = false
      dog.name = "Rex"
      dog.place = BeastPlace(inner: BeastPlaceInner(x: 2), in: 3)
      let set = SetEntity(context: context)
      set.dog = dog
      set.small = 1
      set.large = 2
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      let dog = try #require(try KennelDog.first(in: context))
      #expect(dog.colors == TransformedBytes(Data([1, 2])))
      #expect(!dog.default)
      #expect(dog.place?.inner.x == 2)
      #expect(dog.place?.in == 3)
      #expect(dog.tricks.map(\.ratio) == [0.5])
      #expect(dog.age == -1)
      #expect(dog.count == 1)
    }
  }

  @Test func whatClassesCannotSayIsNamed() throws {
    var relationship = RelationshipDescription.toOne("other", "A")
    relationship.unansweredInverseName = "lost"
    var plain = AttributeDescription("plain", .string, isOptional: true)
    plain.valueTransformerName = "Colors"
    var a = EntityDescription(
      "A", attributes: [AttributeDescription("Type", .string, isOptional: true), plain],
      relationships: [relationship])
    a.unenforcedConstraints = [["Type"]]
    let source = try ManagedObjectModel(entities: [a]).swiftSource(named: "M")
    #expect(source.needsModel)
    #expect(
      source.omissions.map { "\($0.entity ?? "").\($0.property ?? "")" } == [
        "A.", "A.Type", "A.plain", "A.other",
      ])
    #expect(
      source.omissions.map {
        $0.detail.hasSuffix("The version hash needs it: use the model in code.")
      } == [true, true, false, true])
  }

  @Test(arguments: ["", "Set", "1", "a b", "class"])
  func namesThatNoTypeCanHaveAreRefused(name: String) throws {
    let error = #expect(throws: ModelError.self) {
      try Self.kennel().swiftSource(named: name)
    }
    #expect(error?.problems.map(\.code) == [.invalidName])
  }
}

// SPDX-License-Identifier: MIT
import Foundation
import SwiftDiagnostics
import SwiftSyntax
import Testing

@testable import SporadesMacros

/// The mistakes that `@Entity` and its markers refuse.
struct EntityDiagnosticsTests {
  @Test(arguments: [
    ("@Entity struct A { var b: Int }", MacroDiagnostic.entityIsNotAClass(kind: "a struct")),
    ("@Entity enum A { case b }", .entityIsNotAClass(kind: "an enum")),
    ("@Entity actor A { var b: Int }", .entityIsNotAClass(kind: "an actor")),
    ("@Entity protocol A { var b: Int { get } }", .entityIsNotAClass(kind: "a protocol")),
    ("@Entity extension A {}", .entityIsNotAClass(kind: "an extension")),
    ("@Entity class A {}", .entityHasNoSuperclass(name: "A")),
    ("@Entity class A: Sendable {}", .entityHasNoSuperclass(name: "A")),
    ("@Entity class A: Swift.Identifiable {}", .entityHasNoSuperclass(name: "A")),
    (
      "@Entity class A: CoreData.NSManagedObject {}", .coreDataSuperclass(entity: "A")
    ),
    ("@MainActor @Entity class A: ManagedObject {}", .isolatedEntity(name: "A")),
    ("@Entity class A<B>: ManagedObject {}", .entityIsGeneric(name: "A")),
    (
      "@Entity class A: ManagedObject { init(b: Int) {} }", .designatedInitializer(entity: "A")
    ),
    (
      "@Entity class A: ManagedObject { required init(context: ManagedObjectContext) {} }",
      .designatedInitializer(entity: "A")
    ),
  ])
  func refusesTypesThatCannotBeEntities(source: String, message: MacroDiagnostic) {
    #expect(Expansion(source).messages == [message])
  }

  @Test(arguments: [
    ("let a: Int?", MacroDiagnostic.constantProperty(name: "a")),
    ("lazy var a: Int = 1", .lazyProperty(name: "a")),
    ("weak var a: Pet?", .referenceModifier("weak", name: "a")),
    ("unowned var a: Pet", .referenceModifier("unowned", name: "a")),
    ("unowned(unsafe) var a: Pet", .referenceModifier("unowned", name: "a")),
    ("var a: Int = 1 { didSet {} }", .observedProperty(name: "a")),
    ("var a: Int = 1 { willSet {} didSet {} }", .observedProperty(name: "a")),
    ("var a = Date()", .typeNeeded(name: "a", example: "Date")),
    ("var a = State.open", .typeNeeded(name: "a", example: "State")),
    ("var a = [String]()", .typeNeeded(name: "a", example: "[String]")),
    ("var a = [String: Int]()", .typeNeeded(name: "a", example: "[String: Int]")),
    ("var a = 60 * 60", .typeNeeded(name: "a", example: "Int")),
    ("var a = nil", .typeNeeded(name: "a", example: "String")),
    ("var a = [1, 1.5]", .typeNeeded(name: "a", example: "String")),
    ("var a = []", .typeNeeded(name: "a", example: "String")),
    ("var a", .typeNeeded(name: "a", example: "String")),
    ("var a: Int??", .nestedOptional(name: "a")),
    ("@NSManaged var a: Int", .managedByCoreData(name: "a")),
    ("@MainActor var a: Int?", .isolatedProperty(name: "a")),
    ("@Composite var a: Int?", .compositeOnProperty(name: "a")),
    ("override var a: Int", .overriddenProperty(name: "a")),
    ("@Ignored var a: Int", .ignoredWithoutValue(name: "a")),
    ("var `my name`: Int?", .invalidName("my name")),
    ("var a: (Int, Int)", .tupleType(name: "a")),
    ("var a: (b: Int, c: Int)?", .tupleType(name: "a")),
    ("var a: ()", .tupleType(name: "a")),
    ("var a: () -> Void", .functionType(name: "a")),
    ("var a: (() -> Void)?", .functionType(name: "a")),
    ("var a: @Sendable (Int) -> Int", .functionType(name: "a")),
    ("var a, b: Int?", .severalBindings),
    ("var a = 1, b = 2", .severalBindings),
    ("var (a, b): (Int, Int)", .destructuring),
    ("#if DEBUG\n  var a: Int?\n  #endif", .conditionalProperty(name: "a")),
  ])
  func refusesFormsOfProperties(property: String, message: MacroDiagnostic) {
    #expect(messages(of: property) == [message])
  }

  @Test(arguments: [
    ("Any?", "Any", "declare the type of its values"),
    ("[String: Any]", "[String: Any]", "declare elements of a Codable type"),
    ("[[Any]]", "[[Any]]", "declare elements of a Codable type"),
    (
      "(any Shape)?", "any Shape",
      "declare one Codable type, such as an enum with a case for each kind"
    ),
    (
      "some Shape", "some Shape",
      "declare one Codable type, such as an enum with a case for each kind"
    ),
    ("A & B", "A & B", "declare one Codable type, such as an enum with a case for each kind"),
    ("Int.Type", "Int.Type", "declare a String with the type's name"),
    ("Character", "Character", "declare it String"), ("CGFloat!", "CGFloat", "declare it Double"),
    ("UInt8", "UInt8", "declare it Int16"), ("UInt32?", "UInt32", "declare it Int64"),
    ("UInt64", "UInt64", "declare it Int64, or Decimal for numbers above Int64.max"),
    ("NSSet?", "NSSet", "declare a Set of the class of an entity"),
    ("NSNumber?", "NSNumber", "declare it Int, Double or Bool"),
  ])
  func refusesTypesThatNoAttributeHolds(type: String, part: String, remedy: String) {
    #expect(
      messages(of: "var a: \(type)") == [.unstorableType(name: "a", type: part, remedy: remedy)])
  }

  @Test(arguments: ["Int", "String?", "[String]", "Set<Date>", "[String: Int]"])
  func refusesRelationshipsOfValues(type: String) {
    let message = MacroDiagnostic.relationshipOfValues(name: "a", type: type)
    #expect(messages(of: "@Relationship var a: \(type)") == [message])
  }

  @Test(arguments: ["Set<Pet>?", "[Pet]?", "Array<Pet>!"])
  func refusesOptionalCollectionsOfObjects(type: String) {
    #expect(messages(of: "@Relationship var a: \(type)") == [.optionalToMany(name: "a")])
    #expect(messages(of: "@Relationship(inverse: nil) var a: \(type.dropLast())").isEmpty)
  }

  @Test(arguments: ["URL?", "[UInt8]", "Set<UInt64>", "[String: CGFloat]", "Optional<Int>", "Int!"])
  func allowsTypesThatHaveAnEncoding(type: String) {
    #expect(messages(of: "var a: \(type)").isEmpty)
  }

  @Test(arguments: [
    "objectID", "isDeleted", "isInserted", "isUpdated", "entity", "hasChanges",
    "managedObjectContext", "isFault", "description", "hash", "`self`", "`init`",
    "`Type`", "`Protocol`", "`class`", "retain", "changedValues", "willTurnIntoFault",
  ])
  func refusesNamesOfManagedObject(name: String) {
    let text = name.replacing("`", with: "")
    #expect(messages(of: "var \(name): String?") == [.reservedName(text)])
  }

  @Test(arguments: ["id", "name", "value", "key", "state", "page", "row", "home", "count", "type"])
  func allowsCommonNames(name: String) {
    #expect(messages(of: "var \(name): String?").isEmpty)
  }

  @Test(arguments: [
    (
      "@Attribute @Relationship var a: Int?",
      MacroDiagnostic.severalMarkers(name: "a", first: "Attribute", second: "Relationship")
    ),
    (
      "@Transient @Derived(\"b\") var a: Int?",
      .severalMarkers(name: "a", first: "Transient", second: "Derived")
    ),
    (
      "@Attribute(.unique) @Attribute(.indexed) var a: Int?",
      .severalMarkers(name: "a", first: "Attribute", second: "Attribute")
    ),
    ("@Derived(\"b\") var a: Int = 1", .derivedWithInitialValue(name: "a")),
    ("@Derived var a: Int", .derivedNeedsExpression(name: "a")),
    ("@Relationship var a: Pet? = Pet()", .relationshipWithInitialValue(name: "a")),
    ("@Relationship(inverse: name) var a: Pet?", .inverseIsNotAName),
    ("@Relationship(inverse: \"\\(name)\") var a: Pet?", .inverseIsNotAName),
    ("@Relationship(inverse: \\Pet[0]) var a: Pet?", .inverseIsNotAName),
    ("@Relationship(inverse: \\Pet.owner.mother) var a: Pet?", .inverseIsAPath),
    ("#Unique(name)", .listIsNotNames(macro: "Unique")),
    ("#Index<A>([path])", .listIsNotNames(macro: "Index")),
    ("#Unique(\"b\")", .unknownProperty("b", macro: "Unique", entity: "A", known: [])),
    ("#Index<A>([\\.b])", .unknownProperty("b", macro: "Index", entity: "A", known: [])),
    ("@Attribute func a() {}", .markerNeedsProperty("@Attribute")),
    ("@Relationship var a: Int { 1 }", .markerNeedsProperty("@Relationship")),
    ("@Transient static var a = 1", .markerNeedsProperty("@Transient")),
  ])
  func refusesMarkersWithoutAMeaning(property: String, message: MacroDiagnostic) {
    #expect(messages(of: property) == [message])
  }

  @Test(arguments: [
    ("class A { @Attribute var b: Int? }", MacroDiagnostic.markerOutsideEntity("@Attribute")),
    ("@Transient var b: Int?", .markerOutsideEntity("@Transient")),
    ("class A { #Unique(\"b\") }", .markerOutsideEntity("#Unique")),
    ("@Composite struct A { #Index(\"b\") }", .markerOutsideEntity("#Index")),
  ])
  func refusesMarkersOutsideAnEntity(source: String, message: MacroDiagnostic) {
    #expect(Expansion(source).messages == [message])
  }

  @Test func reportsEveryMistakeOfAClassOnce() {
    let expansion = Expansion(
      "@Entity class A {\n  let b: Int\n  weak var c: Pet?\n  var hash: Int?\n}")
    #expect(
      expansion.messages == [
        .entityHasNoSuperclass(name: "A"), .constantProperty(name: "b"),
        .referenceModifier("weak", name: "c"), .reservedName("hash"),
      ])
    #expect(!expansion.source.contains("declaration"))
  }

  /// Without these members the compiler would report what is missing, and hide the diagnostic.
  @Test func addsOnlyStandInsToAClassThatCannotBeAnEntity() {
    let source = Expansion("@Entity open class A {\n  var b: Int?\n}").source
    #expect(source.hasPrefix("open class A {\n  var b: Int?\n"))
    #expect(source.contains("public init(_ seed: ObjectSeed)"))
    #expect(source.contains("public init(context: ManagedObjectContext)"))
    #expect(!source.contains("declaration"))
    let own = "@Entity class A: B { let b: Int\n required init(context: ManagedObjectContext) {} }"
    #expect(Expansion(own).source.components(separatedBy: "init(context").count == 2)
    #expect(Expansion(own).source.contains("private static let firstPropertyIndex = 0"))
  }

  @Test func refusesASuperclassThatIsNoManagedObject() {
    let source = "@Entity class A: Base { var b: Int? }"
    #expect(Expansion(source).messages.isEmpty)
    let expansion = Expansion(source, isManagedObject: false)
    #expect(expansion.messages == [.superclassIsNoManagedObject("Base", entity: "A")])
    #expect(expansion.source.contains("<V>(property place: Int) -> V {"))
  }

  @Test(arguments: [
    ("@Relationship(inverse: \\A.b) var b: A?", "b", "b"),
    (
      "@Relationship(inverse: \\A.c) var b: A?\n  @Relationship(inverse: \\A.b) var c: A?", "b", "c"
    ),
  ])
  func refusesKeyPathsThatWaitForEachOther(properties: String, one: String, other: String) {
    #expect(messages(of: properties) == [.inversesWaitForEachOther(one, other)])
    let named = properties.replacing("\\A.b", with: "\"b\"")
    #expect(messages(of: named).isEmpty)
  }

  @Test func pointsAtTheMistake() throws {
    let expansion = Expansion("@Entity class A: ManagedObject {\n  let b: Int\n}")
    let diagnostic = try #require(expansion.diagnostics.first)
    #expect(diagnostic.node.trimmedDescription == "let")
    #expect(diagnostic.diagMessage.severity == .error)
    #expect(diagnostic.diagnosticID == MessageID(domain: "Sporades", id: "constantProperty"))
  }

  /// A node outside its tree has no position in a file.
  @Test(arguments: ["(Int, Int)", "() -> Void", "(() -> Void)?"])
  func refusedTypesHaveAPositionInTheSource(type: String) throws {
    let source = "@Entity class A: ManagedObject {\n  var b: \(type)\n}"
    let node = try #require(Expansion(source).diagnostics.first?.node)
    #expect(node.root.trimmedDescription == source)
  }

  @Test func namesInAnIndexHaveAPositionInTheSource() throws {
    let source = "@Entity class A: ManagedObject {\n  #Index(name: \"x\", \"b\")\n}"
    let node = try #require(Expansion(source).diagnostics.first?.node)
    #expect(node.root.trimmedDescription == source)
  }

  @Test func otherInitializersAreAllowed() {
    #expect(messages(of: "convenience init(b: Int, in c: ManagedObjectContext) {}").isEmpty)
  }

  private func messages(of property: String) -> [MacroDiagnostic] {
    Expansion("@Entity class A: ManagedObject {\n  \(property)\n}").messages
  }
}

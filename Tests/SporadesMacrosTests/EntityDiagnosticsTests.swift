// SPDX-License-Identifier: MIT
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
    ("@Entity class A<B>: ManagedObject {}", .entityIsGeneric(name: "A")),
    (
      "@Entity class A: ManagedObject { init(b: Int) {} }", .designatedInitializer(entity: "A")
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
    ("var a = Date()", .typeNeeded(name: "a")),
    ("var a = nil", .typeNeeded(name: "a")),
    ("var a = [1]", .typeNeeded(name: "a")),
    ("var a", .typeNeeded(name: "a")),
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
    "objectID", "isDeleted", "isInserted", "isUpdated", "entity", "hasChanges",
    "managedObjectContext", "isFault", "description", "hash", "`self`", "`init`",
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
    ("#Unique(\"b\")", .unknownProperty("b", macro: "Unique", entity: "A")),
    ("#Index<A>([\\.b])", .unknownProperty("b", macro: "Index", entity: "A")),
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

  @Test func addsNothingToAClassThatCannotBeAnEntity() {
    let source = "class A {\n  var b: Int?\n}"
    #expect(Expansion("@Entity \(source)").source == source)
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

  @Test func otherInitializersAreAllowed() {
    #expect(messages(of: "convenience init(b: Int, in c: ManagedObjectContext) {}").isEmpty)
  }

  private func messages(of property: String) -> [MacroDiagnostic] {
    Expansion("@Entity class A: ManagedObject {\n  \(property)\n}").messages
  }
}

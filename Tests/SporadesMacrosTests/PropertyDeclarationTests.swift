// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesMacros

/// The call that declares each kind of property.
struct PropertyDeclarationTests {
  @Test(arguments: [
    ("var a: String?", ".property(\"a\", String?.self)"),
    ("var a: Int = 0", ".property(\"a\", Int.self, default: 0)"),
    ("var a: Kind = .plain", ".property(\"a\", Kind.self, default: .plain)"),
    (
      "var a: Date = Date(timeIntervalSince1970: 0) // start",
      ".property(\"a\", Date.self, default: Date(timeIntervalSince1970: 0))"
    ),
    ("var a: User!", ".property(\"a\", User?.self)"),
    ("var a: Set<Pet>", ".property(\"a\", Set<Pet>.self)"),
    ("var a: [Pet]", ".property(\"a\", [Pet].self)"),
    ("var a: [String: Int] = [:]", ".property(\"a\", [String: Int].self, default: [:])"),
    ("var a: Shop.Kind?", ".property(\"a\", Shop.Kind?.self)"),
    ("public private(set) var a: Int?", ".property(\"a\", Int?.self)"),
    ("var `default`: Bool = true", ".property(\"default\", Bool.self, default: true)"),
    ("@objc var a: Int?", ".property(\"a\", Int?.self)"),
  ])
  func takesTypeAndDefaultFromTheSource(property: String, call: String) {
    expect(call, from: property)
  }

  @Test(arguments: [
    ("\"text\"", "String"), ("7", "Int"), ("-7", "Int"), ("0xFF", "Int"), ("1.5", "Double"),
    ("-1.5", "Double"), ("true", "Bool"), ("[1, -2]", "[Int]"), ("[\"a\"]", "[String]"),
    ("[[1.5]]", "[[Double]]"), ("[\"a\": true]", "[String: Bool]"), ("\"a\\(1)\"", "String"),
    ("\"\"\"\n    long\n    \"\"\"", "String"),
  ])
  func infersTheTypeOfALiteral(literal: String, type: String) {
    let expansion = Expansion("@Entity class A: ManagedObject {\n  var a = \(literal)\n}")
    #expect(expansion.messages.isEmpty)
    #expect(expansion.source.contains(".property(\"a\", \(type).self, default: "))
  }

  @Test(arguments: [
    (
      "@Attribute(.unique, .renamed(from: \"mail\")) var a: String = \"\"",
      ".property(\"a\", String.self, default: \"\", options: [.unique, .renamed(from: \"mail\")])"
    ),
    ("@Attribute var a: String?", ".property(\"a\", String?.self)"),
    (
      "@Sporades.Attribute(.indexed) var a: Int?",
      ".property(\"a\", Int?.self, options: [.indexed])"
    ),
    ("@Transient var a: Int = 1", ".transient(\"a\", Int.self, default: 1)"),
    ("@Transient var a: Int?", ".transient(\"a\", Int?.self)"),
    ("@Derived(\"b.@count\") var a: Int", ".derived(\"a\", Int.self, from: \"b.@count\")"),
    ("@Relationship var a: Pet?", ".relationship(\"a\", Pet?.self)"),
    ("@Relationship var a: Set<Pet> = []", ".relationship(\"a\", Set<Pet>.self)"),
    (
      "@Relationship(deleteRule: .cascade, inverse: \\Pet.owner) var a: Set<Pet>",
      ".relationship(\"a\", Set<Pet>.self, deleteRule: .cascade, inverse: \"owner\")"
    ),
    (
      "@Relationship(inverse: \"owner\") var a: [Pet]",
      ".relationship(\"a\", [Pet].self, inverse: \"owner\")"
    ),
    (
      "@Relationship(inverse: nil, maxCount: 3) var a: [Pet]",
      ".relationship(\"a\", [Pet].self, inverse: \"\", maxCount: 3)"
    ),
    (
      "@Relationship(inverse: \\.owner, minCount: 1, renamedFrom: \"b\") var a: [Pet]",
      ".relationship(\"a\", [Pet].self, inverse: \"owner\", minCount: 1, renamedFrom: \"b\")"
    ),
  ])
  func markersChooseTheKind(property: String, call: String) {
    expect(call, from: property)
  }

  private func expect(_ call: String, from property: String) {
    let expansion = Expansion("@Entity class A: ManagedObject {\n  \(property)\n}")
    #expect(expansion.messages.isEmpty)
    #expect(expansion.source.contains("        \(call),\n"), "\(expansion.source)")
  }
}

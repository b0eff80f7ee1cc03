// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import Testing

@testable import SporadesMacros

/// The source after a fix-it.
struct FixItTests {
  @Test(arguments: [
    ("let a: Int?", "var a: Int?"),
    ("public let a: Int? // kept", "public var a: Int? // kept"),
    ("lazy var a: Int = 1", "var a: Int = 1"),
    ("@objc private lazy var a: Int = 1", "@objc private var a: Int = 1"),
    ("weak var a: Pet?", "var a: Pet?"),
    ("public unowned(unsafe) var a: Pet?", "public var a: Pet?"),
    ("var a: Int = 1 { didSet {} }", "var a: Int = 1"),
    ("var a = Date()", "var a: Date = Date()"),
    ("var a = State.open", "var a: State = State.open"),
    ("var a = [String]()", "var a: [String] = [String]()"),
    ("var a = 60 * 60", "var a: Int = 60 * 60"),
    ("var a = start", "var a: <#Type#> = start"),
    ("var a: Character = \"a\"", "var a: String = \"a\""),
    ("var a: NSDate? // day", "var a: Date? // day"),
    ("var a: Int??", "var a: Int?"),
    ("@NSManaged public var a: Int?", "public var a: Int?"),
    ("@MainActor var a: Int?", "var a: Int?"),
    ("@Derived(\"b\") var a: Int = 1", "@Derived(\"b\") var a: Int"),
    ("@Relationship var a: Pet? = Pet()", "@Relationship var a: Pet?"),
  ])
  func correctsAProperty(wrong: String, right: String) {
    let expansion = Expansion(entity(wrong))
    #expect(expansion.fixed == entity(right))
    #expect(Expansion(expansion.fixed ?? "").messages.count < 1 || right.contains("<#"))
  }

  @Test(arguments: [
    ("@Entity final class A {\n}", "@Entity final class A: ManagedObject {\n}"),
    ("@Entity class A: NSManagedObject {}", "@Entity class A: ManagedObject {}"),
    ("@Entity class A: Sendable {}", "@Entity class A: ManagedObject, Sendable {}"),
    (
      "/// Says.\n@Entity class A { var b: Int? }",
      "/// Says.\n@Entity class A: ManagedObject { var b: Int? }"
    ),
  ])
  func makesAClassInherit(wrong: String, right: String) {
    let expansion = Expansion(wrong)
    #expect(expansion.fixed == right)
    #expect(Expansion(right).messages.isEmpty)
  }

  @Test func aFixItNamesItsCorrection() throws {
    let expansion = Expansion(entity("weak var a: Pet?"))
    let fix = try #require(expansion.diagnostics.first?.fixIts.first)
    #expect(fix.message.message == "Remove 'weak'")
  }

  private func entity(_ property: String) -> String {
    "@Entity class A: ManagedObject {\n  \(property)\n}"
  }
}

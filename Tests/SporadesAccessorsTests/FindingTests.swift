// SPDX-License-Identifier: MIT
import Foundation
import SporadesAccessors
import Testing

/// What cannot have accessors is a finding with a place, a reason and a way out.
struct FindingTests {
  private static func findings(_ text: String, classes: [ManagedClass] = []) -> [Finding] {
    AccessorFile.make(
      module: "App", sources: [SwiftSource(name: "A.swift", text: "import CoreData\n" + text)],
      classes: classes
    ).findings
  }

  @Test(arguments: [
    ("class A<T>: NSManagedObject { @NSManaged var x: Int }", "x: ", "generic"),
    ("struct B<T> { class A: NSManagedObject { @NSManaged var x: Int } }", "x: ", "generic"),
    (
      "func f() { class A: NSManagedObject { @NSManaged var x: Int } }", "@NSManaged",
      "within a function"
    ),
    ("private class A: NSManagedObject { @NSManaged var x: Int }", "x: ", "private"),
    ("class A: NSManagedObject { @NSManaged static var x: Int }", "x: ", "class itself"),
    ("class A: NSManagedObject { @NSManaged class var x: Int }", "x: ", "class itself"),
    (
      "class A: NSManagedObject { @NSManaged var x: Shapes.Color }", "x: ", "neither of this module"
    ),
    ("class A: NSManagedObject { @NSManaged var x: Color? }", "x: ", "neither of this module"),
    ("class A: NSManagedObject { @NSManaged var x }", "x }", "has no type"),
    ("class A: NSManagedObject { @NSManaged var x: Int = 3 }", "x: ", "value or accessors"),
    ("class A: NSManagedObject { @NSManaged let x: Int }", "@NSManaged", "neither a property"),
    ("class A: NSManagedObject { @NSManaged init() }", "@NSManaged", "neither a property"),
    ("class A: NSManagedObject { @NSManaged func f() }", "f(", "No method that Core Data makes"),
    ("class A: NSManagedObject { @NSManaged func addToX(_ a: Int) }", "addToX(", "No method"),
    ("class A: NSManagedObject { @NSManaged func addToX(_ a: A) async }", "addToX(", "async"),
    ("class A: NSManagedObject { @NSManaged func addToX(_ a: A) throws }", "addToX(", "throws"),
    ("class A: NSManagedObject { @NSManaged func count() -> Int }", "count(", "returns a value"),
    ("struct A { @NSManaged var x: Int }", "x: ", "no class"),
    ("@NSManaged var x: Int", "x: ", "outside of a class"),
    ("extension Missing { @NSManaged var x: Int }", "x: ", "not of this module"),
    ("class A: NSManagedObject { @NSManaged var x: () async -> Void }", "() async", "async"),
    ("class A: NSManagedObject { @NSManaged var x: @MainActor () -> Void }", "x: ", "@Sendable"),
    (
      "class A: NSManagedObject { @NSManaged var x: any Sequence<Int> }", "x: ", "generic arguments"
    ),
    (
      "typealias D = Date; class A: NSManagedObject { struct Date {}; @NSManaged var x: D }",
      "x: D",
      "means another type"
    ),
    ("class A: NSManagedObject { @NSManaged var `a b`: Int }", "`a b`", "backticks"),
    (
      "class A: NSManagedObject { private struct S {}; @NSManaged private var x: S }", "x: S",
      "private"
    ),
    ("// @NSManaged type: clas A.B\nclass A {}", "// @", "cannot be read"),
  ])
  func isFound(text: String, place: String, problem: String) throws {
    let findings = Self.findings(text)
    #expect(findings.count == 1)
    #expect(findings.first?.line == 2)
    let before = try #require(text.range(of: place)).lowerBound
    #expect(findings.first?.column == text[..<before].utf8.count + 1)
    #expect(findings.first?.problem.contains(problem) == true, "\(findings)")
    #expect(findings.first?.remedy.isEmpty == false)
  }

  @Test func aCommentTellsATypeOfAnotherModule() throws {
    let text = """
      // @NSManaged type: struct Shapes.Color
      class A: NSManagedObject { @NSManaged var x: Color?, y: [Shapes.Color] }
      """
    let file = try AccessorFile.make(
      module: "App", sources: [SwiftSource(name: "A.swift", text: text)]
    ).required()
    #expect(file.contains("import Shapes"))
    #expect(file.contains("$s3App1AC1x6Shapes5ColorVSgvg"))
  }

  @Test func aModelTellsWhichRelationshipsAreOrdered() {
    let text = "class A: NSManagedObject { @NSManaged func insertIntoAll(_ a: A, at place: Int) }"
    let ordered = ManagedClass(name: "A", single: ["name"], toMany: ["all": true])
    let unordered = ManagedClass(name: "A", single: ["name"], toMany: ["all": false])
    #expect(Self.findings(text, classes: [ordered]) == [])
    #expect(Self.findings(text, classes: [unordered]).count == 1)
    let attribute = "class A: NSManagedObject { @NSManaged func addToName(_ a: A) }"
    #expect(Self.findings(attribute, classes: [ordered]).count == 1)
  }

  @Test(arguments: [
    ("func addToURLs(_ a: A)", "_addManaged(\"uRLs\", value0)", [:]),
    ("func addToURLs(_ a: A)", "_addManaged(\"URLs\", value0)", ["URLs": false]),
    ("func addTagsObject(_ a: A)", "_addManaged(\"tags\", value0)", [:]),
    ("func removeTags(_ a: NSSet)", "_removeManaged(\"tags\", value0)", [:]),
    (
      "func replaceTags(at a: NSIndexSet, with b: [A])",
      "_replaceManaged(\"tags\", at: value0, with: value1)", [:]
    ),
    ("var primitiveName: String?", "_getPrimitiveOptional(\"name\")", [:]),
    ("var primitive: String", "_getManaged(\"primitive\")", [:]),
    ("var primitives: NSSet?", "_getManagedOptional(\"primitives\")", [:]),
  ])
  func code(declaration: String, code: String, toMany: [String: Bool]) throws {
    let text = "class A: NSManagedObject { @NSManaged \(declaration) }"
    let file = try AccessorFile.make(
      module: "App", sources: [SwiftSource(name: "A.swift", text: text)],
      classes: [ManagedClass(name: "A", single: [], toMany: toMany)]
    ).required()
    #expect(file.contains(code), "\(file)")
  }
}

// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesMacros

struct CompositeExpansionTests {
  @Test func listsReadsAndWritesItsMembersByName() {
    let expansion = Expansion(
      """
      @Composite public struct Address {
        let street: String
        @Attribute(.length(1...40)) var city: String? = "Rome" { didSet {} }
        var label: String { street }
        static let none = 0
      }
      """)
    #expect(expansion.messages.isEmpty)
    #expect(
      expansion.source.hasSuffix(
        """
        nonisolated extension Address: CompositeAttribute {
          public static var elements: [PropertyDeclaration] {
            [
              .property("street", String.self),
              .property("city", String?.self, default: "Rome", options: [.length(1 ... 40)]),
            ]
          }
          public static var elementKeyPaths: [PropertyKeyPath] {
            [
              PropertyKeyPath("street", \\Self.street, \\Self?.?.street),
              PropertyKeyPath("city", \\Self.city, \\Self?.?.city),
            ]
          }
          public init(from values: CompositeValues) {
            street = values["street"]
            city = values["city"]
          }
          public func write(to values: inout CompositeValues) {
            values["street"] = street
            values["city"] = city
          }
        }
        """), "\(expansion.source)")
  }

  @Test(arguments: [
    ("@Composite class A {}", MacroDiagnostic.compositeIsNotAStruct(kind: "a class")),
    ("@Composite enum A {}", .compositeIsNotAStruct(kind: "an enum")),
    ("@Composite struct A<B> {}", .compositeIsGeneric(name: "A")),
    ("@Composite struct A { let b = 1 }", .constantProperty(name: "b")),
    ("@Composite struct A { var b = Date() }", .typeNeeded(name: "b", example: "Date")),
    (
      "@Composite struct A { @Relationship var b: Pet? }",
      .markerInComposite("Relationship", name: "b")
    ),
    ("@Composite struct A { @Transient var b: Int? }", .markerInComposite("Transient", name: "b")),
    (
      "@Composite struct A { @Derived(\"c\") var b: Int? }",
      .markerInComposite("Derived", name: "b")
    ),
  ])
  func namesTheMistakesThatItRefuses(source: String, message: MacroDiagnostic) {
    #expect(Expansion(source).messages == [message])
  }
}

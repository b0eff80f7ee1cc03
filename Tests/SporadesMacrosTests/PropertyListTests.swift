// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesMacros

/// The constraints and indexes that `#Unique` and `#Index` add to the declaration.
struct PropertyListTests {
  @Test(arguments: [
    ("#Unique(\"first\", \"last\")", "[[\"first\", \"last\"]]"),
    ("#Unique(\"first\")\n  #Unique(\"last\")", "[[\"first\"], [\"last\"]]"),
    ("#Unique<A>([\\.first, \\.last])", "[[\"first\", \"last\"]]"),
    ("#Unique<A>(\\.first, \\.last)", "[[\"first\", \"last\"]]"),
    ("#Unique<A>([\\A.first], [\\.last])", "[[\"first\"], [\"last\"]]"),
  ])
  func namesAndKeyPathsMakeConstraints(list: String, constraints: String) {
    expect("uniquenessConstraints: \(constraints)", from: list)
  }

  @Test(arguments: [
    ("#Index(\"last\")", "FetchIndexDescription(\"byLast\", on: \"last\")"),
    (
      "#Index(\"last\", \"first\")",
      "FetchIndexDescription(\"byLastFirst\", on: \"last\", \"first\")"
    ),
    ("#Index(name: \"quick\", \"last\")", "FetchIndexDescription(\"quick\", on: \"last\")"),
    ("#Index<A>([\\.last])", "FetchIndexDescription(\"byLast\", on: \"last\")"),
    (
      "#Index<A>(\\.last, \\.first)",
      "FetchIndexDescription(\"byLastFirst\", on: \"last\", \"first\")"
    ),
    (
      "#Index<A>([\\.home?.city])",
      "FetchIndexDescription(\"byHome_city\", on: \"home.city\")"
    ),
    (
      "#Index(name: \"down\", elements: [.init(\"last\", isAscending: false)], where: rule)",
      "FetchIndexDescription(\"down\", [.init(\"last\", isAscending: false)], where: rule)"
    ),
  ])
  func namesAndKeyPathsMakeIndexes(list: String, index: String) {
    expect("indexes: [\n        \(index),\n      ]", from: list)
  }

  @Test func aSubentityMayListInheritedProperties() {
    let expansion = Expansion(
      "@Entity class B: A {\n  var own: Int?\n  #Unique(\"own\", \"inherited\")\n}")
    #expect(expansion.messages.isEmpty)
    #expect(expansion.source.contains("[[\"own\", \"inherited\"]]"))
  }

  private func expect(_ argument: String, from list: String) {
    let expansion = Expansion(
      """
      @Entity class A: ManagedObject {
        var first: String?
        var last: String?
        var home: Address?
        \(list)
      }
      """)
    #expect(expansion.messages.isEmpty)
    #expect(expansion.source.contains("\(argument)"), "\(expansion.source)")
    #expect(!expansion.source.contains("#"), "The list itself expands to nothing.")
  }
}

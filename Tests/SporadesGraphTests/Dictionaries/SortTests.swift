// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Orders by more than attributes, in stores and beside unsaved changes.
@Suite struct SortTests {
  /// Ann has two dogs and club "b", Bob none and no club, Cid one and club "A".
  private func withPeople(
    _ kind: StoreKind, _ body: ((_ terms: [SortTerm]) throws -> [String]) throws -> Void
  ) throws {
    try kind.people().context(kind).performAndWait { context in
      for (name, dogs, club) in [("Ann", 2, "b"), ("Bob", 0, nil), ("Cid", 1, "A")] {
        let person = Person.make(name, age: name == "Bob" ? 3 : 10, in: context)
        for weight in 0..<dogs {
          let dog = Dog.create(in: context)
          (dog.owner, dog.weight) = (person, weight + (name == "Cid" ? 5 : 1))
        }
        guard let club else { continue }
        person.club = Club.create(in: context)
        person.club?.name = club
      }
      for _ in 0..<2 {
        try body { terms in
          try context.fetch(Person.self, FetchRequest("Person", sortedBy: terms)).map(\.name)
        }
        try context.save()
      }
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func computedValuesGiveAnOrder(in kind: StoreKind) throws {
    try withPeople(kind) { names throws in
      #expect(try names([SortTerm("dogs.@count")]) == ["Bob", "Cid", "Ann"])
      #expect(try names([SortTerm("dogs.@max.weight", ascending: false)]) == ["Cid", "Ann", "Bob"])
      #expect(try names(SortTerm.parse("dogs.@count:NO,name")) == ["Ann", "Cid", "Bob"])
      let product = FetchExpression.arithmetic(.multiply, .keyPath("age"), .count(["dogs"]))
      #expect(try names([SortTerm(product)]) == ["Bob", "Cid", "Ann"])
      #expect(
        try names([
          SortTerm(.function(.length, [.keyPath("name")])), SortTerm("name", ascending: false),
        ])
          == ["Cid", "Bob", "Ann"])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func nilsComeFirstOrLast(in kind: StoreKind) throws {
    try withPeople(kind) { names throws in
      #expect(try names([SortTerm("club.name")]) == ["Bob", "Cid", "Ann"])
      #expect(try names([SortTerm("club.name", nils: .last)]) == ["Cid", "Ann", "Bob"])
      #expect(
        try names([SortTerm("club.name", ascending: false, nils: .first)]) == ["Bob", "Ann", "Cid"])
      #expect(try names(SortTerm.parse("club.name desc nils last")) == ["Ann", "Cid", "Bob"])
      #expect(try names(SortTerm.parse("club.name[c]:YES nulls LAST")) == ["Cid", "Ann", "Bob"])
      #expect(try names(SortTerm.parse("club.name nils last")) == ["Cid", "Ann", "Bob"])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aRandomOrderHasAllObjects(in kind: StoreKind) throws {
    try withPeople(kind) { names throws in
      var orders: Set<[String]> = []
      for _ in 0..<200 {
        let order = try names(SortTerm.parse("random()"))
        #expect(order.sorted() == ["Ann", "Bob", "Cid"])
        orders.insert(order)
      }
      #expect(orders.count == 6)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func whatHasNoOrderIsNamed(in kind: StoreKind) throws {
    try withPeople(kind) { names throws in
      for (term, part) in [
        (SortTerm("dogs"), "dogs"), (SortTerm("club"), "club is a relationship"),
        (SortTerm("dogs.name"), "dogs.name"), (SortTerm("aeg"), "aeg"),
        (SortTerm("dogs.@median.weight"), "@median"),
        (SortTerm(.list([])), "list"),
      ] {
        let error = #expect(throws: FetchPredicateError.self) { try names([term]) }
        #expect(error?.detail.contains(part) == true, "\(String(describing: error))")
      }
    }
    #expect(throws: FetchPredicateError.self) { try SortTerm.parse("name[l]") }
  }
}

// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Fetches of dictionaries, from stores and beside unsaved changes at every depth.
@Suite struct DictionaryTests {
  /// Clubs "Red" with Ann, 30, and Bob, 40, and "Blue" with Cid, 50; Dan, 60, has none.
  ///
  /// `body` runs three times: with everything saved, with everything unsaved, and with half of it.
  private func withClubs(
    _ kind: StoreKind, _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    try kind.people().context(kind).performAndWait { context in
      fillClubs(context)
      try body(context)
      try context.save()
      try body(context)
      let bob = try Person.named("Bob", in: context)
      (bob.name, bob.age) = ("Bea", 41)
      try Person.named("Dan", in: context).age = 61
      context.delete(try Person.named("Ann", in: context))
      Person.make("Bob", age: 40, in: context).club = bob.club
      context.delete(bob)
      let ann = Person.make("Ann", age: 30, in: context)
      ann.club = try Club.all(where: \.name == "Red", in: context).first
      try Person.named("Dan", in: context).age = 60
      try body(context)
    }
  }

  private func fillClubs(_ context: ManagedObjectContext) {
    let (red, blue) = (Club.create(in: context), Club.create(in: context))
    (red.name, blue.name) = ("Red", "Blue")
    for (name, age, club) in [("Ann", 30, red), ("Bob", 40, red), ("Cid", 50, blue)] {
      Person.make(name, age: age, in: context).club = club
    }
    Person.make("Dan", age: 60, in: context)
  }

  private func rows(
    _ context: ManagedObjectContext, _ change: (inout FetchRequest) throws -> Void
  ) throws -> [[Value?]] {
    var request = FetchRequest("Person")
    request.resultType = .dictionary
    try change(&request)
    let found = try context.fetchDictionaries(request)
    #expect(try context.count(request) == found.count)
    return found.map { row in row.names.map { row[$0] } }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func namesAndKeyPathsGiveValues(in kind: StoreKind) throws {
    try withClubs(kind) { context in
      let found = try rows(context) {
        $0.propertiesToFetch = ["name", "age", "club.name", "dogs.@count"]
        $0.sortTerms = [SortTerm("age", ascending: false)]
        $0.fetchLimit = 2
        $0.fetchOffset = 1
      }
      #expect(found == [["Cid", 50, "Blue", 0], ["Bob", 40, "Red", 0]])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func groupsHaveOneDictionaryEach(in kind: StoreKind) throws {
    try withClubs(kind) { context in
      let found = try rows(context) {
        $0.propertiesToGroupBy = ["club.name"]
        $0.propertiesToFetch = [
          "club.name", ExpressionDescription("members", .objectCount),
          ExpressionDescription("oldest", .max(of: "age")),
          ExpressionDescription("mean", .average(of: "age")),
          ExpressionDescription(
            "span", .arithmetic(.subtract, .max(of: "age"), .min(of: "age"))),
        ]
      }
      #expect(
        found == [
          [nil, 1, 60, 60.0, 0], ["Blue", 1, 50, 50.0, 0], ["Red", 2, 40, 35.0, 10],
        ])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func conditionsOrdersAndBoundsOfGroupsNameColumns(in kind: StoreKind) throws {
    try withClubs(kind) { context in
      func names(_ change: (inout FetchRequest) throws -> Void) throws -> [Value?] {
        try rows(context) {
          $0.propertiesToGroupBy = ["club.name"]
          $0.propertiesToFetch = [
            "club.name", ExpressionDescription("total", .sum(of: "age")),
          ]
          try change(&$0)
        }.map { $0[0] }
      }
      let large = try names { $0.havingPredicate = try FetchPredicate(format: "$total >= 60") }
      #expect(large == [nil, "Red"])
      let sorted = try names { $0.sortTerms = [SortTerm("total", ascending: false)] }
      #expect(sorted == ["Red", nil, "Blue"])
      let second = try names {
        $0.sortTerms = [SortTerm("total")]
        $0.fetchOffset = 1
        $0.fetchLimit = 1
      }
      #expect(second == [nil])
      let several = try names {
        $0.havingPredicate = .comparison(.init(.objectCount, .greater, .constant(1)))
      }
      #expect(several == ["Red"])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func distinctResultsAreGivenOnce(in kind: StoreKind) throws {
    try withClubs(kind) { context in
      let found = try rows(context) {
        $0.propertiesToFetch = ["club.name"]
        $0.returnsDistinctResults = true
        $0.sortTerms = [SortTerm("club.name", nils: .last)]
      }
      #expect(found == [["Blue"], ["Red"], [nil]])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func withoutGroupsAllObjectsAreOne(in kind: StoreKind) throws {
    try withClubs(kind) { context in
      let found = try rows(context) {
        $0.predicate = try? FetchPredicate(format: "club != nil")
        $0.propertiesToFetch = [
          ExpressionDescription("count", .objectCount),
          ExpressionDescription("clubs", .count(ofDistinct: "club.name")),
          ExpressionDescription("ages", .sum(of: "age"), resultType: .double),
        ]
      }
      #expect(found == [[3, 2, 120.0]])
      let none = try rows(context) {
        $0.predicate = .constant(false)
        $0.propertiesToFetch = [
          ExpressionDescription("count", .objectCount),
          ExpressionDescription("oldest", .max(of: "age")),
        ]
      }
      #expect(none == [[0, nil]])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func objectsAreGivenByTheirIDs(in kind: StoreKind) throws {
    try withClubs(kind) { context in
      var request = FetchRequest("Person", where: .equals("name", "Cid"))
      request.propertiesToFetch = ["club", ExpressionDescription("self", .subject)]
      let row = try #require(try context.fetchDictionaries(request).first)
      let cid = try Person.named("Cid", in: context)
      #expect(row["club"] == cid.club.map { .objectID($0.objectID) })
      #expect(row["self"] == .objectID(cid.objectID))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func withoutPropertiesAllOfThemAreFetched(in kind: StoreKind) throws {
    try withClubs(kind) { context in
      var request = FetchRequest("Club", sortedBy: [SortTerm("name")])
      request.resultType = .dictionary
      let found = try context.fetchDictionaries(request)
      #expect(found.names == ["name"])
      #expect(found.map { $0.value("name", as: String.self) } == ["Blue", "Red"])
      #expect(found[0].dictionary == ["name": "Blue"])
      #expect("\(found[0])" == #"[name: "Blue"]"#)
    }
  }

  @Test func aBlockIsTheContextOfARequest() throws {
    let stack = try StoreKind.memory.people()
    let outer = stack.newContext()
    try outer.performAndWait { context in
      Person.make("Ann", in: context)
      #expect(try FetchRequest("Person").execute().count == 1)
      try stack.newContext().performAndWait { _ in
        #expect(try FetchRequest("Person").execute().isEmpty)
        let again = try outer.performAndWait { _ in try FetchRequest("Person").execute().count }
        #expect(again == 1)
        #expect(try FetchRequest("Person").execute().isEmpty)
      }
    }
    #expect(throws: ContextError.self) { try FetchRequest("Person").execute() }
  }
}

// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What other projects ask for by dictionaries, asked of tickets.
@Suite struct DictionaryReportTests {
  private func answers(
    _ kind: StoreKind, are expected: [[Value?]], at location: SourceLocation = #_sourceLocation,
    _ change: (inout FetchRequest) throws -> Void
  ) throws {
    try Workshop.open(kind) { context in
      var request = FetchRequest("Ticket")
      request.resultType = .dictionary
      try change(&request)
      let found = try context.fetchDictionaries(request).map { row in row.names.map { row[$0] } }
      #expect(found == expected, sourceLocation: location)
    }
  }

  private func count(_ keyPath: String) -> ExpressionDescription {
    ExpressionDescription("count", .count(of: keyPath), resultType: .integer64)
  }

  @Test(arguments: StoreKind.allCases)
  func aListOfLanguagesWithTheNumberOfFiles(in kind: StoreKind) throws {
    try answers(kind, are: [[false, 2], [true, 3]]) {
      $0.propertiesToGroupBy = ["isActive"]
      $0.propertiesToFetch = ["isActive", count("title")]
    }
  }

  @Test(arguments: StoreKind.allCases)
  func theSumOfARecordsCategory(in kind: StoreKind) throws {
    try answers(kind, are: [[true, 3.0], [false, 3.0]]) {
      $0.predicate = try FetchPredicate(format: "number >= %d and number <= %d", 1, 3)
      $0.propertiesToGroupBy = ["isActive"]
      $0.propertiesToFetch = [
        "isActive", ExpressionDescription("sum", .sum(of: "number"), resultType: .double),
      ]
      $0.sortTerms = [SortTerm("isActive", ascending: false)]
    }
  }

  @Test(arguments: StoreKind.allCases)
  func onlyWhatIsThereMoreThanOnce(in kind: StoreKind) throws {
    try answers(kind, are: [[false, 2], [true, 2]]) {
      $0.propertiesToGroupBy = ["isActive", "state"]
      $0.propertiesToFetch = ["isActive", count("number")]
      $0.havingPredicate = try FetchPredicate(format: "$count > 1")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func theLatestMessageOfEachConversation(in kind: StoreKind) throws {
    try answers(kind, are: [[false, 4], [true, 2]]) {
      $0.propertiesToGroupBy = ["isActive"]
      $0.propertiesToFetch = [
        "isActive", ExpressionDescription("body", FetchExpression(keyPath: "@max.number")),
      ]
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aTotalWithoutObjectsIsZeroOrNil(in kind: StoreKind) throws {
    try answers(kind, are: [[0, nil, nil]]) {
      $0.predicate = try FetchPredicate(format: "number > 100")
      $0.propertiesToFetch = [
        count("number"), ExpressionDescription("sum", .sum(of: "number")),
        ExpressionDescription("mean", .average(of: "number")),
      ]
    }
  }

  @Test(arguments: StoreKind.allCases)
  func oneAggregateBesideAnother(in kind: StoreKind) throws {
    try answers(kind, are: [[3.0, 3, 4, 2, 9]]) {
      $0.predicate = try FetchPredicate(format: "number > 1")
      $0.propertiesToFetch = [
        ExpressionDescription("average", .average(of: "number")),
        ExpressionDescription("count", .count(of: "number")),
        ExpressionDescription("maximum", .max(of: "number")),
        ExpressionDescription("minimum", .min(of: "number")),
        ExpressionDescription("sum", .sum(of: "number")),
      ]
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aQueryForTwoAttributesInAnOrder(in kind: StoreKind) throws {
    try answers(kind, are: [["", 4], ["d", 3]]) {
      $0.predicate = try FetchPredicate(format: "number > 2")
      $0.propertiesToFetch = ["title", "number"]
      $0.sortTerms = [SortTerm("number", ascending: false)]
    }
  }

  @Test(arguments: StoreKind.allCases)
  func distinctValuesOfAnAttribute(in kind: StoreKind) throws {
    try answers(kind, are: [[false], [true]]) {
      $0.propertiesToFetch = ["isActive"]
      $0.returnsDistinctResults = true
      $0.sortTerms = [SortTerm("isActive")]
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aLimitOfGroupsInTheOrderOfTheirTotals(in kind: StoreKind) throws {
    try answers(kind, are: [[false, 7]]) {
      $0.propertiesToGroupBy = ["isActive"]
      $0.propertiesToFetch = ["isActive", ExpressionDescription("total", .sum(of: "number"))]
      $0.sortTerms = [SortTerm("total", ascending: false)]
      $0.fetchLimit = 1
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aGroupByAnExpression(in kind: StoreKind) throws {
    let length = ExpressionDescription("length", .function(.length, [.keyPath("title")]))
    try answers(kind, are: [[0, 1], [1, 4]]) {
      $0.propertiesToGroupBy = [length]
      $0.propertiesToFetch = [length, count("number")]
    }
  }

  @Test(arguments: StoreKind.allCases)
  func idsBesideOtherValues(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      var request = FetchRequest("Ticket", sortedBy: [SortTerm("number")])
      request.propertiesToFetch = ["objectID", "number"]
      let ids = try context.fetchIDs(FetchRequest("Ticket", sortedBy: [SortTerm("number")]))
      #expect(
        try context.fetchDictionaries(request).map { $0["objectID"] } == ids.map { .objectID($0) })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func theNumberOfEachOwnersObjects(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      let owners = try context.fetch(Worker.self, FetchRequest("Worker"))
      var request = FetchRequest(
        "Ticket", where: try FetchPredicate(format: "owner IN %@", owners))
      request.propertiesToGroupBy = ["owner"]
      request.propertiesToFetch = ["owner", ExpressionDescription("count", .objectCount)]
      var counts: [Value: Int] = [:]
      for row in try context.fetchDictionaries(request) {
        counts[try #require(row["owner"])] = row.value("count")
      }
      for owner in owners where !owner.tickets.isEmpty {
        #expect(counts[.objectID(owner.objectID)] == owner.tickets.count)
      }
    }
  }
}

// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What a fetch of dictionaries refuses, the same in every store and beside unsaved changes.
@Suite struct DictionaryRefusalTests {
  private func refusal(
    _ kind: StoreKind, _ change: (inout FetchRequest) throws -> Void
  ) throws -> String {
    var sentences: [String] = []
    try kind.people().newContext().performAndWait { context in
      for _ in 0..<2 {
        var request = FetchRequest("Person")
        try change(&request)
        do {
          _ = try context.fetchDictionaries(request)
          Issue.record("The request was not refused.")
        } catch {
          sentences.append("\(error)")
        }
        Person.make("Ann", in: context)
      }
    }
    #expect(Set(sentences).count == 1, "\(sentences)")
    return sentences[0]
  }

  @Test(arguments: StoreKind.allCases)
  func valuesThatDifferInAGroupAreRefused(in kind: StoreKind) throws {
    let sentence = try refusal(kind) {
      $0.propertiesToGroupBy = ["club.name"]
      $0.propertiesToFetch = ["club.name", "name"]
    }
    #expect(sentence.contains("name may differ between the objects of a group"))
    #expect(sentence.contains("propertiesToGroupBy"))
    let order = try refusal(kind) {
      $0.propertiesToFetch = ["name"]
      $0.returnsDistinctResults = true
      $0.sortTerms = [SortTerm("age")]
    }
    #expect(order.contains("age may differ"))
  }

  @Test(arguments: StoreKind.allCases)
  func toManyRelationshipsAreNoValues(in kind: StoreKind) throws {
    let sentence = try refusal(kind) { $0.propertiesToFetch = ["dogs.name"] }
    #expect(sentence.contains("dogs.name"))
  }

  @Test(arguments: StoreKind.allCases)
  func unknownNamesAreRefusedByName(in kind: StoreKind) throws {
    let property = try refusal(kind) { $0.propertiesToFetch = ["nmae"] }
    #expect(property.contains("nmae"))
    let group = try refusal(kind) {
      $0.propertiesToFetch = ["name"]
      $0.propertiesToGroupBy = ["name", "aeg"]
    }
    #expect(group.contains("aeg"))
    let variable = try refusal(kind) {
      $0.propertiesToFetch = [ExpressionDescription("n", .objectCount)]
      $0.havingPredicate = try FetchPredicate(format: "$m > 1")
    }
    #expect(variable.contains("$m"))
    // The name that a value of a group has inside the library, with a place that no value has.
    let place = try refusal(kind) {
      $0.propertiesToFetch = [ExpressionDescription("n", .objectCount)]
      $0.havingPredicate = .comparison(
        FetchPredicate.Comparison(.variable("aggregate 9"), .greater, .constant(.integer(1))))
    }
    #expect(place.contains("$aggregate 9"))
  }

  @Test(arguments: StoreKind.allCases)
  func namesAreGivenOnce(in kind: StoreKind) throws {
    let sentence = try refusal(kind) {
      $0.propertiesToFetch = ["name", ExpressionDescription("name", .keyPath("age"))]
    }
    #expect(sentence.contains("two values named name"))
  }

  @Test(arguments: StoreKind.allCases)
  func optionsOfObjectsAreRefused(in kind: StoreKind) throws {
    let batch = try refusal(kind) { $0.fetchBatchSize = 20 }
    #expect(batch.contains("fetchBatchSize"))
    let prefetching = try refusal(kind) { $0.relationshipKeyPathsForPrefetching = ["dogs"] }
    #expect(prefetching.contains("relationshipKeyPathsForPrefetching"))
    let values = try refusal(kind) { $0.includesPropertyValues = false }
    #expect(values.contains("includesPropertyValues"))
  }

  @Test(arguments: StoreKind.allCases)
  func aTypeThatDoesNotFitIsRefused(in kind: StoreKind) throws {
    try kind.people().newContext().performAndWait { context in
      Person.make("Ann", in: context)
      var request = FetchRequest("Person")
      request.propertiesToFetch = [
        ExpressionDescription("name", .keyPath("name"), resultType: .integer16)
      ]
      let error = #expect(throws: ContextError.self) { try context.fetchDictionaries(request) }
      #expect("\(String(describing: error))".contains("integer16"))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func objectsHaveNoGroups(in kind: StoreKind) throws {
    try kind.people().newContext().performAndWait { context in
      var request = FetchRequest("Person")
      request.propertiesToGroupBy = ["name"]
      let error = #expect(throws: ContextError.self) { try context.fetch(request) }
      #expect("\(String(describing: error))".contains("fetchDictionaries"))
    }
  }
}

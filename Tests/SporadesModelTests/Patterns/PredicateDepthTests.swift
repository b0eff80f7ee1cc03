// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

/// The library refuses predicates that nest too deep, and does not walk them.
@Suite struct PredicateDepthTests {
  @Test(arguments: [
    ("(", ")"), ("NOT ", ""), ("!", ""), ("name == (", ")"), ("age == -(", ")"), ("- - - -", ""),
    ("{", "}"), ("name IN {", "}"), ("CAST(", ", 'NSDate')"), ("ANY (", ")"), ("age + (", ")"),
  ])
  func formatsThatNestDeepAreRefused(opening: String, closing: String) {
    let format =
      String(repeating: opening, count: 5_000) + "1 == 1" + String(repeating: closing, count: 5_000)
    #expect(throws: FetchPredicateError.self) { try FetchPredicate(format: format) }
  }

  @Test func predicatesThatNestDeepAreRefused() throws {
    let shape = TestModel.shape("Person")
    var nots = FetchPredicate.constant(true)
    var joined = FetchPredicate.equals("name", "x")
    var sum = FetchExpression.constant(.integer(1))
    for _ in 0..<5_000 {
      nots = .not(nots)
      joined = .or([.and([joined]), .constant(false)])
      sum = .arithmetic(.add, sum, .constant(.integer(1)))
    }
    let comparison = FetchPredicate.comparison(.init(.keyPath("age"), .equal, sum))
    for predicate in [nots, joined, comparison] {
      let error = #expect(throws: FetchPredicateError.self) {
        try predicate.validate(in: shape, TestModel.model)
      }
      #expect(error?.code == .tooDeep)
    }
  }

  @Test func manyConditionsInARowDoNotCountAsNesting() throws {
    let many = FetchPredicate.or((0..<5_000).map { .equals("age", $0) })
    #expect(throws: Never.self) {
      try many.validate(in: TestModel.shape("Person"), TestModel.model)
    }
  }
}

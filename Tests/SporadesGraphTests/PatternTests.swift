// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Regular expressions in fetches and validation: one answer and one error wherever they run.
@Suite struct PatternTests {
  private static func model(pattern: String) throws -> ManagedObjectModel {
    var text = AttributeDescription("text", .string, isOptional: true)
    text.validation.pattern = pattern
    return try ManagedObjectModel(entities: [
      EntityDescription("Line", attributes: [text, AttributeDescription("free", .string)])
    ])
  }

  private func lines(_ kind: StoreKind, _ texts: [String]) throws -> ContextQueue {
    let queue = try kind.stack(Self.model(pattern: "(a+)+b?")).newContext()
    try queue.performAndWait { context in
      for text in texts {
        let line = try context.insert(entityNamed: "Line")
        line.setValue(text, forKey: "free")
      }
      try context.save()
    }
    return queue
  }

  private func request(_ pattern: String) throws -> FetchRequest {
    var request = FetchRequest("Line")
    request.predicate = try FetchPredicate(format: "free MATCHES %@", pattern)
    return request
  }

  @Test(arguments: StoreKind.allCases)
  func anExpressionThatGoesBackOftenIsAnswered(in kind: StoreKind) throws {
    let long = String(repeating: "a", count: 3_000)
    let queue = try lines(kind, [long, long + "b", "b"])
    try queue.performAndWait { context in
      #expect(try context.count(request("(a+)+b")) == 1)
      #expect(try context.fetch(request("((a|aa)*)*b")).count == 2)
      _ = try context.insert(entityNamed: "Line").setValue(long + "b", forKey: "free")
      #expect(try context.count(request("(a+)+b")) == 2)
    }
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func theLimitIsOneErrorWhereverTheExpressionRuns(in kind: StoreKind, isPending: Bool) throws {
    let queue = try lines(kind, Array(repeating: String(repeating: "a", count: 200), count: 50))
    try queue.performAndWait { context in
      if isPending {
        let line = try context.insert(entityNamed: "Line")
        line.setValue(String(repeating: "a", count: 200), forKey: "free")
      }
      for ask in [
        { _ = try context.fetch($0) }, { _ = try context.count($0) },
      ] as [(FetchRequest) throws -> Void] {
        let error = #expect(throws: StoreError.self) { try ask(request("(a+)+\\1b")) }
        #expect(error?.code == .unsupported)
        let cause = error?.underlying as? FetchPredicateError
        #expect(cause == .patternTooCostly)
      }
      // The same stack answers the next request.
      #expect(try context.count(request("a+")) == (isPending ? 51 : 50))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func rowsThatEachStayBelowTheLimitMeetItTogether(in kind: StoreKind) throws {
    let queue = try lines(kind, Array(repeating: String(repeating: "a", count: 17), count: 2_000))
    try queue.performAndWait { context in
      var few = try request("(a+)+\\1b")
      few.predicate = few.predicate.map { $0 && .equals("text", Value.null) }
      let error = #expect(throws: StoreError.self) { try context.fetch(few) }
      #expect(error?.underlying as? FetchPredicateError == .patternTooCostly)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func validationAnswersOrSaysThatItCannot(in kind: StoreKind) throws {
    for (pattern, code) in [("(a+)+b", nil), ("(a+)+\\1b", FetchPredicateError.patternTooCostly)] {
      let queue = try kind.stack(Self.model(pattern: pattern)).newContext()
      try queue.performAndWait { context in
        let line = try context.insert(entityNamed: "Line")
        line.setValue("", forKey: "free")
        line.setValue(String(repeating: "a", count: 2_000), forKey: "text")
        let error = try #require(throws: ValidationError.self) { try context.save() }
        #expect(error.code == .stringPatternMatching)
        #expect(error.failures.first?.underlying as? FetchPredicateError == code)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aModelsPredicateMayHoldAnExpression(in kind: StoreKind) throws {
    var text = AttributeDescription("free", .string)
    text.validation.predicates = [try FetchPredicate(format: "SELF MATCHES '(a+)+b'")]
    let model = try ManagedObjectModel(entities: [EntityDescription("Line", attributes: [text])])
    let queue = try kind.stack(model).newContext()
    try queue.performAndWait { context in
      let line = try context.insert(entityNamed: "Line")
      line.setValue(String(repeating: "a", count: 2_000), forKey: "free")
      #expect(throws: ValidationError.self) { try context.save() }
      line.setValue("aab", forKey: "free")
      #expect(throws: Never.self) { try context.save() }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func predicatesOfAnyLengthAreAnswered(in kind: StoreKind) throws {
    let queue = try lines(kind, ["a", "b", "c"])
    try queue.performAndWait { context in
      var request = FetchRequest("Line")
      request.predicate = .or((0..<3_000).map { .equals("free", $0 == 2_999 ? "b" : "x\($0)") })
      let some = try context.count(request)
      request.predicate = .and((0..<3_000).map { !.equals("free", $0 == 2_999 ? "b" : "x\($0)") })
      let others = try context.count(request)
      #expect(some == 1)
      #expect(others == 2)
    }
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func deepPredicatesAreRefused(in kind: StoreKind, isPending: Bool) throws {
    let queue = try lines(kind, ["a"])
    try queue.performAndWait { context in
      if isPending { _ = try context.insert(entityNamed: "Line") }
      var deep = FetchPredicate.equals("free", "a")
      for _ in 0..<2_000 { deep = .not(deep) }
      var request = FetchRequest("Line")
      request.predicate = deep
      let error = #expect(throws: FetchPredicateError.self) { try context.fetch(request) }
      #expect(error?.code == .tooDeep)
    }
  }
}

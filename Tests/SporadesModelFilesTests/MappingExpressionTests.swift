// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

/// The text of expressions in mapping models.
@Suite struct MappingExpressionTests {
  @Test(arguments: [
    "$source.name", "$source.owner.name", "$source.countries.@distinctUnionOfSets.moods",
    "$manager.userInfo.author", "$source", "12", "-3", "1.5", "\"Unknown\"", "nil", "TRUE", "now()",
    "uppercase($source.name)", "$source.age + 1", "($source.age + 1) * 2", "{1, $source.age}",
    "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"PetToPet\", $source.pets)",
    "FUNCTION($entityPolicy, \"fullName:\", $source)",
    "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Pet\", \"age > 3\"), $manager.sourceContext, NO)",
  ])
  func anExpressionIsReadAndWritten(_ text: String) throws {
    #expect(try MappingExpression(format: text).description == text)
  }

  @Test func partsAreWhatTheySay() throws {
    #expect(try MappingExpression(format: "$source.a.b") == .source("a.b"))
    #expect(
      try MappingExpression(format: "uppercase:($source.a)") == .call("uppercase", [.source("a")]))
    #expect(
      try MappingExpression(format: "CAST(0, \"NSDate\")")
        == .constant(.date(Date(timeIntervalSinceReferenceDate: 0))))
    #expect("$source.a" == MappingExpression.source("a"))
  }

  @Test(arguments: [
    "", "name", "$source.", "$source name", "FUNCTION($manager)", "FUNCTION($manager, $source)",
    "FETCH($source)", "(1", "{1", "1 +", "$", "%@", "@count", "\"open", "f(1", "1 < 2", "#name",
  ])
  func aTextThatIsNoExpressionIsRefused(_ text: String) {
    #expect(throws: FetchPredicateError.self) { try MappingExpression(format: text) }
    guard case .refused = MappingExpression(stringLiteral: text) else {
      Issue.record("\(text) was taken")
      return
    }
  }

  @Test(arguments: ["(", "{", "-", "f(", "FUNCTION("])
  func deepTextsAreRefused(_ opening: String) {
    let text = String(repeating: opening, count: 100_000)
    #expect(throws: FetchPredicateError.self) { try MappingExpression(format: text) }
  }

  @Test func randomTextsEndInAnErrorOrAnExpression() {
    var random = Generator(state: 12)
    let parts = [
      "$source", ".", "name", "(", ")", "{", "}", ",", "\"a\"", "FUNCTION", "FETCH", "CAST", "1",
      "-",
      "+", "*", "/", "@count", "nil", "now", ":", "$manager", " ",
    ]
    for _ in 0..<5_000 {
      let count = Int.random(in: 1...12, using: &random)
      let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      guard case .refused = MappingExpression(stringLiteral: text) else {
        let expression = MappingExpression(stringLiteral: text)
        #expect(MappingExpression(stringLiteral: expression.description) == expression, "\(text)")
        continue
      }
    }
  }

  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test func functionsComputeValues() {
    func value(_ name: String, _ arguments: Value...) -> Value? {
      MappingFunction.apply(name, arguments, now: Date(timeIntervalSinceReferenceDate: 5))
    }
    #expect(value("now") == .date(Date(timeIntervalSinceReferenceDate: 5)))
    #expect(value("uppercase:", "straße") == "STRASSE")
    #expect(value("length", "été") == 3)
    #expect(value("sum", [1, 2, nil]) == 3)
    #expect(value("average", [1, 2]) == 1.5)
    #expect(value("count", [1, 2]) == 2)
    #expect(value("modulus:by", 7, 4) == 3)
    #expect(value("modulus:by", .integer(.min), -1) == 0)
    #expect(value("modulus:by", 7, 0) == .null)
    #expect(value("abs", .integer(.min)) == .double(9_223_372_036_854_775_808))
    #expect(value("castObject:toType", 12, "NSString") == "12")
    #expect(value("castObject:toType", "12", "NSNumber") == 12)
    #expect(value("castObject:toType", "x", "NSNumber") == nil)
    #expect(value("uppercase", 3) == nil)
    #expect(value("uppercase", nil) == .null)
  }
}

/// Values that become values of another type.
@Suite struct ConvertedValueTests {
  @Test func conversionsKeepTheMeaningOrAreRefused() {
    #expect(Value.integer(70_000).converted(to: .integer16) == nil)
    #expect(Value.integer(7).converted(to: .string) == "7")
    #expect(Value.string("7").converted(to: .integer16) == 7)
    #expect(Value.string("7a").converted(to: .integer16) == nil)
    #expect(Value.boolean(true).converted(to: .string) == "true")
    #expect(Value.string("false").converted(to: .boolean) == false)
    #expect(Value.integer(2).converted(to: .boolean) == nil)
    #expect(Value.double(1.5).converted(to: .integer64) == nil)
    #expect(Value.double(1e300).converted(to: .integer64) == nil)
    #expect(Value.double(0.1).converted(to: .float) == nil)
    #expect(Value.integer((1 << 53) + 1).converted(to: .double) == nil)
    #expect(Value.double(.nan).converted(to: .decimal) == nil)
    #expect(Value.string("12abc").converted(to: .decimal) == nil)
    let uuid = UUID()
    #expect(Value.uuid(uuid).converted(to: .string) == .string(uuid.uuidString))
    #expect(Value.string(uuid.uuidString).converted(to: .uuid) == .uuid(uuid))
    #expect(Value.null.converted(to: .date) == .null)
    #expect(Value.string("x").converted(to: .date) == nil)
  }
}

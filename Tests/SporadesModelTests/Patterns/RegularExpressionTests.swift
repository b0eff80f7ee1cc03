// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import SporadesModel

/// The engine of `MATCHES` and of patterns gives ICU's answers in bounded time.
@Suite struct RegularExpressionTests {
  @Test func everyPartOfTheSyntaxMeansWhatICUMeans() throws {
    for pattern in ICUComparison.patterns {
      let ours = try ICUComparison.ours(pattern, ICUComparison.texts)
      let theirs = ICUComparison.theirs(pattern, ICUComparison.texts)
      #expect(ours == theirs, "\(pattern.debugDescription)")
    }
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func randomExpressionsMatchWhatICUMatches(seed: UInt64) throws {
    var generator = PatternGenerator(seed: seed)
    var compared = 0
    for _ in 0..<1_500 {
      let pattern = generator.pattern(depth: 2).text
      let texts = (0..<12).map { _ in generator.text() }
      let theirs = ICUComparison.theirs(pattern, texts)
      // ICU does not find the largest length of some look-behinds.
      if theirs == .refused, pattern.contains("(?<") { continue }
      if theirs != .refused { compared += 1 }
      let ours = try ICUComparison.ours(pattern, texts)
      #expect(ours == theirs, "\(pattern.debugDescription) \(texts)")
    }
    #expect(compared > 900)
  }

  @Test(arguments: [
    "\\w", "\\d", "\\s", "\\h", "\\v", "\\p{Lu}", "\\p{L}", "\\p{Alphabetic}", "[[:alnum:]]",
    "[[:punct:]]", "[[:space:]]", "[[:blank:]]", "[[:graph:]]", "[[:print:]]", "[[:xdigit:]]",
    "[[:word:]]", "[[:cntrl:]]", "\\p{Han}", "\\p{Script=Greek}", "\\p{scx=Hira}", "(?i)[a-z]",
    "(?i)\\p{Lu}", "\\p{Emoji}", "\\p{Sm}", "\\p{ID_Start}", "\\p{Any}", "(?i)σ", "(?i)[k]",
    "\\p{Common}",
  ])
  func classesOfCharactersEqualICUs(pattern: String) throws {
    var texts: [String] = []
    var number = UInt32(0)
    while number < 0x3_0000 {
      // A later version of Unicode has more characters in its tables.
      if let scalar = Unicode.Scalar(number), (scalar.properties.age?.major ?? 0) < 15 {
        texts.append(String(scalar))
      }
      number += number < 0x3000 ? 1 : 7
    }
    let ours = try ICUComparison.ours(pattern, texts)
    #expect(ours == ICUComparison.theirs(pattern, texts))
  }

  // MARK: - Differences that the documentation lists

  @Test func caseIsIgnoredScalarByScalar() throws {
    #expect(try ICUComparison.ours("(?i)ss", ["ß", "SS"]) == .answers([false, true]))
  }

  @Test func aRepeatedGroupThatMayBeEmptyFindsEveryMatch() throws {
    #expect(try ICUComparison.ours("(a*?)*?b", ["ab", "b"]) == .answers([true, true]))
    #expect(try ICUComparison.ours("(?:a?)*+", ["", "aa"]) == .answers([true, true]))
  }

  @Test(arguments: [
    "\\p{InBasicLatin}", "\\p{block=BasicLatin}", "\\p{lb=AL}", "\\p{bc=R}", "\\p{nt=De}",
    "\\p{javaLowerCase}", "(?w)\\b",
  ])
  func unsupportedSyntaxIsRefused(pattern: String) throws {
    #expect(try ICUComparison.ours(pattern, []) == .refused)
  }

  // MARK: - Bounds

  private func matches(_ pattern: String, _ text: String) throws -> Bool {
    try RegularExpression(pattern, ignoresCase: false).matches(text, within: PatternBudget())
  }

  @Test(arguments: [
    "(a+)+b", "(a*)*b", "(a|a)*b", "(a|aa)+\\z.", "(.*)(.*)(.*)(.*)(.*)b", "(?=(a+)+b)a*",
    "(a+a+)+b",
    "(?:(a|b)*+)*c", "(?>(a*)*)*c", "(?:a?){100}b", "(a+?)+?b", "(?!(a+)+b)(a+)+c",
  ])
  func expressionsThatBacktrackWithoutEndElsewhereEndHere(pattern: String) throws {
    #expect(try !matches(pattern, String(repeating: "a", count: 20_000)))
  }

  @Test(arguments: ["(a+)+\\1b", "(\\w+\\s?)*\\1x", "(a*)*\\1*\\1*\\1*b"])
  func expressionsWithBackReferencesAreRefusedAfterTheirSteps(pattern: String) throws {
    let error = #expect(throws: FetchPredicateError.self) {
      try matches(pattern, String(repeating: "a", count: 5_000))
    }
    #expect(error?.code == .patternTooCostly)
  }

  @Test func aWordBoundaryCostsTheStepsThatItLooksBack() throws {
    let text = "a" + String(repeating: "\u{301}", count: 20_000)
    #expect(try matches(".*\\b", text))
    let error = #expect(throws: FetchPredicateError.self) {
      try matches(".*" + String(repeating: "\\b", count: 1_000), text)
    }
    #expect(error?.code == .patternTooCostly)
  }

  @Test func aSetOfManyPartsCostsAStepPerPart() throws {
    let text = String(repeating: "中", count: 5_000)
    #expect(try !matches("[\\p{Lu}\\p{Lt}]*", text))
    let pattern = "(?:[" + String(repeating: "\\p{Lu}", count: 2_000) + "]|中)*"
    let error = #expect(throws: FetchPredicateError.self) { try matches(pattern, text) }
    #expect(error?.code == .patternTooCostly)
  }

  @Test func aSetOfManyRangesContainsOnlyTheirScalars() throws {
    let ranges = (0..<500).reversed().map { number in
      let first = UInt32(0x4E00 + 10 * number)
      return String(String.UnicodeScalarView([first, first + 4].compactMap(Unicode.Scalar.init)))
    }
    let set = "[" + ranges.map { $0.prefix(1) + "-" + $0.suffix(1) }.joined() + "]"
    let expression = try RegularExpression(set, ignoresCase: false)
    for number in UInt32(0x4DF0)..<(0x4E00 + 5_100) {
      let isIn = number >= 0x4E00 && number < 0x4E00 + 5_000 && (number - 0x4E00) % 10 < 5
      let text = String(try #require(Unicode.Scalar(number)))
      #expect(try expression.matches(text, within: PatternBudget()) == isIn)
    }
  }

  @Test func aRepeatedScalarHasOneSet() throws {
    let program = try PatternCompiler.program("(?i)(?:a*){49000}", [])
    #expect(program.sets.count == 1)
    #expect(program.instructions.count > 49_000)
  }

  @Test func allTextsShareABudgetThatIsTheSameEachTime() throws {
    func textsBeforeTheEnd() throws -> Int {
      let expression = try RegularExpression("(a+)+\\1b", ignoresCase: false)
      let budget = PatternBudget(steps: 1_000_000)
      for count in 0..<100_000 {
        do {
          _ = try expression.matches("aaaaaaaaaaaa", within: budget)
        } catch {
          #expect(error.code == .patternTooCostly)
          return count
        }
      }
      return .max
    }
    let first = try textsBeforeTheEnd()
    #expect(first > 1)
    #expect(first < 1_000)
    #expect(try textsBeforeTheEnd() == first)
  }

  @Test func longTextsThatMatchInOneWayCostNothing() throws {
    let budget = PatternBudget(steps: 0)
    let mail = try RegularExpression("[a-z0-9.]+@[a-z0-9.]+\\.[a-z]{2,4}", ignoresCase: true)
    for _ in 0..<1_000 {
      #expect(try mail.matches("John.Appleseed@example.com", within: budget))
    }
    let all = try RegularExpression("[\\s\\S]*", ignoresCase: false)
    #expect(try all.matches(String(repeating: "x", count: 1_000_000), within: budget))
  }

  @Test(arguments: ["[", "(", "(?:", "(?=", "((?i)", "[a&&[", "[^", "(?<=a|(", "a{1}(", "(a|"])
  func deepNestingOfGroupsAndSetsIsRefused(opening: String) throws {
    let pattern = String(repeating: opening, count: 5_000)
    #expect(try ICUComparison.ours(pattern, []) == .refused)
    let depth = PatternParser.largestDepth - 10
    let shallow = String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
    #expect(try matches(shallow, "a"))
  }

  @Test(arguments: [
    "((ab{100}){1000}){1000}", "((((a?){200}){200}){200}){200}", "(ab){16777215}",
    "a" + String(repeating: "[a--b]", count: 300), String(repeating: "a", count: 70_000),
  ])
  func expressionsThatBecomeTooLargeAreRefused(pattern: String) {
    let error = #expect(throws: FetchPredicateError.self) {
      _ = try RegularExpression(pattern, ignoresCase: false)
    }
    #expect(error?.code == .invalidPattern)
  }

  @Test func anExpressionIsCompiledOnce() throws {
    for number in 0..<1_000 {
      _ = try RegularExpression.cached("a{\(number % 300)}", ignoresCase: false)
    }
    let cached = try RegularExpression.cached("b+", ignoresCase: true)
    #expect(try cached.matches("BB", within: PatternBudget()))
    #expect(RegularExpression.cachedCount <= 128)
  }
}

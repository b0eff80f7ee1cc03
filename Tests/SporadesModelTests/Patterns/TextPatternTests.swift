// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesModel

/// `LIKE`, `CONTAINS` and similar operators take time in proportion to the lengths of their texts.
@Suite struct TextPatternTests {
  @Test(arguments: [
    String(repeating: "a*", count: 40) + "b", String(repeating: "*a", count: 500) + "b",
    String(repeating: "*", count: 50_000) + "b", String(repeating: "?*", count: 500) + "b",
  ])
  func patternsWithManyStarsTakeTimeInProportionToTheirLength(pattern: String) throws {
    let like = TextPattern(like: pattern)
    #expect(try !like.matches(String(repeating: "a", count: 20_000), within: PatternBudget()))
  }

  @Test func containsFindsPartsOfLongTexts() {
    let text = String(repeating: "a", count: 20_000)
    let part = String(repeating: "a", count: 1_000) + "b"
    #expect(!TextFolding.contains(text, part))
    #expect(TextFolding.contains(text + "b", part))
    #expect(!TextFolding.begins(text, with: part))
    #expect(!TextFolding.ends(text, with: part))
  }

  @Test func anInvalidPatternIsRefusedWithAReason() {
    let error = #expect(throws: FetchPredicateError.self) { _ = try TextPattern(matching: "a[") }
    #expect(error?.code == .invalidPattern)
    #expect(error?.detail.contains("not closed") == true)
  }
}

// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesModel

/// LIKE, CONTAINS and their like take time for the lengths they are given and no more.
@Suite struct TextPatternTests {
  @Test(arguments: [
    String(repeating: "a*", count: 40) + "b", String(repeating: "*a", count: 500) + "b",
    String(repeating: "*", count: 50_000) + "b", String(repeating: "?*", count: 500) + "b",
  ])
  func patternsWithManyStarsTakeNoLongerThanTheyShould(pattern: String) throws {
    let like = TextPattern(like: pattern)
    #expect(try !like.matches(String(repeating: "a", count: 20_000), within: PatternBudget()))
  }

  @Test func partsAreFoundInLongTexts() {
    let text = String(repeating: "a", count: 20_000)
    let part = String(repeating: "a", count: 1_000) + "b"
    #expect(!TextFolding.contains(text, part))
    #expect(TextFolding.contains(text + "b", part))
    #expect(!TextFolding.begins(text, with: part))
    #expect(!TextFolding.ends(text, with: part))
  }

  @Test func aPatternThatIsNoneIsRefusedWithTheReason() {
    let error = #expect(throws: FetchPredicateError.self) { _ = try TextPattern(matching: "a[") }
    #expect(error?.code == .invalidPattern)
    #expect(error?.detail.contains("not closed") == true)
  }
}

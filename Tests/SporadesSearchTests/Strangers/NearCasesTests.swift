// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesSearch

/// Words near each other, as the tests of SQLite's full-text search (near, ab, ae, ac, matchinfo) know them.
@Suite struct NearCasesTests {
  private static let letters = [
    "o o a o o o b o o", "o a b o o o c o o", "o a b o o o c d o", "a b c d e f g h i",
  ]

  @Test func distancesBetweenPhrases() throws {
    let table = try RowTable<WordRow>(Self.letters.map { [$0] })
    let cases: [(row: Int, typed: String, isFound: Bool)] = [
      (1, "NEAR(a b, 5)", true), (1, "NEAR(a b, 4)", true), (1, "NEAR(a b, 3)", true),
      (1, "NEAR(a b, 2)", false), (1, "NEAR(b a, 5)", true), (1, "NEAR(b a, 4)", true),
      (1, "NEAR(b a, 3)", true), (1, "NEAR(b a, 2)", false), (2, "NEAR(\"a b\" c, 3)", true),
      (2, "NEAR(\"a b\" c, 2)", false), (2, "NEAR(c \"a b\", 3)", true),
      (2, "NEAR(c \"a b\", 2)", false), (3, "NEAR(a+b c+d, 3)", true),
      (3, "NEAR(a+b c+d, 2)", false), (3, "NEAR(c+d a+b, 3)", true),
      (3, "NEAR(c+d a+b, 2)", false), (3, "NEAR(a b c d, 5)", true),
      (3, "NEAR(a b c d, 4)", false), (3, "NEAR(a+b c d, 4)", true),
      (4, "NEAR(b+c a+b+c+d i, 5)", true), (4, "NEAR(b+c a+b+c+d i, 4)", false),
      (4, "NEAR(a+b+c+d i b+c, 5)", true), (4, "NEAR(a+b+c+d i b+c, 4)", false),
      (4, "NEAR(i a+b+c+d b+c, 5)", true), (4, "NEAR(i a+b+c+d b+c, 4)", false),
    ]
    for (row, typed, isFound) in cases {
      #expect(try table.numbers(typed).contains(row) == isFound, "\(typed)")
    }
  }

  /// Parts of one word lie near each other, too.
  @Test func partsNearEachOther() throws {
    let word = String(repeating: "a", count: 32)
    let table = try RowTable<PartRow>([[word + " " + word], ["aaa"], ["aa aa"]])
    #expect(try table.numbers("NEAR(aaa aaa, 4)") == [1, 2])
    #expect(try table.numbers("aaa") == [1, 2])
  }

  /// The places of the phrases that are near each other: phrase, column and word.
  @Test(arguments: [
    ("NEAR(a b)", 0, "0.0.6 0.0.10 0.0.12 1.0.9 1.0.15"), ("NEAR(r c)", 0, ""),
    ("NEAR(r c)", 1, "0.0.0 1.0.1"), ("a OR b AND c", 2, "0.0.5"),
    ("a OR b AND c", 0, "0.0.6 0.0.10 0.0.12 1.0.9 1.0.15 2.1.2"),
    ("NEAR(a d, 1) OR a", 3, "2.0.0"), ("NEAR(a d, 1) OR a", 4, "0.0.0 1.0.1 2.0.0"),
    ("NEAR(a d, 1) OR a", 5, "0.0.0 0.0.3 1.0.1 1.0.2 2.0.0 2.0.3"),
  ]) func placesOfPhrases(typed: String, row: Int, places: String) {
    let rows = [
      ["j f h o x x a z g b a f a m i b", "j z c z y x w t"], ["r c", ""],
      ["k x j r m a d o i z j", "r t t t f e b r x i v j v g o"], ["a b c d", ""],
      ["a d c d", ""], ["a d d a", ""],
    ]
    let document = SearchDocument([("x", rows[row][0]), ("y", rows[row][1])], form: .words)
    let found = Search.parse(typed, columns: ["x", "y"]).occurrences(in: document)
    #expect(
      found.map { "\($0.phrase).\($0.column).\($0.tokens.lowerBound)" }.joined(separator: " ")
        == places)
  }
}

// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesSearch

/// Excerpts, as the tests of SQLite's full-text search (af, unicode2) know them. A line has a text, and its excerpt of seven
/// words.
@Suite struct SnippetCasesTests {
  private static func cases(_ lines: String) -> [(text: String, excerpt: String)] {
    lines.split(separator: "\n").map { line in
      let parts = line.split(separator: "|").map(String.init)
      return (parts[0], parts[1])
    }
  }

  private static let words = cases(
    """
    X o o o o o o|[X] o o o o o o
    o X o o o o o|o [X] o o o o o
    o o X o o o o|o o [X] o o o o
    o o o X o o o|o o o [X] o o o
    o o o o X o o|o o o o [X] o o
    o o o o o X o|o o o o o [X] o
    o o o o o o X|o o o o o o [X]
    X o o o o o o o|[X] o o o o o o...
    o X o o o o o o|o [X] o o o o o...
    o o X o o o o o|o o [X] o o o o...
    o o o X o o o o|o o o [X] o o o...
    o o o o X o o o|o o o o [X] o o...
    o o o o o X o o|o o o o o [X] o...
    o o o o o o X o|o o o o o o [X]...
    o o o o o o o X|...o o o o o o [X]
    o o o o o o o X o|...o o o o o [X] o
    o o o o o o o X o o|...o o o o [X] o o
    o o o o o o o X o o o|...o o o [X] o o o
    o o o o o o o X o o o o|...o o o [X] o o o...
    X o o o o o o o o|[X] o o o o o o...
    o X o o o o o o o|o [X] o o o o o...
    o o X o o o o o o|o o [X] o o o o...
    o o o X o o o o o|o o o [X] o o o...
    o o o o o o o X o o o o|...o o o [X] o o o...
    o o o o o o o o X o o o|...o o o [X] o o o
    o o o o o o o o o X o o|...o o o o [X] o o
    o o o o o o o o o o X o|...o o o o o [X] o
    o o o o o o o o o o o X|...o o o o o o [X]
    X o o o o o X o o|[X] o o o o o [X]...
    o o o o o o o X o o o o o X o|...[X] o o o o o [X]...
    o o o o o o o o X o o o o o X|...[X] o o o o o [X]
    X o o o o X o o o|[X] o o o o [X] o...
    o o o o o o o X o o o o X o o|...[X] o o o o [X] o...
    o o o o o o o o X o o o o X o|...[X] o o o o [X] o
    o o o o o o o o o X o o o o X|...o [X] o o o o [X]
    X o o o X o o o|[X] o o o [X] o o...
    o X o o o X o o o|o [X] o o o [X] o...
    o o o o o o o X o o o X o o|...o [X] o o o [X] o...
    o o o o o o o o X o o o X o|...o [X] o o o [X] o
    o o o o o o o o o X o o o X|...o o [X] o o o [X]
    X o o X o o o o o|[X] o o [X] o o o...
    o X o o X o o o o|o [X] o o [X] o o...
    o o o o o o o X o o X o o o|...o [X] o o [X] o o...
    o o o o o o o o X o o X o o|...o [X] o o [X] o o
    o o o o o o o o o X o o X o|...o o [X] o o [X] o
    o o o o o o o o o o X o o X|...o o o [X] o o [X]
    o o o o o o o o o X o o o o o o o o o o o o o o o o X X X o o o|...o o [X] [X] [X] o o...
    o o o o o o o. o o X o o o o o o o o o o o o o o o o X X X o o o|...o o [X] o o o o...
    o o o o X o o o o o o o o o o o o o o o o o o o o o X X X o o o|o o o o [X] o o...
    """)

  private static let phrases = cases(
    """
    X Y o o o o o|[X Y] o o o o o
    o X Y o o o o|o [X Y] o o o o
    o o X Y o o o|o o [X Y] o o o
    o o o X Y o o|o o o [X Y] o o
    o o o o X Y o|o o o o [X Y] o
    o o o o o X Y|o o o o o [X Y]
    X Y o o o o o o|[X Y] o o o o o...
    o X Y o o o o o|o [X Y] o o o o...
    o o X Y o o o o|o o [X Y] o o o...
    o o o o o o o X Y o o o|...o o [X Y] o o o
    o o o o o o o o X Y o o|...o o o [X Y] o o
    o o o o o o o o o X Y o|...o o o o [X Y] o
    o o o o o o o o o o X Y|...o o o o o [X Y]
    X Y o o o o o o o|[X Y] o o o o o...
    o X Y o o o o o o|o [X Y] o o o o...
    o o X Y o o o o o|o o [X Y] o o o...
    o o o o o o o X Y o o o o|...o o [X Y] o o o...
    o o o o o o o o X Y o o o|...o o [X Y] o o o
    o o o o o o o o o X Y o o|...o o o [X Y] o o
    o o o o o o o o o o X Y o|...o o o o [X Y] o
    o o o o o o o o o o o X Y|...o o o o o [X Y]
    """)

  /// SQLite's excerpt has the most words of the search, and this library's the most different ones, the first such.
  private static let differences = [
    "o o o o o o o o o X o o o o o o o o o o o o o o o o X X X o o o": "...o o o [X] o o o..."
  ]

  @Test func wordsInTheMiddle() throws {
    let cases = Self.words
    let table = try RowTable<WordRow>(cases.map { [$0.text] })
    for (found, (text, excerpt)) in zip(try table.snippets("X", length: 7), cases) {
      #expect(found == Self.differences[text] ?? excerpt, "\(text)")
    }
    #expect(try table.numbers("X").count == cases.count && cases.count == 49)
  }

  @Test func phrasesInTheMiddle() throws {
    let cases = Self.phrases
    let table = try RowTable<WordRow>(cases.map { [nil, $0.text] })
    let found = try table.snippets("X + Y", in: 1, length: 7)
    #expect(found == cases.map(\.excerpt) && cases.count == 21)
  }

  @Test(arguments: [
    ("xyz", 1, 5, "1 2 3 4 5..."), ("xyz", 0, 5, "[xyz]"), ("xyz 7", 1, 5, "...5 6 [7] 8 9..."),
    ("13", 1, 1, "...[13]"), ("1", 1, 2, "[1] 2..."), ("2", 1, 1, "...[2]..."),
    ("xyz", 1, 2, "1 2..."), ("xyz", 1, 1, "1..."), ("xyz", 1, 0, "1..."), ("xyz", 1, -5, "1..."),
    ("xyz", 1, .min, "1..."), ("xyz", 1, .max, "1 2 3 4 5 6 7 8 9 10 11 12 13"),
  ]) func columnsAndLengths(typed: String, column: Int, length: Int, excerpt: String) throws {
    let table = try RowTable<WordRow>([["xyz", "1 2 3 4 5 6 7 8 9 10 11 12 13"]])
    #expect(try table.snippets(typed, in: column, length: length) == [excerpt])
  }

  @Test func twoColumns() throws {
    let table = try RowTable<WordRow>([
      ["x a a a a a a a a a a", "a a a a a a a a a a a a a a a a a a a x"]
    ])
    for typed in ["x", "x OR \"\"", "x OR \u{DB}"] {
      #expect(try table.snippets(typed, in: 0, length: 6) == ["[x] a a a a a..."])
      #expect(try table.snippets(typed, in: 1, length: 6) == ["...a a a a a [x]"])
      #expect(try table.snippets(typed, in: 0, length: 0) == ["[x]..."])
      #expect(try table.snippets(typed, in: 0, length: .max) == ["[x] a a a a a a a a a a"])
    }
    let letters = try RowTable<WordRow>([["A B C", "D E F"]])
    #expect(try letters.snippets("B", in: 0, length: 1) == ["...[B]..."])
    #expect(try letters.snippets("B", in: 1, length: 2) == ["D E..."])
    #expect(try letters.snippets("A", in: 0, length: 1) == ["[A]..."])
    let empty = try RowTable<WordRow>([[nil, "a b c"]])
    #expect(try empty.snippets("b", in: 0, length: 15) == [""])
    #expect(try empty.snippets("b", in: 1, length: 15) == ["a [b] c"])
  }

  private static let news = [
    "Pending statements no longer block ROLLBACK. Instead, the pending statement will return SQLITE_ABORT upon next access after the ROLLBACK.",
    "Queries of the form: \"SELECT max(x), y FROM table\" returns the value of y on the same row that contains the maximum x value.",
    "Added support for the FTS4 languageid option.",
  ]

  /// The texts have their vowels with marks, and the searches have none, or the other way.
  ///
  /// SQLite's excerpts show `row` in their middle, because a quote is before the sentence, and the first `ROLLBACK` in its
  /// sentence. This library begins at the sentence, and shows both.
  @Test(arguments: [
    ("row", "...SELECT max(x), y FROM table\" returns the value of y on the same [row]..."),
    ("ROW", "...SELECT max(x), y FROM table\" returns the value of y on the same [row]..."),
    ("lang*", "Added support for the FTS4 [languageid] option."),
    (
      "rollback",
      "...[ROLLBACK]. Instead, the pending statement will return SQLITE_ABORT upon next access after the [ROLLBACK]."
    ),
    (
      "rOllback",
      "...[ROLLBACK]. Instead, the pending statement will return SQLITE_ABORT upon next access after the [ROLLBACK]."
    ),
  ]) func textsWithMarks(typed: String, excerpt: String) throws {
    func marked(_ text: String) -> String {
      String(text.map { "aeiouyAEIOUY".contains($0) ? Character("\($0)\u{308}") : $0 })
    }
    let plain = try RowTable<WordRow>(Self.news.map { [$0] }).snippets(typed, length: 15)
    #expect(plain == [excerpt])
    let table = try RowTable<WordRow>(Self.news.map { [marked($0)] })
    for typed in [typed, marked(typed)] {
      let found = try table.snippets(typed, length: 15)
      #expect(found == [marked(excerpt)])
    }
  }
}

// SPDX-License-Identifier: MIT
import SporadesSearchTesting
import Testing

@testable import SporadesSearch

/// The places of a search in texts, and excerpts around them.
@Suite struct SearchMarksTests {
  private static let columns = ["title", "text"]

  private func marked(
    _ typed: String, _ text: String, column: String? = "text", form: SearchForm = .words
  ) -> String {
    let query = Search.parse(typed, columns: Self.columns, form: form)
    return Self.marked(text, query.ranges(in: text, column: column))
  }

  private static func marked(_ text: String, _ ranges: [Range<String.Index>]) -> String {
    var (marked, last) = ("", text.startIndex)
    for range in ranges {
      marked += String(text[last..<range.lowerBound])
      marked += "[" + String(text[range]) + "]"
      last = range.upperBound
    }
    return marked + String(text[last...])
  }

  private static func snippet(_ snippet: SearchSnippet) -> String {
    (snippet.isCutAtStart ? "…" : "") + marked(snippet.text, snippet.ranges)
      + (snippet.isCutAtEnd ? "…" : "")
  }

  @Test(arguments: [
    ("ham", "Ham, ham & hamlet", "[Ham], [ham] & hamlet"),
    ("ham*", "Ham & hamlet", "[Ham] & [hamlet]"),
    ("\"a b\"", "a b a c b", "[a b] a c b"), ("a -b", "a b", "[a] b"),
    ("eden", "l’Éden!", "l’[Éden]!"),
    ("title:a b", "a b", "a [b]"), ("-title:a", "a", "[a]"), ("^a", "a a", "[a] a"),
    ("e-mail", "E-Mail", "[E-Mail]"),
    ("NEAR(a b, 1)", "a x b x x x a", "[a] x [b] x x x a"), ("\"a b\" \"b c\"", "a b c", "[a b c]"),
    ("a OR \"x y\"", "a x", "[a] x"), ("none", "a", "a"), ("", "a", "a"), ("a", "", ""),
  ]) func wordsAreMarked(typed: String, text: String, expected: String) {
    #expect(marked(typed, text) == expected)
  }

  @Test(arguments: [
    ("mle", "Hamlet", "Ha[mle]t"), ("amlet", "Hamlet", "H[amlet]"), ("a", "Banana", "B[a]n[a]n[a]"),
    ("an", "Banana", "B[anan]a"), ("本語", "日本語文", "日[本語]文"),
    ("de", "E\u{301}de\u{301}n", "E\u{301}[de\u{301}]n"),
    ("\"ab cd\"", "xab cde", "x[ab cd]e"), ("한", "대한민국", "대[한]민국"), ("민국", "대한민국", "대한[민국]"),
    ("é", "e\u{301}\u{323}!", "[e\u{301}\u{323}]!"), ("e", "e e", "[e] [e]"),
  ]) func partsAreMarked(typed: String, text: String, expected: String) {
    #expect(marked(typed, text, form: .parts) == expected)
  }

  @Test func aTextWithoutAColumnMayBeEach() {
    #expect(marked("title:a text:b", "a b", column: nil) == "[a] [b]")
    #expect(marked("title:a text:b -c", "a b c", column: "title") == "[a] b c")
    #expect(marked("title:a b", "a b", column: "other") == "a [b]")
  }

  @Test func occurrencesBelongToTheWholeDocument() {
    let document = SearchDocument([("title", "a b"), ("text", "b c b")], form: .words)
    func places(_ typed: String) -> [SearchOccurrence] {
      Search.parse(typed, columns: Self.columns).occurrences(in: document)
    }
    func place(_ phrase: Int, _ column: Int, _ tokens: Range<Int>) -> SearchOccurrence {
      SearchOccurrence(phrase: phrase, column: column, tokens: tokens)
    }
    #expect(places("b") == [place(0, 0, 1..<2), place(0, 1, 0..<1), place(0, 1, 2..<3)])
    #expect(
      places("text:b \"a b\"") == [place(0, 1, 0..<1), place(0, 1, 2..<3), place(1, 0, 0..<2)])
    #expect(places("c OR (a x)") == [place(0, 1, 1..<2)])
    #expect(places("a x").isEmpty && places("a -c").isEmpty && places("").isEmpty)
    #expect(places("a NOT x") == [place(0, 0, 0..<1)])
  }

  // MARK: - Excerpts

  private static let tale =
    "One ship left. It carried green ham and eggs over the sea. Nobody ate the ham in the end"

  @Test(arguments: [
    ("none", 4, "One ship left. It…"),
    (
      "ham", 100,
      "One ship left. It carried green [ham] and eggs over the sea. Nobody ate the [ham] in the end"
    ),
    ("ham", 5, "…It carried green [ham] and…"), ("ham", 3, "…green [ham] and…"),
    ("end", 3, "…in the [end]"),
    ("eggs ate", 8, "…and [eggs] over the sea. Nobody [ate] the…"),
    ("ham ate", 4, "…Nobody [ate] the [ham]…"),
    ("\"green ham and eggs over\"", 2, "…[green ham]…"), ("one", 2, "[One] ship…"),
    ("left", 3, "One ship [left]…"),
    ("ham", 0, "…[ham]…"), ("ham", -7, "…[ham]…"),
    ("sea", 12, "…It carried green ham and eggs over the [sea]. Nobody ate the…"),
  ]) func excerptsShowTheMostPhrases(typed: String, length: Int, expected: String) {
    let query = Search.parse(typed)
    #expect(Self.snippet(query.snippet(of: Self.tale, length: length)) == expected)
  }

  @Test func excerptsOfOddTexts() {
    let query = Search.parse("ham", form: .parts)
    #expect(Self.snippet(query.snippet(of: "")) == "")
    #expect(Self.snippet(query.snippet(of: "😀 !")) == "😀 !")
    #expect(Self.snippet(query.snippet(of: "x hamster", length: 3)) == "x [ham]s…")
    let long = String(repeating: "é😀 ", count: 5_000) + "ham"
    let snippet = query.snippet(of: long, length: .max)
    #expect(snippet.text == long && !snippet.isCutAtStart && !snippet.isCutAtEnd)
    #expect(snippet.ranges.map { String(snippet.text[$0]) } == ["ham"])
    #expect(
      Self.snippet(Search.parse("文", form: .parts).snippet(of: "前。日本の文", length: 4)) == "…日本の[文]")
  }

  /// A slow reader that looks at each window finds no window with more phrases.
  @Test func noWindowHasMorePhrases() {
    var samples = SearchSamples(seed: 8, columns: ["title", "body"])
    for _ in 0..<300 {
      let text = (0..<4).map { _ in samples.text() }.joined(
        separator: samples.below(2) == 0 ? " " : ". ")
      let query = Search.parse((0..<4).map { _ in samples.word() }.joined(separator: " OR "))
      let size = 1 + samples.below(12)
      let marks = SearchMarks(query, text, column: nil)
      guard !marks.tokens.isEmpty else { continue }
      func phrases(_ start: Int) -> Int {
        Set(
          marks.occurrences.filter {
            $0.tokens.lowerBound >= start && $0.tokens.upperBound <= start + size
          }.map(\.phrase)
        ).count
      }
      let most = marks.tokens.indices.map(phrases).max() ?? 0
      let window = SearchWindow(marks, text, size: size).tokens
      #expect(phrases(window.lowerBound) == most, "\(query) in \(text), \(size)")
      #expect(window.count <= size && window.upperBound <= marks.tokens.count)
    }
  }
}

// SPDX-License-Identifier: MIT
import SporadesTesting
import Testing

@testable import SporadesSearch

/// Texts that try to break a search: each has a reading, SQLite accepts the reading, and reading costs little.
@Suite(.timeLimit(.minutes(60))) struct HostileSearchTests {
  private static let columns = ["title", "b"]

  private static let repeated = [
    "(", ")", "((a", "(a ", "-", "--a", "- ", "-(", "^", "\"", "\"a\" ", "\"\"\"", "{", "{title}:",
    "{a ", "}",
    "title:", "title:(", "-title:", "title: ", "+", " + ", "a + ", "+\"", "*", "a*", "NEAR(",
    "NEAR(a,1 ", ",1", "NEAR((",
    "AND ", "OR ", "NOT ", "a OR ", "NOT a ", "-a ", "(a OR ", "a NOT (", "(-a OR ", "a", "日本",
    "e\u{301}", "\u{301}",
    "\0", "\n", ":", "a:", "a:b:", "😀", "👨‍👩‍👧", "title:(a NOT (", "“", "“a”+", "\\", "'", ";", "%",
    "--\n", "\u{FEFF}",
  ]

  @Test(arguments: repeated) func repetitionsCostLittle(part: String) throws {
    let table = try FullTextTable(columns: 2)
    try table.insert([["a b", "title"], ["ham", "a a a"]], .words)
    for form in SearchForm.allCases {
      let typed = String(repeating: part, count: part.hasPrefix("(") ? 100_000 : 20_000)
      let query = Search.parse(typed, columns: Self.columns, form: form)
      #expect(query.plan.phrases.reduce(0) { $0 + $1.tokens.count } <= SearchQuery.longest)
      #expect(Search.parse(query.description, columns: Self.columns, form: form) == query)
      _ = try table.rows(query.fts5)
    }
  }

  @Test func soupsHaveReadings() throws {
    let parts = Self.repeated + [" ", " ", "b", "c ", "\"", ")", ")", "\" ", ", 3)", "(b OR "]
    let texts = [["a b c", "title"], ["ham b", "a a c a"], ["", "b"], ["c", "c b a"]]
    var generator = SeededGenerator(seed: 3)
    var found = 0
    for form in SearchForm.allCases {
      let table = try FullTextTable(columns: 2)
      try table.insert(texts, form)
      let documents = texts.map { row in
        SearchDocument([("title", row[0]), ("b", row[1])], form: form)
      }
      for _ in 0..<3_000 {
        let count = Int.random(in: 0...20, using: &generator)
        let typed = (0..<count).map { _ in generator.pick(parts) }.joined()
        let query = Search.parse(typed, columns: Self.columns, form: form)
        let rows = try table.numbers(query.fts5)
        #expect(rows == documents.indices.filter { query.matches(documents[$0]) }, "\(typed)")
        let again = Search.parse(query.description, columns: Self.columns, form: form)
        #expect(again == query, "\(typed) → \(query) → \(again)")
        found += rows.count
      }
    }
    #expect(found > 500)
  }

  @Test(arguments: SearchForm.allCases) func theDeepestQueryIsWithinTheLimitsOfSQLite(
    form: SearchForm
  ) throws {
    let table = try FullTextTable(columns: 2)
    try table.insert([["x1 y1 x2", "z"]], form)
    for depth in [SearchQuery.deepest, SearchQuery.deepest + 1, 400] {
      for (open, close) in [
        ("x y NOT (z OR ", ")"), ("x OR title:(y a NOT (", "))"), ("x (y OR ", ")"),
        ("x NOT (y NOT (", "))"), ("(x NOT y) OR -title:(", ")"),
      ] {
        let typed =
          String(repeating: open, count: depth) + "NEAR(\"x y\" z*, 3)"
          + String(repeating: close, count: depth)
        let query = Search.parse(typed, columns: Self.columns, form: form)
        _ = try table.rows(query.fts5)
        #expect(Search.parse(query.description, columns: Self.columns, form: form) == query)
      }
    }
  }

  @Test func deepParenthesesKeepTheirWords() {
    let deep = String(repeating: "(", count: 1_000) + "a b" + String(repeating: ")", count: 1_000)
    #expect(Search.parse(deep + " OR c").description == "a b OR c")
    #expect(Search.parse("x (" + deep + " OR c) d").description == "x (a b OR c) d")
  }

  @Test func longQueriesEnd() throws {
    let words = (0..<1_000).map { "w\($0)" }
    let query = Search.parse(words.joined(separator: " OR "))
    #expect(query.plan.phrases.count == SearchQuery.longest)
    #expect(query.description == words.prefix(SearchQuery.longest).joined(separator: " OR "))
    let phrase = Search.parse("\"" + words.joined(separator: " ") + "\"* x")
    #expect(phrase.plan.phrases.count == 1)
    #expect(phrase.plan.phrases[0].tokens == Array(words.prefix(SearchQuery.longest)))
    #expect(!phrase.plan.phrases[0].isPrefix)
    let part = Search.parse(String(repeating: "ab", count: 1_000), form: .parts)
    #expect(part.plan.phrases[0].tokens.count == SearchQuery.longest - 2)
    let table = try FullTextTable(columns: 1)
    try table.insert([["w3"], ["w999"]], .words)
    #expect(try table.numbers(query.fts5) == [0])
  }

  /// Many repetitions of a token in a document and in a NEAR take one pass.
  @Test func nearGoesOverATextOnce() {
    let text = String(repeating: "a b ", count: 20_000)
    let document = SearchDocument([("title", text)], form: .words)
    let near = Search.parse("NEAR(a b a \"b a\" a*, 0)", columns: ["title"])
    #expect(near.matches(document))
    #expect(!Search.parse("NEAR(a b c, 1000)").matches(document))
    #expect(near.ranges(in: text, column: "title").count >= 1)
    #expect(near.snippet(of: text).isCutAtEnd)
  }
}

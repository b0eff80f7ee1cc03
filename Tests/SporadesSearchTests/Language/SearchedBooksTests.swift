// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesSearch

/// Searches that the tests of SQLite and of GRDB ask of FTS5, asked of a table and of the reader in memory.
@Suite struct SearchedBooksTests {
  private static let columns = ["title", "author", "body"]
  private static let books = [
    [
      "Sea-Glass", "Ann Lee Wood",
      "Call it luck. For years the boat lay idle -- never mind how long -- and the sea rose.",
    ],
    [
      "Iron Hill", "Tom Reed Hart",
      "Growth is not change! Change takes years, or months, or days. Growth is change of a kind.",
    ],
    [
      "Le Phare d’Ouest", "Jean Brun",
      "L’idée de mer, de marins. Les vagues, hélas, déferlent par l’émotion.",
    ],
    ["Éden, Éden", "Pia Roux", "/ Les draps écarlates : violets, muscles retenus ; jambes. 日本語の本"],
    ["a b c d", "a a b", "x a y b z c"],
    ["", "ß Straße", "one two three four five six seven eight nine ten eleven"],
  ]

  private func found(_ typed: String, _ form: SearchForm = .words) throws -> [Int] {
    let query = Search.parse(typed, columns: Self.columns, form: form)
    let table = try FullTextTable(columns: 3)
    try table.insert(Self.books, form)
    let rows = try table.numbers(query.fts5)
    let documents = Self.books.map { book in
      SearchDocument(Array(zip(Self.columns, book)).map { ($0, $1) }, form: form)
    }
    #expect(documents.indices.filter { query.matches(documents[$0]) } == rows, "\(query)")
    return rows
  }

  /// Words, prefixes, phrases, NEAR, logic and columns, as people type them.
  @Test(arguments: [
    ("Glass", [0]), ("écarlates", [3]), ("ECARLATES", [3]), ("fooéı👨👨🏿🇫🇷", []), ("Har*", [1]),
    ("*", []),
    ("\"retenus jambes\"", [3]), ("\"Ann Lee* Wood\"", [0]), ("\"Ann Le* Wood\"", []),
    ("NEAR(growth change)", [1]),
    ("years NOT months", [0]), ("years AND months", [1]), ("years OR months", [0, 1]),
    ("title:eden", [3]),
    ("author:eden", []), ("TITLE:EDEN", [3]),
  ]) func wordsOfPeople(typed: String, rows: [Int]) throws { #expect(try found(typed) == rows) }

  /// Texts that FTS5 refuses are searches too, and find nothing or their words.
  @Test(arguments: [
    ("", []), ("?!", []), ("^", []), ("NOT", []), ("(", []), ("AND", []), ("OR", []), ("\"", []),
    ("()", []),
    (" ", []), ("missing:months", []), ("\"ann lee", [0]), ("ann)", [0]), ("ann OR", [0]),
    ("(ann OR", [0]),
    ("ann AND AND lee", [0]), ("NEAR(ann lee", [0]), ("ann @ lee", [0]), ("ann'lee", [0]),
    ("title:", []),
    ("{title:ann", []), ("ann*lee", [0]), ("ann -", [0]), ("ann ^", [0]), ("ann + ", [0]),
    ("a\0b", [4]),
  ]) func refusedTexts(typed: String, rows: [Int]) throws { #expect(try found(typed) == rows) }

  /// Spaces of all kinds, operators among words, anchors and stars.
  @Test(arguments: [
    (" \t\nyears \t\nmonths \t\n", [1]), ("years months days", [1]), ("^Sea*", [0]),
    ("^\"sea gla\"*", [0]),
    ("^not", []), ("^\"GROWTH IS\"", [1]), ("^\"is not\"", []), ("^ann wood", [0]), ("^wood", []),
    ("title:^iron", [1]), ("body:^iron", []), ("\"years months\"", []),
    ("\"years or months\"", [1]),
    ("years or months", [1]), ("not change", [1]), ("and near", []),
  ]) func allWordsAndBeginnings(typed: String, rows: [Int]) throws {
    #expect(try found(typed) == rows)
  }

  /// Phrases lie within one column, and joined words make phrases.
  @Test(arguments: [
    ("\"a b\"", [4]), ("a + b + c", [4]), ("\"b a\"", []), ("\"d a\"", []), ("\"a a b\"", [4]),
    ("author:\"a b c\"", []),
    ("a.b.c", [4]), ("\"a\" + \"b c d\"", [4]), ("title : a", []), ("title: a", [4]),
    ("{title body}:\"a a\"", []),
    ("-title:d", []), ("-title:z", [4]), ("-{title author}:a", [1, 4]), ("title:(a d)", [4]),
    ("title:(a z)", []),
    ("title:(z OR d)", [2, 4]), ("title:a body:z", [4]), ("title:z OR body:z", [4]),
    ("title:body:a", []),
    ("\"b c d\" NOT \"c d a\"", [4]), ("a NOT (b NOT z)", [1, 4]), ("a NOT (b AND z)", [1]),
  ]) func phrasesAndColumns(typed: String, rows: [Int]) throws { #expect(try found(typed) == rows) }

  /// NEAR counts the tokens between the end of one phrase and the beginning of another, within one column.
  @Test(arguments: [
    ("NEAR(one three, 0)", []), ("NEAR(one three, 1)", [5]), ("NEAR(three one, 1)", [5]),
    ("NEAR(one eleven, 8)", []), ("NEAR(one eleven, 9)", [5]), ("NEAR(one eleven)", [5]),
    ("NEAR(\"one two\" \"four five\", 1)", [5]), ("NEAR(\"one two\" \"four five\", 0)", []),
    ("NEAR(one two three, 1)", [5]), ("NEAR(one two four, 1)", []), ("NEAR(a a, 0)", [1, 4]),
    ("NEAR(d x, 100)", []),
    ("NEAR(on* thr*, 1)", [5]), ("body:NEAR(x b, 2)", [4]), ("title:NEAR(x b, 2)", []),
    ("NEAR(\"two three\" two, 0)", [5]),
  ]) func near(typed: String, rows: [Int]) throws { #expect(try found(typed) == rows) }

  /// Beginnings of words.
  @Test(arguments: [
    ("e*", [2, 3, 5]), ("el*", [5]), ("eleven*", [5]), ("elevens*", []), ("t* AND f*", [0, 5]),
    ("\"four fi\"*", [5]),
    ("\"fou five\"*", []), ("title:é*", [3]), ("str*", [5]), ("stras*", []), ("straß*", [5]),
    ("日*", [3]),
  ]) func beginnings(typed: String, rows: [Int]) throws { #expect(try found(typed) == rows) }

  /// Parts of words, and languages without spaces.
  @Test(arguments: [
    ("lass", [0]), ("a-gl", [0]), ("arl", [3]), ("本", [3]), ("日本", [3]), ("語の本", [3]), ("本の", []),
    ("e", [0, 1, 2, 3, 5]), ("lev", [5]), ("\"wo thr\"", [5]), ("\"wo  three f\"", [5]),
    ("\"wo hree\"", []),
    ("title:lass", [0]), ("body:lass", []), ("^sea", [0]), ("^gla", []), ("traß*", [5]),
    ("xyz", []),
    ("NEAR(one two, 5)", [5]),
  ]) func parts(typed: String, rows: [Int]) throws { #expect(try found(typed, .parts) == rows) }

  @Test func columnsGoByTheirNames() {
    let query = Search.parse("title:a body:b", columns: ["title", "body"])
    #expect(query.matches(SearchDocument([("body", "b"), ("title", "a")], form: .words)))
    #expect(!query.matches(SearchDocument([("body", "a"), ("title", "b")], form: .words)))
    #expect(!query.matches(SearchDocument([("title", "a b")], form: .words)))
    #expect(query.phraseExpressions == ["{c0} : \"a\"", "{c1} : \"b\""])
  }

  @Test func ranksPreferRareWordsAndShortTexts() {
    let documents = ["ham ham x", "ham", "eggs ham y z", "x", "y", "z", "w"].map {
      SearchDocument([("text", $0)], form: .words)
    }
    func scores(_ typed: String, _ weights: [Double] = []) -> [Double] {
      let query = Search.parse(typed)
      let statistics = query.statistics(of: documents)
      return documents.map { query.score($0, weights: weights, statistics: statistics) }
    }
    let ham = scores("ham")
    #expect(ham[0] < ham[2] && ham[1] < ham[2] && ham[2] < 0 && ham[3] == 0)
    #expect(scores("ham OR eggs")[2] < ham[2])
    #expect(scores("ham", [2])[1] < ham[1])
    #expect(scores("").allSatisfy { $0 == 0 })
    let none = SearchStatistics(rows: 0, averageLength: 0, found: [])
    #expect(Search.parse("ham").score(documents[0], statistics: none) == 0)
  }
}

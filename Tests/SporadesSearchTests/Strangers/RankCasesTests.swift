// SPDX-License-Identifier: MIT
import Sporades
import Testing

@testable import SporadesSearch

/// Ranks, as the tests of SQLite's full-text search (ae, ag, aux, rank, eb, matchinfo) know them.
@Suite struct RankCasesTests {
  private func expectRanks(
    _ table: RowTable<WordRow>, _ cases: [(typed: String, numbers: [Int])]
  ) throws {
    for (typed, numbers) in cases {
      #expect(try table.ranked(typed) == numbers, "\(typed)")
      #expect(try table.numbers(typed) == numbers.sorted(), "\(typed)")
    }
  }

  @Test func shortTextsAndManyWordsComeFirst() throws {
    let table = try RowTable<WordRow>(numbered: [
      (0, ["A o", "o o o C o o o o o o o o"]), (1, ["o o B", "o o o C C o o o o o o o"]),
      (2, ["A o o", "o o o o D D o o o o o o"]), (3, ["o B", "o o o o o D o o o o o o"]),
      (4, ["E o G", "H o o o o o o o o o o o"]), (5, ["F o G", "I o J o o o o o o o o o"]),
      (6, ["E o o", "H o J o o o o o o o o o"]), (7, ["o o o", "o o o o o o o o o o o o"]),
      (9, ["o o o", "o o o o o o o o o o o o"]),
    ])
    try expectRanks(
      table,
      [
        ("a", [0, 2]), ("b", [3, 1]), ("c", [1, 0]), ("d", [2, 3]), ("g AND (e OR f)", [5, 4]),
        ("j AND (h OR i)", [5, 6]),
      ])
  }

  @Test func rareWordsComeFirst() throws {
    let table = try RowTable<WordRow>(
      (1...8).map { _ in ["a", nil] } + [[nil, "a a b"], [nil, "b b a"]])
    try expectRanks(table, [("a AND b", [10, 9]), ("b:a AND b:b", [9, 10])])
  }

  @Test func moreOftenComesFirst() throws {
    try expectRanks(
      try RowTable([["a x x x x"], ["x x a a a"], ["x a a x x"]]), [("a", [2, 3, 1])])
    let table = try RowTable<WordRow>([["test xyz"], ["test test xyz test"], ["test test xyz"]])
    try expectRanks(
      table,
      [("test OR tset", [2, 3, 1]), ("test OR xyz", [3, 2, 1]), ("tset OR test", [2, 3, 1])])
    try expectRanks(
      try RowTable([
        ["hello this is a test"], ["of trying to order by"], ["rank on an fts5 table"],
        ["that have periods in"], ["the table names."], ["table table table"],
      ]), [("table", [6, 5, 3])])
  }

  /// Rows of one rank come in the order of their keys.
  @Test func equalRanksKeepTheOrder() throws {
    let table = try RowTable<WordRow>((1...100).map { ["word \($0)"] })
    try expectRanks(table, [("word", Array(1...100))])
    let some = WordRow.search("word").where(\.number >= 30).where(\.number <= 40)
    #expect(try table.numbers(some) == Array(30...40))
    try expectRanks(
      try RowTable([["abc def"], ["hello world"]]), [("def OR hello", [1, 2]), ("hello", [2])])
  }

  /// A phrase that most rows have counts a little, and never against a row.
  @Test(arguments: [
    ("just", -1e-6), ("\"/\" OR \"just\"", -1e-6), ("\"just\"", -1e-6), ("just + a + few", -1e-6),
  ]) func commonPhrasesCountLittle(typed: String, rank: Double) {
    let document = SearchDocument([("x", "just a few words with a / inside")], form: .words)
    let query = Search.parse(typed)
    let score = query.score(document, statistics: query.statistics(of: [document]))
    #expect(abs(score - rank) < 1e-12)
  }

  /// The number of rows, their words, and the rows with each phrase.
  @Test(arguments: [
    ("a", [4]), ("b", [4]), ("c", [3]), ("d", [3]), ("a AND b", [4, 4]),
    ("a OR b OR c OR d", [4, 4, 3, 3]), ("a:a", [4]), ("b:a", [2]), ("a:b", [3]), ("b:b", [4]),
    ("a:c", [2]), ("b:c", [1]), ("a:d", [2]), ("b:d", [2]),
  ]) func rowsWithPhrases(typed: String, found: [Int]) {
    let documents = [
      ("q i b w s a a e l o", "i b z a l f p t e u"),
      ("b a z t a l o x d i", "b p a d b f h d w y"),
      ("z m h n p p u i e g", "v h d v b x j j c z"),
      ("a g i m v a u c b i", "p k s o t l r t b m"),
      ("v v c j o d a s c p", "f f v o k p o f o g"),
    ].map { SearchDocument([("a", $0.0), ("b", $0.1)], form: .words) }
    let statistics = Search.parse(typed, columns: ["a", "b"]).statistics(of: documents)
    #expect(statistics.rows == 5 && statistics.averageLength == 20)
    #expect(statistics.found == found)
  }

  @Test func rowsOfThreeColumns() throws {
    try expectRanks(
      try RowTable(SQLiteRows.ranks),
      [
        (
          "a",
          [
            7, 28, 35, 42, 44, 2, 8, 11, 12, 18, 25, 26, 27, 34, 43, 3, 4, 10, 13, 16, 17, 21, 23,
            24, 29, 32, 37, 38, 39, 40, 46, 47, 48, 49, 50,
          ]
        ),
        (
          "c",
          [
            9, 28, 10, 11, 14, 15, 17, 19, 20, 27, 33, 39, 43, 44, 47, 3, 4, 5, 7, 8, 12, 16, 18,
            21, 22, 24, 25, 29, 30, 31, 32, 45, 48,
          ]
        ),
        ("\"m m\"", [50]), ("e + s", [11, 21, 42, 47]),
        (
          "a AND b",
          [
            44, 12, 8, 43, 18, 25, 27, 34, 29, 7, 28, 40, 42, 10, 11, 24, 26, 3, 13, 17, 21, 23, 37,
            38, 46, 49,
          ]
        ),
        ("NEAR(c d)", [20, 39, 28, 44, 9, 11, 14, 15, 16, 21, 24, 43, 45, 47, 48]),
      ])
  }
}

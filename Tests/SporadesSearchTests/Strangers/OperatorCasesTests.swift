// SPDX-License-Identifier: MIT
import Sporades
import Testing

@testable import SporadesSearch

/// Operators, as the tests of SQLite's full-text search (eb, ea, misc, fuzz1, simple) know them.
@Suite struct OperatorCasesTests {
  /// Each row holds the letters of the bits of its number: `a` is 1, `b` is 2 and `c` is 4.
  private static func letters() throws -> RowTable<WordRow> {
    try RowTable(
      numbered: (1...7).map { number in
        (
          number,
          [
            ["a", "b", "c"].enumerated().filter { number >> $0.offset & 1 == 1 }.map(\.element)
              .joined(separator: " ")
          ]
        )
      })
  }

  @Test func operatorsBindAsInSQLite() throws {
    try Self.letters().expect([
      ("a AND b NOT c", [3]), ("a OR b NOT c", [1, 2, 3, 5, 7]), ("a NOT b AND c", [5]),
      ("a NOT b OR c", [1, 4, 5, 6, 7]), ("a AND b OR c", [3, 4, 5, 6, 7]),
      ("a OR b AND c", [1, 3, 5, 6, 7]), ("a OR b c", [1, 3, 5, 6, 7]), ("a b NOT c", [3]),
      ("a NOT b NOT c", [1]), ("a b c", [7]), ("a AND b c", [7]), (" a b c", [7]),
      ("\ta\nb\rc", [7]), ("c NOT (b OR a)", [4]), ("(c NOT b) OR (a AND b)", [3, 4, 5, 7]),
      ("c AND b OR a", [1, 3, 5, 6, 7]), ("c AND (b OR a)", [5, 6, 7]),
      ("a OR (a AND b)", [1, 3, 5, 7]), ("a AND NOT b", [1, 5]), ("(a OR b) c", [5, 6, 7]),
    ])
  }

  /// SQLite takes the words behind NOT together, and this library excludes one term. SQLite finds nothing for an empty text
  /// beside AND, and this library reads on as if it were not there.
  @Test func operatorsDifferFromSQLite() throws {
    try Self.letters().expect([
      ("a NOT b c", [5]), ("a NOT (b c)", [1, 3, 5]), ("\"\" AND a", [1, 3, 5, 7]),
      ("a AND \"\"", [1, 3, 5, 7]), ("a AND \":\"", [1, 3, 5, 7]), ("a b *", [3, 7]),
    ])
  }

  @Test(arguments: [
    ("abc", "abc"), ("abc \"\"", "abc"), ("\"\"", ""), ("abc OR \"\"", "abc"),
    ("abc NOT \"\"", "abc"), ("abc AND \"\"", "abc"), ("\"\" OR abc", "abc"),
    ("\"\" NOT abc", ""), ("\"\" AND abc", "abc"), ("abc + \"\" + def", "\"abc def\""),
    ("abc \"\" def", "abc def"), ("r+e OR w", "\"r e\" OR w"), ("abc def", "abc def"),
    ("abc*", "abc*"), ("\"abc def ghi\"*", "\"abc def ghi\"*"), ("one AND two", "one two"),
    ("one+two", "\"one two\""), ("one AND two OR three", "one two OR three"),
    ("one OR two AND three", "one OR two three"), ("NEAR(one two)", "NEAR(one two, 10)"),
    ("NEAR(\"one three\"* two, 5)", "NEAR(\"one three\"* two, 5)"),
    ("\"abc\"\"def\"", "\"abc def\""), ("a AND \"\"\"\"", "a"), ("e AND \" \"", "e"),
    // A star behind a space says nothing, where SQLite takes it for the end of the phrase.
    ("\"abc def ghi\" *", "\"abc def ghi\""), ("abc *", "abc"), ("\"abc xyz*\"", "\"abc xyz\""),
  ]) func expressionsAreUnderstood(typed: String, understood: String) {
    let query = Search.parse(typed)
    #expect(query.description == understood)
    #expect(Search.parse(understood) == query)
  }

  @Test func emptyTextsBesideOthers() throws {
    let table = try RowTable<WordRow>([["a b", "c d"], ["e f", "a b"]])
    try table.expect([
      ("\"\"", []), ("\"\" a", [1, 2]), ("\"\" OR a", [1, 2]), ("NEAR(\"\")", []),
      ("NEAR(\"\", 5)", []), ("NEAR(\"\" c, 5)", [1]), ("NEAR(\"\" c d, 5)", [1]),
      ("NEAR(c d, 5)", [1]), ("NEAR(\"a\" \"b\", 5)", [1, 2]), ("a+4", []),
      // SQLite finds nothing here.
      ("\"\" AND a", [1, 2]),
    ])
  }

  @Test func severalSearchesOfOneRequest() throws {
    let table = try RowTable<WordRow>([["a b c d"], ["x b c d"], ["x y z d"], ["a y c x"]])
    #expect(try table.numbers(WordRow.search("a").search("b")) == [1])
    #expect(try table.numbers(WordRow.search("a").search("y")) == [4])
    #expect(try table.numbers(WordRow.where(.search("a") || .search("y"))) == [1, 3, 4])
    #expect(
      try table.numbers(WordRow.where(.search("a") || (.search("y") && .search("d"))))
        == [1, 3, 4])
    #expect(
      try table.numbers(WordRow.where(.search("z") || (.search("a") && .search("d")))) == [1, 3])
    #expect(try table.numbers(WordRow.search("b AND d")) == [1, 2])
    #expect(try table.numbers(WordRow.search("b").where(\.number == 2)) == [2])
    #expect(try table.numbers(WordRow.search("b").where(\.number > 2)) == [])
  }

  @Test func rowsOfManyPhrases() throws {
    let table = try RowTable<WordRow>([["wrinkle in time", "Bill Smith"]])
    try table.expect([
      ("wrinkle in time OR a wrinkle in time", [1]), ("wrinkle in time", [1]),
      ("a wrinkle in time", []), ("bill time", [1]), ("\"time bill\"", []),
    ])
  }

  /// Rows whose keys are found by many terms with few results among them.
  @Test func rareWordsAmongManyRows() throws {
    let rows = (1...600).map { number -> (Int, [String?]) in
      var words = Array(repeating: "x", count: 20)
      if number.isMultiple(of: 139) { words[3] = "Y" }
      if number.isMultiple(of: 77) { words[5] = "W" }
      return (number, [words.joined(separator: " ")])
    }
    let rare = Array(repeating: "w", count: 20).joined(separator: " ")
    let table = try RowTable<WordRow>(numbered: [(0, [rare])] + rows + [(601, [rare])])
    let (w, y) = ([77, 154, 231, 308, 385, 462, 539], [139, 278, 417, 556])
    try table.expect([
      ("x AND w", w), ("x* AND w*", w), ("y AND x", y), ("w + x", w), ("x + w", w),
      ("w", [0] + w + [601]), ("w NOT x", [0, 601]), ("w y", []),
      ("w OR y", ([0] + w + y + [601]).sorted()),
    ])
    #expect(try table.numbers(WordRow.search("x").where(\.number > 300)).count == 300)
    #expect(try table.numbers(WordRow.search("x").where(\.number == 444)) == [444])
  }
}

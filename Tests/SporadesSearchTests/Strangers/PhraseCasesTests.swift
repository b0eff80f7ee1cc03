// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesSearch

/// Phrases and beginnings of columns, as the tests of SQLite's full-text search (phrase, ab, ac, first, restart) know them.
@Suite struct PhraseCasesTests {
  @Test func phrasesInColumns() throws {
    try RowTable<WordRow>(SQLiteRows.phrases).expect([
      ("{a}:c+c", [45]), ("{b}:c+c", [18, 24, 35, 36, 44, 49]), ("{c}:c+c", [6, 33, 35]),
      ("{a b c}:c+c", [6, 18, 24, 33, 35, 36, 44, 45, 49]),
      ("{a b c}:b+h", [8, 9, 20, 23, 34, 37, 43]), ("{a b}:b+h", [20, 37, 43]),
      ("{a c}:b+h", [8, 9, 23, 34, 43]), ("{c a}:b+h", [8, 9, 23, 34, 43]),
      ("{c}:i+e", [1, 11, 42, 49]), ("{b}:i+e", [14, 40]), ("{a}:i+e", []), ("a:f+f", [31, 50]),
    ])
  }

  @Test func wordsThatBeginAlike() throws {
    let table = try RowTable<WordRow>([
      ["abashed abandons abase abash abaft", "abases abased"],
      ["abasing abases abaft abated abandons", "abases abandoned"],
      ["abatement abash abash abated abase", "abasements abashing"],
      ["abaft abasements abase abasement abasing", "abasement abases"],
      ["abaft abashing abatement abash abasements", "abandons abandoning"],
      ["aback abate abasements abashes abandoned", "abasement abased"],
      ["abandons abated abased aback abandoning", "abases abandoned"],
      ["abashing abases abasement abaft abashing", "abashed abate"],
      ["abash abase abate abashing abashed", "abandon abandoned"],
      ["abate abandoning abandons abasement aback", "abandon abandoning"],
    ])
    try table.expect([
      ("abash", [1, 3, 5, 9]), ("abase", [1, 3, 4, 9]), ("abase + abash", [1]),
      ("abash + abase", [9]), ("abaft + abashing", [5, 8]), ("abandon + abandoning", [10]),
      ("\"abashing abases abasement abaft abashing\"", [8]), ("NEAR(aback abate, 2)", [6]),
    ])
  }

  @Test func lettersOfTwoColumns() throws {
    try RowTable<WordRow>(SQLiteRows.letters).expect([
      ("m d g q q b k b w f q q p p", [27, 76, 84]), ("l o o l v v k", [1, 46, 49, 70, 83]),
      ("L O O L V V K", [1, 46, 49, 70, 83]), ("no", []), ("b + q", [9, 31, 42, 56, 83, 88]),
      ("e + a + e", [95]), ("m + d + g + q + q + b + k + b + w + f + q + q + p + p", [84]),
      ("l + o + o + l + v + v + k", [1]), ("L + O + O + L + V + V + K", [1]),
      ("a+b AND c", []), ("d+c AND u", [46, 49, 52, 59, 97]), ("d+c AND u+d", [46]),
      ("d+c OR u+d", [34, 46, 49, 52, 59, 60, 97]), ("c NOT (b OR a)", [14, 26, 28, 35, 90, 93]),
      (
        "NEAR(r c)",
        [
          8, 10, 13, 14, 29, 31, 32, 40, 43, 46, 53, 56, 57, 61, 62, 65, 69, 70, 79, 81, 85, 87,
          90, 97, 100,
        ]
      ),
      (
        "NEAR(r c, 5)",
        [8, 10, 14, 29, 31, 32, 40, 43, 46, 53, 56, 57, 62, 65, 79, 81, 85, 87, 90, 97, 100]
      ),
      (
        "NEAR(r c, 3)",
        [8, 10, 14, 31, 32, 40, 46, 53, 56, 57, 62, 65, 79, 85, 87, 90, 97, 100]
      ),
      ("NEAR(r c, 2)", [10, 14, 31, 32, 40, 46, 53, 56, 57, 65, 79, 87, 90, 100]),
      ("NEAR(r c, 0)", [10, 32, 40, 53, 100]),
      ("NEAR(a b c)", [7, 13, 36, 43, 52, 57, 61, 81, 84, 86, 97, 98]),
      ("NEAR(a b c, 8)", [7, 13, 36, 43, 52, 57, 61, 81, 86, 98]),
      ("a:NEAR(r c)", [10, 29, 32, 43, 53, 56, 62, 70, 79, 90, 97, 100]),
      ("b:NEAR(r c)", [8, 10, 13, 14, 31, 40, 46, 56, 57, 61, 65, 69, 81, 85, 87]),
      ("a:\"r c\"", [32, 53, 100]), ("b:\"r c\"", [10]), ("{a b}:\"r c\"", [10, 32, 53, 100]),
    ])
  }

  /// A slow reader of the rows decides about single letters and what operators make of them.
  @Test func lettersAndOperators() throws {
    let table = try RowTable<WordRow>(SQLiteRows.letters)
    func rows(_ isFound: ((String) -> Bool, [Set<Substring>]) -> Bool) -> [Int] {
      SQLiteRows.letters.enumerated().compactMap { place, texts in
        let words = texts.map { Set($0.split(separator: " ")) }
        let has = { (word: String) in words.contains { $0.contains(Substring(word)) } }
        return isFound(has, words) ? place + 1 : nil
      }
    }
    try table.expect([
      ("a OR b", rows { has, _ in has("a") || has("b") }),
      ("a AND b", rows { has, _ in has("a") && has("b") }),
      ("o", rows { has, _ in has("o") }), ("b q", rows { has, _ in has("b") && has("q") }),
      ("e a e", rows { has, _ in has("e") && has("a") }), ("a", rows { has, _ in has("a") }),
      ("a AND b AND c", rows { has, _ in has("a") && has("b") && has("c") }),
      ("a:a", rows { _, words in words[0].contains("a") }),
      ("b:a", rows { _, words in words[1].contains("a") }),
      ("{a}:b", rows { _, words in words[0].contains("b") }),
      ("{b}:b", rows { _, words in words[1].contains("b") }),
      ("{a b}:a", rows { has, _ in has("a") }), ("{b a}:a", rows { has, _ in has("a") }),
      ("{a a}:b", rows { _, words in words[0].contains("b") }),
      ("a OR b AND c", rows { has, _ in has("a") || has("b") && has("c") }),
      ("c AND b OR a", rows { has, _ in has("c") && has("b") || has("a") }),
      ("c AND (b OR a)", rows { has, _ in has("c") && (has("b") || has("a")) }),
      ("c NOT (b OR a)", rows { has, _ in has("c") && !(has("b") || has("a")) }),
      (
        "(c NOT b) OR (a AND d)",
        rows { has, _ in has("c") && !has("b") || has("a") && has("d") }
      ),
    ])
  }

  // MARK: - Beginnings of columns

  @Test(arguments: [
    ("^abc", "^abc"), ("^abc + def", "^\"abc def\""), ("^\"abc def\"", "^\"abc def\""),
    ("abc ^def", "abc ^def"), ("\"^abc\"", "abc"), ("a:^abc", "a:^abc"),
    // A sign before a space says nothing, where SQLite joins it to the phrase behind.
    ("^ \"abc def\"", "\"abc def\""),
  ]) func beginningsAreUnderstood(typed: String, understood: String) {
    #expect(Search.parse(typed, columns: ["a", "b"]).description == understood)
  }

  @Test func beginningsOfColumns() throws {
    try RowTable<WordRow>([["a b c", "b c a"]]).expect([
      ("^a", [1]), ("^b", [1]), ("^c", []), ("^a + b", [1]), ("^b + c", [1]), ("^c + a", []),
      ("^\"c a\"", []), ("a:^a", [1]), ("a:^b", []), ("a:^\"a b\"", [1]), ("\"^c\"", [1]),
    ])
    try RowTable<WordRow>([["b a", "c a"], ["a a", "c c"], ["a b", "a a"]]).expect([
      ("a:^a", [2, 3]), ("b:^a", [3]), ("^c AND ^b", [1]), ("b:^c", [1, 2]), ("a:^b", [1]),
    ])
  }

  /// Texts of more words than 17 bits count.
  @Test func longTexts() throws {
    let count = 100_000
    let table = try RowTable<WordRow>([
      [String(repeating: "a x ", count: count)], [String(repeating: "a a ", count: count) + "x"],
    ])
    try table.expect([("x", [1, 2]), ("\"a x\"", [1, 2]), ("\"x a\"", [1]), ("\"x x\"", [])])
  }

  /// A phrase selects the rows of one table that another takes over.
  @Test func rowsAreCopied() throws {
    let table = try RowTable<WordRow>((1..<200).map { _ in ["a b c d e"] })
    let found = try table.numbers("b+c+d")
    #expect(found == Array(1..<200))
    let copy = try RowTable<WordRow>(numbered: found.map { ($0, ["a b c d e"]) })
    #expect(try copy.numbers("a+b+c+d+e") == found)
  }
}

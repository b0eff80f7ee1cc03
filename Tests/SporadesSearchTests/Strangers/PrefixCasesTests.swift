// SPDX-License-Identifier: MIT
import Sporades
import Testing

@testable import SporadesSearch

/// Beginnings of words, as the tests of SQLite's full-text search (ad, prefix, prefix2, simple, query, aa) know them, with lists
/// of their own in the index and without.
@Suite struct PrefixCasesTests {
  private static let beginnings =
    ["abcde", "fghij", "klmno", "pqrst", "uvwxyz"].flatMap { word in
      word.indices.map { String(word[...$0]) + "*" }
    } + ["x*", "a f*", "a* f*", "a* fghij*"]

  private func expectBeginnings<Row: SearchedRow>(_ type: Row.Type) throws {
    let table = try RowTable<Row>(numbered: SQLiteRows.beginnings.enumerated().map { ($0, $1) })
    var count = 0
    for typed in Self.beginnings {
      let parts = typed.split(separator: " ")
      let rows = SQLiteRows.beginnings.enumerated().compactMap { place, texts in
        let words = texts.flatMap { $0.split(separator: " ") }
        let isFound = parts.allSatisfy { part in
          words.contains { part.hasSuffix("*") ? $0.hasPrefix(part.dropLast()) : $0 == part }
        }
        return isFound ? place : nil
      }
      #expect(try table.numbers(typed) == rows, "\(typed)")
      count += rows.count
    }
    #expect(count > 1_000)
    try table.expectSound()
  }

  @Test func beginningsWithoutLists() throws { try expectBeginnings(WordRow.self) }
  @Test func beginningsWithLists() throws { try expectBeginnings(PrefixRow.self) }

  private func expectWords<Row: SearchedRow>(_ type: Row.Type) throws {
    try RowTable<Row>([
      ["Changes the result to be", "the list of all matching"],
      ["indices (or all  matching", "values if -inline is"],
      ["specified as  well.) If", "indices are returned, the"],
    ]).expect([("c*", [1]), ("i*", [2, 3]), ("t*", [1, 3]), ("r*", [1, 3])])
    try RowTable<Row>([["one two three"], ["four five six"], ["seven eight nine ten"]])
      .expect([("t*", [1, 3]), ("o*", [1])])
    try RowTable<Row>([["top"], ["to"], ["tommy"]]).expect([
      ("to*", [1, 2, 3]), ("tom*", [3]), ("tomm*", [3]), ("tommyy*", []),
    ])
    try RowTable<Row>([["aa"], ["ab"], ["aa ab ac ad ae af"], ["b"]]).expect([
      ("a*", [1, 2, 3]), ("aa*", [1, 3]), ("af*", [3]), ("c*", []),
    ])
    try RowTable<Row>([["hello"], ["Hello"], ["HELLO"], ["helloooo"]]).expect([
      ("hello", [1, 2, 3]), ("Hello", [1, 2, 3]), ("hello*", [1, 2, 3, 4]), ("HELLOO*", [4]),
    ])
    try RowTable<Row>([["There are more", "things in heaven"], [", Horatio, Than are", "dreamt"]])
      .expect([("t*", [1, 2]), ("th*", [1, 2]), ("tha*", [2])])
  }

  @Test func wordsWithoutLists() throws { try expectWords(WordRow.self) }
  @Test func wordsWithLists() throws { try expectWords(PrefixRow.self) }

  /// Lists for beginnings of two characters count characters, not bytes.
  @Test func beginningsOfCharacters() throws {
    let table = try RowTable<PrefixRow>([
      ["\u{CA}\u{CB}\u{CC}\u{CD}"], ["\u{1234}\u{5678}\u{4321}\u{8765}"], ["まりや"],
    ])
    try table.expect([
      ("\u{CA}\u{CB}*", [1]), ("\u{1234}\u{5678}*", [2]), ("\u{1234}*", [2]), ("まり*", [3]),
      ("まりや*", [3]), ("\u{5678}*", []), ("eei*", [1]), ("\u{CA}\u{CB}\u{CC}*", [1]),
    ])
    try table.expectSound()
  }

  /// Ten long texts of one word each are found by the first letter of each, and by no other.
  @Test func firstLetters() throws {
    let table = try RowTable<PrefixRow>(
      ["bbb", "ddd", "fff", "hhh", "jjj", "lll", "nnn", "ppp", "rrr", "ttt"].map {
        [String(repeating: $0 + " ", count: 30)]
      })
    for (place, letter) in "abcdefghijklmnopqrstu".enumerated() {
      let rows = place.isMultiple(of: 2) ? [] : [place / 2 + 1]
      #expect(try table.numbers("\(letter)*") == rows)
    }
  }

  @Test func columnsOfManyRows() throws {
    let table = try RowTable<PrefixRow>((0..<256).map { _ in ["xa xb xa xb", "xb xa xb xa"] })
    #expect(try table.numbers("x*").count == 256)
    for (text, count) in [("ya yb", 0), ("xa", 256)] {
      try table.write { context in
        for row in try PrefixRow.all(in: context) { row.b = text }
      }
      #expect(try table.numbers("a:x*").count == 256)
      #expect(try table.numbers("b:x*").count == count)
    }
    try table.expectSound()
  }

  @Test(arguments: [122, 123, 124]) func aRowIsReplaced(number: Int) throws {
    let table = try RowTable<PrefixRow>(numbered: [(123, ["wwww"])])
    try table.write { context in
      context.delete(try RowTable<PrefixRow>.row(123, in: context))
      #expect(try PrefixRow.search("wwww*").count(in: context) == 0)
      try RowTable<PrefixRow>.insert(number, ["wwww"], in: context)
      #expect(try PrefixRow.search("wwww*").count(in: context) == 1)
    }
    #expect(try table.numbers("wwww*") == [number])
    try table.expectSound()
  }

  @Test func manyRowsAndOneMore() throws {
    let rows = (1...55).map { ($0, ["ab"]) } + [(0, ["abc"])]
    let table = try RowTable<WordRow>(numbered: rows)
    #expect(try table.numbers("a*").count == 56)
    #expect(try table.numbers("ab").count == 55)
  }
}

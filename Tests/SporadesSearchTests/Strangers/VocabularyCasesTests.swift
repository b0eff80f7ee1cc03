// SPDX-License-Identifier: MIT
import Sporades
import Testing

@testable import SporadesSearch

/// The words of an index, as the tests of SQLite's module `fts5vocab` (vocab, vocab2) know them.
@Suite struct VocabularyCasesTests {
  /// The words of rows that begin with a text, those in most rows first, read without an index.
  private static func words(_ beginning: String, of rows: [[String]]) -> [String] {
    var counts: [String: Int] = [:]
    for row in rows {
      for word in Set(row.flatMap { $0.lowercased().split(separator: " ") })
      where word.hasPrefix(beginning) {
        counts[String(word), default: 0] += 1
      }
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  @Test func wordsOfTwoColumns() throws {
    let table = try RowTable<WordRow>(SQLiteRows.vocabulary)
    var count = 0
    for letter in "abcdefghij" {
      for length in 1...4 {
        let beginning = String(repeating: letter, count: length)
        let words = Self.words(beginning, of: SQLiteRows.vocabulary)
        #expect(try table.suggestions(beginning) == words)
        #expect(try table.suggestions(beginning, limit: 1) == Array(words.prefix(1)))
        count += length == 1 ? words.count : 0
      }
    }
    #expect(count == 30)
  }

  /// The rows with each word. SQLite counts 10 rows for `a` and `f`, 9 for `b`, `c` and `d`, 8 for `e`, 7 for `g` and one
  /// for the others.
  @Test func rowsOfEachWord() throws {
    let table = try RowTable<WordRow>([
      ["d g b f d f", "f c e c d a"], ["f a e a a b", "e d c f d d"],
      ["b c a a a b", "f f c c b c"],
      ["f d c a c e", "d g d e g d"], ["g d e f a g x", "f f d a a b"],
      ["g c f b c g", "a g f d c b"], ["c e c f g b", "f e d b g a"],
      ["g d e f d e", "a c d b a g"],
      ["e f a c c b", "b f e a f d y"], ["c c a a c f", "d g a e b g"],
    ])
    for (word, rows, left, right) in [
      ("a", 10, 6, 7), ("b", 9, 6, 7), ("c", 9, 6, 5), ("d", 9, 4, 9), ("e", 8, 6, 6),
      ("f", 10, 9, 7), ("g", 7, 5, 5), ("x", 1, 1, 0), ("y", 1, 0, 1),
    ] {
      #expect(try table.numbers(word).count == rows, "\(word)")
      #expect(try table.numbers("a:" + word).count == left, "\(word)")
      #expect(try table.numbers("b:" + word).count == right, "\(word)")
      #expect(try table.suggestions(word) == [word])
    }
    #expect(try table.suggestions("h") == [])
  }

  @Test func wordsComeAndGo() throws {
    let table = try RowTable<WordRow>([["x y z"], ["x x x"], ["def ABC ghi"], ["DEF abc GHI"]])
    #expect(try table.suggestions("a") == ["abc"])
    #expect(try table.suggestions("D") == ["def"])
    try table.insert([(5, ["alpha beta gamma"]), (6, ["0zero"])])
    #expect(try table.suggestions("a") == ["abc", "alpha"])
    #expect(try table.suggestions("0") == ["0zero"])
    #expect(try table.suggestions("z") == ["z"])
    try table.write { context in
      for number in [1, 3, 4] { context.delete(try RowTable<WordRow>.row(number, in: context)) }
    }
    #expect(try table.suggestions("a") == ["alpha"])
    #expect(try table.suggestions("z") == [] && table.suggestions("x") == ["x"])
    #expect(try table.suggestions("x", limit: 0) == [] && table.suggestions("...") == [])
  }

  /// Words after other words: each part of a search over two columns is a search over one.
  @Test(arguments: [
    ("aa", "bb"), ("aa OR bb OR cc", "jj OR ii OR hh"), ("kk", "aa OR bb OR cc OR dd OR ee"),
    ("aa AND bb", "cc"),
  ]) func conditionsAndColumnsAgree(left: String, right: String) throws {
    let table = try RowTable<WordRow>(SQLiteRows.pairs)
    let (first, second) = (Search(left), Search(right))
    let columns = try table.numbers(
      WordRow.where(\.a ~= .search(first)).where(\.b ~= .search(second)))
    #expect(try table.numbers("a:(\(left)) AND b:(\(right))") == columns)
    let rows = try table.numbers(WordRow.search(first).search(second))
    #expect(try table.numbers("(\(left)) AND (\(right))") == rows)
    #expect(Set(columns).isSubset(of: rows) && !rows.isEmpty)
  }
}

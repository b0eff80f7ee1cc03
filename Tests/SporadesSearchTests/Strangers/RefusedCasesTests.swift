// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesSearch

/// Texts that SQLite refuses with a syntax error, from its tests ea, eb, ab, aa, first, simple, misc, multi, fuzz1 and expr.
/// Here each has a meaning.
@Suite struct RefusedCasesTests {
  @Test(arguments: [
    ("AND", ""), ("abc def AND", "abc def"), ("abc OR AND", "abc"),
    ("(a OR b) abc", "(a OR b) abc"),
    ("NEaR (a b)", "near a b"), ("NEa (a b)", "nea a b"), ("(a OR b) NOT c)", "(a OR b) NOT c"),
    ("nosuch: a nosuch2: b", "nosuch a nosuch2 b"), ("addr: a nosuch2: b", "addr:a nosuch2 b"),
    ("NOT", ""), ("a AND \"abc", "a abc"), ("NEAR(a b, xyz)", "NEAR(a b xyz, 10)"),
    ("NEAR(a b, // )", "NEAR(a b, 10)"), ("NEAR(a b, \"xyz\" )", "NEAR(a b xyz, 10)"),
    ("", ""), ("AND AND", ""), ("*stuff", "stuff"), ("* reads ", "reads"), ("*", ""),
    ("*id", "id"), ("(NOT", ""), ("(8 AND 9)`AND 10", "8 9 and 10"), ("d\u{1B}", "d"),
    ("d\u{19}", "d"), ("abc + ^def", "\"abc def\""), ("abc ^+ def", "abc def"),
    ("NEAR(^abc def)", "NEAR(abc def, 10)"), ("NEAR(a b, 5", "NEAR(a b, 5)"),
    ("nosuch : a", "nosuch a"), ("a AND", "a"), ("{name addr} a", "name addr a"),
    ("{name} : ", "name"), ("a NOT", "a"), ("^", ""), ("a + ", "a"), ("/", ""), ("@", ""),
  ]) func refusedTextsAreUnderstood(typed: String, understood: String) {
    let query = Search.parse(typed, columns: ["name", "addr"])
    #expect(query.description == understood)
    #expect(Search.parse(understood, columns: ["name", "addr"]) == query)
  }

  @Test func refusedTextsFindTheirWords() throws {
    let table = try RowTable<WordRow>([["one two", "three"], ["stuff and near"], ["xyz", "a b"]])
    try table.expect([
      ("", []), ("AND AND", []), ("*stuff", [2]), ("* one ", [1]), ("(NOT", []),
      ("one OR AND", [1]),
      ("one AND \"two", [1]), ("NEaR (and stuff)", [2]), ("nosuch: one", []),
      ("NEAR(a b, xyz)", []), ("NEAR(a b, // )", [3]), ("(one OR xyz) two)", [1]),
      ("three`", [1]), ("one + ^two", [1]), ("NEAR(^two one)", [1]), ("d:", []),
    ])
  }

  /// The first 255 characters, each alone.
  @Test func eachCharacterIsASearch() throws {
    let table = try RowTable<WordRow>([["a b c 1 2 \u{FF} \u{AA}"]])
    var found = 0
    for value in UInt8.min..<255 {
      let typed = String(Unicode.Scalar(value))
      let query = Search.parse(typed, columns: ["a", "b", "c", "d"])
      #expect(Search.parse(query.description, columns: query.columns) == query)
      found += try table.numbers(typed).count
    }
    // Letters in both cases and with marks, and digits.
    #expect(found == 27)
  }

  /// SQLite refuses more than 256 exclusions.
  @Test func manyExclusions() throws {
    let table = try RowTable<WordRow>(numbered: [(113, ["fts5 expr test"])])
    for count in stride(from: 0, through: 300, by: 20) + [255, 256, 257] {
      let typed = "expr " + String(repeating: "NOT abcd ", count: count)
      #expect(try table.numbers(typed) == [113], "\(count)")
    }
    #expect(try table.numbers("expr " + String(repeating: "NOT test ", count: 299)) == [])
  }

  @Test(arguments: ["AND", "OR", "NOT"], [200, 260]) func manyTerms(word: String, count: Int) throws
  {
    let table = try RowTable<WordRow>([["abc"], ["def"]])
    let typed = Array(repeating: "abc", count: count).joined(separator: " \(word) ")
    #expect(try table.numbers(typed) == (word == "NOT" ? [] : [1]))
  }

  /// SQLite's parser has no room for 200 parentheses.
  @Test func deepParentheses() throws {
    let words = (0...200).map { "c\($0)" }
    let table = try RowTable<WordRow>([[words.joined(separator: " ")], ["c0 c1"]])
    let typed =
      words.dropLast().map { "\($0) AND (" }.joined() + "c200" + String(repeating: ")", count: 200)
    #expect(Search.parse(typed).description == words.joined(separator: " "))
    #expect(try table.numbers(typed) == [1])
    #expect(try table.numbers(String(typed.dropLast(150))) == [1])
  }
}

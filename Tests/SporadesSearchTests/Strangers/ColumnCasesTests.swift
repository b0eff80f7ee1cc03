// SPDX-License-Identifier: MIT
import Sporades
import Testing

@testable import SporadesSearch

/// Columns, as the tests of SQLite's full-text search (colset, multi, detail, prefix, matchinfo, ac) know them.
@Suite struct ColumnCasesTests {
  private static func rotated() throws -> RowTable<WordRow> {
    try RowTable([
      ["a", "b", "c", "d"], ["d", "a", "b", "c"], ["c", "d", "a", "b"], ["b", "c", "d", "a"],
    ])
  }

  @Test func setsOfColumns() throws {
    try Self.rotated().expect([
      ("a", [1, 2, 3, 4]), ("{a}   : a", [1]), ("-{a}   : a", [2, 3, 4]), ("-{a c} : a", [2, 4]),
      ("-{d d c} : a", [1, 2]), ("-{d c b a} : a", []), ("-{a} : b", [1, 2, 3]),
      ("-c:a", [1, 2, 4]), ("-c: a", [1, 2, 4]),
      ("{a b c} : (a AND d)", [2, 3]), ("{a b c} : (a AND b:d)", [3]),
      ("{a b c} : (a AND d:d)", []),
      ("{b} : ( {b a} : ( {c b a} : ( {d b c a} : ( d OR c ) ) ) )", [3, 4]),
      ("{a} : ( {b a} : ( {c b a} : ( {d b c a} : ( d OR c ) ) ) )", [2, 3]),
      ("{a} : ( {b a} : ( {c b} : ( {d b c a} : ( d OR c ) ) ) )", []),
      ("{a b c} : (b:a AND c:b)", [2]), ("{a b}:a", [1, 2]), ("{b a}:a", [1, 2]),
      ("{b b}:a", [2]),
    ])
  }

  /// SQLite knows a column before spaces and in quotes. People type a dash or a colon between spaces as a sign of the text, so
  /// that this library takes only `c:a` and `{c} : a`.
  @Test(arguments: [
    ("c : a", "c a"), ("- c : a", "c a"), ("-c : a", "a NOT c"), ("-\"c\" : a", "a NOT c"),
    ("- {a c} : a", "{a c}:a"), ("-{\"a\"} : b", "a b"), ("\"c\":a", "c a"),
    ("{\"a\" \"b\"}:a", "a b a"),
  ]) func columnsThatAreWords(typed: String, understood: String) {
    #expect(Search.parse(typed, columns: ["a", "b", "c", "d"]).description == understood)
  }

  /// A condition on one text knows this text only. The names of others are words there, where SQLite finds nothing in them.
  @Test func conditionsOnOneText() throws {
    let table = try Self.rotated()
    func found(_ condition: TypedPredicate<WordRow>) throws -> [Int] {
      try table.numbers(WordRow.where(condition))
    }
    #expect(try found(\.a ~= .search("a")) == [1])
    #expect(try found(\.b ~= .search("a")) == [2])
    #expect(try found(\.b ~= .search("b:a")) == [2])
    #expect(try found(\.b ~= .search("{b} : a")) == [2])
    #expect(try found(\.b ~= .search("a OR b")) == [1, 2])
    #expect(try found(\.b ~= .search("a OR a:b")) == [2])
    #expect(try found(\.b ~= .search("a OR b:b")) == [1, 2])
    #expect(try found(\.b ~= .search("{a b c} : a")) == [])
    #expect(try found(.init(.search("a", in: ["a", "b"]))) == [1, 2])
    #expect(try found(.init(.search("{a b} : a", in: ["a", "b", "c"]))) == [1, 2])
  }

  @Test(arguments: ["{a b} : (abcd AND cdef)", "-{c d} : (abcd AND cdef)"])
  func columnsGoToEachPhrase(typed: String) {
    let query = Search.parse(typed, columns: ["a", "b", "c", "d"])
    #expect(query.fts5 == "{c0 c1} : \"abcd\" AND {c0 c1} : \"cdef\"")
  }

  @Test func columnsWithoutWords() throws {
    let table = try RowTable<WordRow>([["x"], ["x b z"]])
    try table.expect([
      ("z", [2]), ("b OR -{a} : x", [2]), ("z NOT (b OR a:x)", []), ("z NOT b", []),
      ("z NOT (b OR -{a} : q)", []), ("z NOT (b OR -{a} : x)", []), ("x AND (-{a} : x)", []),
    ])
    try RowTable<WordRow>([["1 2 3", "a b c"]]).expect([("a:a", []), ("b:a", [1]), ("a:1", [1])])
    try RowTable<WordRow>([["x x x", "x x x"]]).expect([("b:x", [1])])
    try RowTable<WordRow>([
      ["bac aab bab", "c bac c", "acb aba abb"], ["bab abc c", "acb c abb", "c aaa c"],
    ])
    .expect([("c: c*", [2]), ("b: acb", [2])])
  }

  /// One word in each column, whole and as a beginning.
  @Test func lettersOfThreeColumns() throws {
    let table = try RowTable<WordRow>([
      ["h d g", "j b b g b", "i e i d h g g"], ["h j d", "j h d a h", "f d d g g f b"],
      ["j c i", "f f h e f", "c j i j c h f"], ["e g g", "g e d h i", "e d b e g d c"],
      ["b c c", "d i h a f", "d i j f a b c"], ["e d e", "b c j g d", "a i f d h b d"],
      ["g h e", "b c d i d", "e f c i f i c"], ["c f j", "j j i e a", "h a c f d h e"],
      ["a h i", "c i a f a", "c f d h g d g"], ["j g g", "e f e f f", "h j b i c g e"],
    ])
    try table.expect([
      ("a:a", [9]), ("a:a*", [9]), ("b:g", [1, 4, 6]), ("b:g*", [1, 4, 6]),
      ("c:h", [1, 3, 6, 8, 9, 10]), ("c:h*", [1, 3, 6, 8, 9, 10]),
    ])
  }

  @Test func beginningsInColumns() throws {
    let table = try RowTable<WordRow>([
      ["acb ccc bba", "cca bba bca", "bbc ccc bca"], ["cbb cac cab", "abb aac bba", "aab ccc cac"],
      ["aac bcb aac", "acb bcb caa", "aca bab bca"], ["aab ccb ccc", "aca cba cca", "aca aac cbb"],
      ["bac aab bab", "ccb bac cba", "acb aba abb"], ["bab abc ccb", "acb cba abb", "cbb aaa cab"],
      ["cbb bbc baa", "aab aca baa", "bcc cca aca"], ["abc bba abb", "cac abc cba", "acc aac cac"],
      ["bbc bbc cab", "bcb ccb cba", "bcc cac acb"],
    ])
    try table.expect([
      ("a:c*", [1, 2, 4, 6, 7, 9]), ("b:c*", [1, 3, 4, 5, 6, 8, 9]),
      ("c:c*", [1, 2, 4, 6, 7, 8, 9]), ("a:b*", [1, 3, 5, 6, 7, 8, 9]),
      ("b:b*", [1, 2, 3, 5, 7, 9]), ("c:b*", [1, 3, 7, 9]), ("a:a*", [1, 3, 4, 5, 6, 8]),
      ("b:a*", [2, 3, 4, 6, 7, 8]), ("c:a*", [2, 3, 4, 5, 6, 7, 8, 9]),
    ])
  }

  private static let tables = [
    ["c d a c d d", "e a g b d a"], ["c c g a e b", "c g d g e c"], ["b e f d e g", "b a c b c g"],
    ["a c f f g d", "d b f d e g"], ["g a c f c f", "d g g b c c"], ["g a c e b b", "d b f b g g"],
    ["f d a a f c", "e e a d c f"], ["a c b b g f", "a b a e d f"], ["b a f e c c", "f d b b a b"],
    ["f d c e a c", "f a f a a f"],
  ]

  @Test func rowsWithALetterInAColumn() throws {
    try RowTable<WordRow>(Self.tables).expect([
      ("a", Array(1...10)), ("b", [1, 2, 3, 4, 5, 6, 8, 9]), ("b:a", [1, 3, 7, 8, 9, 10]),
      ("a:a", [1, 2, 4, 5, 6, 7, 8, 9, 10]), ("a OR b", Array(1...10)),
      ("a AND b", [1, 2, 3, 4, 5, 6, 8, 9]), ("a OR (a AND b)", Array(1...10)),
    ])
  }

  /// How often each phrase of a search is in each column of a row, row by row. A phrase of a term that does not match has no
  /// places.
  @Test(arguments: [
    ("a", "12 10 01 10 10 10 21 12 11 13"), ("b", "01 10 12 01 01 22 00 21 13 00"),
    ("b:a", "02 00 01 00 00 00 01 02 01 03"), ("a:a", "10 10 00 10 10 10 20 10 10 10"),
    ("a OR b", "1201 1010 0112 1001 1001 1022 2100 1221 1113 1300"),
    ("a AND b", "1201 1010 0112 1001 1001 1022 0000 1221 1113 0000"),
    (
      "a OR (a AND b)",
      "121201 101010 010112 101001 101001 101022 210000 121221 111113 130000"
    ),
  ]) func placesInColumns(typed: String, counts: String) {
    let query = Search.parse(typed, columns: ["a", "b"])
    let found = Self.tables.map { texts in
      let places = query.occurrences(
        in: SearchDocument([("a", texts[0]), ("b", texts[1])], form: .words))
      return query.phraseExpressions.indices.map { phrase in
        (0..<2).map { column in
          "\(places.filter { $0.phrase == phrase && $0.column == column }.count)"
        }.joined()
      }.joined()
    }
    #expect(found.joined(separator: " ") == counts)
  }
}

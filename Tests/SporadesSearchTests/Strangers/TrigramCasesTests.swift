// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesSearch

/// Parts of words, as the tests of SQLite's tokenizer `trigram` (trigram, trigram2, near, misc) know them.
@Suite struct TrigramCasesTests {
  private static let (latin, thai) = ("abcdefghijklm", "กรุงเทพมหานคร")

  @Test(arguments: [
    ("abc", "[abc]defghijklm"), ("defgh", "abc[defgh]ijklm"), ("abcdefghijklm", "[abcdefghijklm]"),
    ("กรุ", "[กรุ]งเทพมหานคร"), ("งเทพมห", "กรุ[งเทพมห]านคร"), ("กรุงเทพมหานคร", "[กรุงเทพมหานคร]"),
    ("Abc", "[abc]defghijklm"), ("deFgh", "abc[defgh]ijklm"), ("aBcdefGhijKlm", "[abcdefghijklm]"),
    // SQLite finds nothing shorter than three characters.
    ("f", "abcde[f]ghijklm"), ("งเ", "กรุ[งเ]ทพมหานคร"), ("lm", "abcdefghijk[lm]"),
    ("m", "abcdefghijkl[m]"),
  ]) func partsAreMarked(typed: String, marked: String) throws {
    #expect(try RowTable<PartRow>([[Self.latin], [Self.thai]]).marked(typed) == [marked])
  }

  /// The patterns of SQLite's LIKE in the words of this library.
  @Test func patternsAreSearches() throws {
    try RowTable<PartRow>([[Self.latin], [Self.thai]]).expect([
      ("cDef", [1]), ("^cDef", []), ("f", [1]), ("^abc klm", [1]), ("^ABCDEFG", [1]),
      ("รุงเ", [2]), ("งเ", [2]), ("NEAR(f h, 0)", []), ("NEAR(f h, 1)", [1]), ("f g", [1]),
      ("xyz", []), ("klmn", []), ("mkl", []),
    ])
    try RowTable<PartRow>(numbered: [
      (10, ["giraffe.png"]), (20, ["жираф.png"]), (30, ["cat.png"]), (40, ["кот.png"]),
      (50, ["misic-ðµ-.mp3"]),
    ]).expect([
      ("ир", [20]), ("ИРАФ", [20]), ("png", [10, 20, 30, 40]), ("от.p", [40]), ("ðµ", [50]),
      ("ð", [50]), ("mp3", [50]), ("at", [30]),
    ])
    try RowTable<PartRow>([["ABCD"], ["DEFG"]]).expect([("abc", [1]), ("d", [1, 2])])
    try RowTable<PartRow>([["assertionfaultproblem"]]).expect([
      ("f", [1]), ("faul", [1]), ("0", []),
    ])
    try RowTable<PartRow>([["thats a tricky case though"], ["the query planner cannot do"]])
      .expect([("tricky", [1]), ("tricky case", [1]), ("rick as", [1]), ("lann", [2])])
  }

  @Test(arguments: [
    ("abc ghi", "[abc]def[ghi]jklm"), ("def ghi", "abc[defghi]jklm"),
    ("efg ghi", "abcd[efghi]jklm"),
    ("efghi", "abcd[efghi]jklm"), ("abcd jklm", "[abcd]efghi[jklm]"),
    ("ijkl jklm", "abcdefgh[ijklm]"), ("ijk ijkl hijk", "abcdefg[hijkl]m"),
  ]) func severalParts(typed: String, marked: String) throws {
    #expect(try RowTable<PartRow>([[Self.latin]]).marked(typed) == [marked])
  }

  @Test func partsInSeveralWords() throws {
    let table = try RowTable<PartRow>([["abc x cde"], ["abc cde"], ["abcde"]])
    #expect(try table.marked("abc AND cde") == ["[abc] x [cde]", "[abc] [cde]", "[abcde]"])
    // A phrase has a space between its words, whichever signs the text has there.
    #expect(try table.marked("\"abc cde\"") == ["[abc cde]"])
    #expect(try table.marked("\"bc cd\"") == ["a[bc cd]e"])
  }

  @Test(arguments: [
    ("abc", "[abc\u{303}]defghijklm", "[a\u{303}b\u{303}c\u{303}]defghijklm"),
    ("bcde", "a[bc\u{303}de]fghijklm", "a\u{303}[b\u{303}c\u{303}de]fghijklm"),
    ("cdef", "ab[c\u{303}def]ghijklm", "a\u{303}b\u{303}[c\u{303}def]ghijklm"),
    ("def", "abc\u{303}[def]ghijklm", "a\u{303}b\u{303}c\u{303}[def]ghijklm"),
  ]) func marksBelongToLetters(typed: String, first: String, second: String) throws {
    let table = try RowTable<PartRow>([
      ["abc\u{303}defghijklm"], ["a\u{303}b\u{303}c\u{303}defghijklm"],
    ])
    #expect(try table.marked(typed) == [first, second])
  }

  @Test(arguments: [
    ("abc", "[\u{E3}bc]def"), ("bac", "[b\u{E3}c]def"), ("bca", "[bc\u{E3}]def"),
    ("\u{E3}bc", "[\u{E3}bc]def"), ("bcda", "[bcd\u{E3}]ef"),
  ]) func lettersWithMarks(typed: String, marked: String) throws {
    let table = try RowTable<PartRow>([
      ["\u{E3}bcdef"], ["b\u{E3}cdef"], ["bc\u{E3}def"], ["bcd\u{E3}ef"],
    ])
    #expect(try table.marked(typed) == [marked])
  }

  @Test func aMarkBeforeAllLetters() throws {
    let table = try RowTable<PartRow>([["\u{303}abc\u{303}"], ["\0\u{B}\u{1}"]])
    #expect(
      try table.marked("abc").map { Array($0.unicodeScalars) }
        == [Array("\u{303}[abc\u{303}]".unicodeScalars)])
    try table.expectSound()
  }
}

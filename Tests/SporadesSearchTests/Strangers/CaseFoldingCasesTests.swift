// SPDX-License-Identifier: MIT
import Sporades
import Testing

@testable import SporadesSearch

/// Words without case and marks, as the tests of SQLite's tokenizers (unicode, unicode2, unicode4, umlaut, tokenizer, tok1, cat)
/// know them.
@Suite struct CaseFoldingCasesTests {
  @Test(arguments: [
    ("A B C D", "a b c d"), ("May you share freely,", "may you share freely"),
    ("..May...you.shAre.freely", "may you share freely"), ("", ""), ("a B c D", "a b c d"),
    ("\u{C4} \u{D6} \u{DC}", "a o u"), ("x\u{C4}x x\u{D6}x x\u{DC}x", "xax xox xux"),
    ("\u{DF}", "\u{DF}"), ("\u{1E9E}", "\u{DF}"), ("The quick brown fox", "the quick brown fox"),
    ("The\u{BF}quick\u{224E}brown\u{2263}fox", "the quick brown fox"), ("xx\u{301}xx", "xxxx"),
    ("\u{C1}abc\u{C2} \u{D1}def\u{C3}", "aabca ndefa"),
    ("\u{A2}abc\u{A3} \u{A4}def\u{A5}", "abc def"),
    ("sqlite3_reset sqlite3_column_int", "sqlite3 reset sqlite3 column int"),
    ("hello\u{301}world \u{301}helloworld", "helloworld helloworld"),
    ("one two three", "one two three"), ("OnE tWo tHrEe", "one two three"), ("1x2x3x", "1x2x3x"),
    ("1'2x3x", "1 2x3x"), ("abc.def:ghi,jkl", "abc def ghi jkl"),
    ("Unlike1option2values3and4column5names", "unlike1option2values3and4column5names"),
    ("\u{1F75E}\u{1F5FD}\u{2F802}\u{2F808}", "\u{4E41}\u{507A}"), ("abc\u{FFFE}def", "abc def"),
    ("\u{FFFE}def", "def"),
    ("\u{1C5}", "\u{1C6}"),
  ]) func textsBecomeWords(text: String, words: String) {
    #expect(
      Array(SearchTokens.folded(text, .words).unicodeScalars) == Array(words.unicodeScalars))
  }

  /// Marks with a place of their own stay within their word, where older SQLites cut words apart.
  @Test func thaiWordsStayWhole() throws {
    let word = "สนามกีฬา"
    #expect(SearchTokens.tokens(of: word, form: .words).count == 1)
    try RowTable<WordRow>([[word]]).expect([(word, [1]), ("สนาม*", [1]), ("ฬา", [])])
    try RowTable<PartRow>([[word]]).expect([("ฬา", [1]), ("สนาม", [1])])
  }

  /// SQLite's other option leaves a letter with two marks as it is.
  @Test(arguments: [
    "Hà Nội", "Hà Noi", "Ha Noi", "Ha N\u{1ED9}i", "Ha N\u{6F}i", "Ha N\u{6F}\u{302}i",
    "Ha N\u{6F}\u{323}\u{302}i",
  ]) func lettersWithTwoMarks(text: String) throws {
    #expect(try RowTable<WordRow>([["Ha Noi"]]).numbers(text) == [1])
    #expect(try RowTable<WordRow>([[text]]).numbers("Ha Noi") == [1])
  }

  @Test func capitalsAndMarks() throws {
    let table = try RowTable<WordRow>(
      ["o", "a", "O", "A", "\u{D6}", "\u{C4}", "\u{F6}", "\u{E4}"].map { [$0] })
    try table.expect([
      ("o", [1, 3, 5, 7]), ("a", [2, 4, 6, 8]), ("\u{D6}", [1, 3, 5, 7]),
      ("A\u{308}", [2, 4, 6, 8]),
    ])
    try RowTable<WordRow>([["\u{C0}\u{C8}\u{CC}"]]).expect([
      ("\u{E0}\u{E8}\u{EC}", [1]), ("aei", [1]),
    ])
  }

  private static let spaces: [[UInt32]] =
    ([32, 160, 5760, 6158, 8239, 8287, 12288] + Array(8192...8202)).map { [$0] } + [
      [32, 160, 5760, 6158], [8192, 8193, 8194, 8195], [8196, 8197, 8198, 8199],
      [8200, 8201, 8202, 8239], [8287, 12288],
    ]

  @Test(arguments: spaces) func spacesAreBetweenWords(numbers: [UInt32]) throws {
    let space = String(String.UnicodeScalarView(numbers.compactMap(Unicode.Scalar.init)))
    #expect(space.unicodeScalars.count == numbers.count)
    #expect(
      SearchTokens.folded("\(space)hello\(space)world\(space)", .words) == "hello world")
  }

  @Test(arguments: ["\u{E000}", "\u{E001}", "\u{F000}", "\u{F8FE}", "\u{F8FF}"])
  func privateScalarsAreLetters(scalar: String) {
    let words = SearchTokens.tokens(of: "hello\(scalar)world", form: .words)
    #expect(words.map(\.text) == ["hello\(scalar)world"])
  }

  /// Words of any length are found whole, each among others of its letters.
  @Test func longWords() throws {
    let (a, b, c) = (
      String(repeating: "a", count: 100), String(repeating: "b", count: 500),
      String(repeating: "c", count: 1_000)
    )
    let table = try RowTable<WordRow>([[a + " " + b], [b + " " + c], [c + " " + a]])
    try table.expect([(a, [1, 3]), (b, [1, 2]), (c, [2, 3]), (b + " " + c, [2])])
    let huge = "a b " + String(repeating: "x", count: 100_000)
    let twice = try RowTable<WordRow>([[huge], [huge]])
    try twice.expect([(huge, [1, 2])])
    try twice.write { context in context.delete(try RowTable<WordRow>.row(1, in: context)) }
    try twice.expect([(huge, [2])])
    try twice.expectSound()
  }
}

// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesSearch

/// The words that a search marks in texts, as the tests of SQLite's full-text search (ak, aux, prefix2, rank, phrase, content,
/// ae) know them.
@Suite struct MarkCasesTests {
  private static func letters() throws -> RowTable<WordRow> {
    try RowTable(
      [
        "i d d a g i b g d d", "h d b j c c g a c a", "e j a e f h b f h h", "j f h d g h i b d f",
        "d c j d c j b c g e", "i a d e g j g d a a", "j f c e d a h j d b", "i c c f a d g h j e",
        "i d i g c d c h b f", "g d a e h a b c f j",
      ].map { [$0] })
  }

  @Test func wordsAndPhrases() throws {
    let table = try Self.letters()
    let e = [
      "[e] j a [e] f h b f h h", "d c j d c j b c g [e]", "i a d [e] g j g d a a",
      "j f c [e] d a h j d b", "i c c f a d g h j [e]", "g d a [e] h a b c f j",
    ]
    #expect(try table.marked("e") == e)
    #expect(try table.marked("e e e") == e)
    #expect(
      try table.marked("h + d") == ["[h d] b j c c g a c a", "j f [h d] g h i b d f"])
    #expect(try table.marked("d + d") == ["i [d d] a g i b g [d d]"])
    #expect(try table.marked("d + d d + d") == ["i [d d] a g i b g [d d]"])
  }

  /// Phrases that overlap have one mark, and neighbours have two.
  @Test func phrasesThatOverlap() throws {
    let table = try RowTable<WordRow>([["a b c d e f g h i j"]])
    for (typed, marked) in [
      ("b+c+d c+d+e", "a [b c d e] f g h i j"), ("b+c+d e+f+g", "a [b c d] [e f g] h i j"),
      ("b+c+d c", "a [b c d] e f g h i j"), ("b+c c+d+e", "a [b c d e] f g h i j"),
      ("f d", "a b c [d] e [f] g h i j"), ("d f", "a b c [d] e [f] g h i j"),
      ("b c", "a [b] [c] d e f g h i j"), ("\"b c\" OR \"b c d\"", "a [b c d] e f g h i j"),
    ] {
      #expect(try table.marked(typed) == [marked], "\(typed)")
    }
    let manual = try RowTable<WordRow>([["a b c x c d e"], ["a b c c d e"], ["a b c d e"]])
    #expect(
      try manual.marked("a+b+c AND c+d+e")
        == ["[a b c] x [c d e]", "[a b c] [c d e]", "[a b c d e]"])
  }

  @Test func beginningsOfWords() throws {
    let texts = [
      "May you do good and not evil.",
      "May you find forgiveness for yourself and forgive others.",
      "May you share freely, never taking more than you give f.",
    ]
    let marked = [
      "May you [find] [forgiveness] [for] yourself and [forgive] others.",
      "May you share [freely], never taking more than you give [f].",
    ]
    #expect(try RowTable<WordRow>(texts.map { [$0] }).marked("f*") == marked)
    #expect(try RowTable<PrefixRow>(texts.map { [$0] }).marked("f*") == marked)
  }

  @Test func columnsOfAPhrase() throws {
    let table = try RowTable<WordRow>(SQLiteRows.phrases)
    #expect(try table.marked("a:f+f", in: 0) == ["h [f f]", "[f f] c"])
    #expect(try table.marked("a:f+f", in: 1) == ["i j g e c", "f f b i i"])
    #expect(try table.marked("a:f+f", in: 2) == ["j j f c a i j", "f f a j e c i"])
    let spelled = try RowTable<WordRow>([["one", "o n e x y z"], ["three", "t h r e e x y z"]])
    #expect(try spelled.marked("t AND x", in: 1) == ["[t] h r e e [x] y z"])
    #expect(try spelled.marked("t AND x", in: 0) == ["three"])
  }

  /// A text of a thousand words has as many marks.
  @Test func manyMarks() throws {
    let text = Array(repeating: "x y", count: 500).joined(separator: " ")
    let table = try RowTable<WordRow>([[text]])
    #expect(try table.marked("x") == [text.replacing("x", with: "[x]")])
    let both = text.replacing("x", with: "[x]").replacing("y", with: "[y]")
    #expect(try table.marked("x AND y") == [both])
    #expect(try table.marked("\"x y\"") == [text.replacing("x y", with: "[x y]")])
  }

  /// SQLite marks no phrase of a term that does not match the row. This library marks each wanted phrase in a text, because
  /// the other texts of the row may have what this one lacks.
  @Test(arguments: [
    (["a a a", "b", "a d"], ["[a] [a] [a]", "[a] [d]"]), (["b d", "a b"], ["[b] [d]", "[a] [b]"]),
    (["d b", "a d"], ["[d] [b]", "[a] [d]"]), (["a a d"], ["[a] [a] [d]"]),
  ]) func termsThatDoNotMatch(rows: [String], marked: [String]) throws {
    #expect(try RowTable<WordRow>(rows.map { [$0] }).marked("a OR (b AND d)") == marked)
  }

  /// The places of a search in a whole row are those of SQLite.
  @Test(arguments: [
    ("a OR (b AND d)", "a a d", "", "0.0.0 0.0.1"), ("a OR (b AND d)", "a b", "", "0.0.0"),
    ("a OR (b AND d)", "b d", "", "1.0.0 2.0.1"),
    ("m", "u t l w w m s", "m f m o l t k o p e", "0.0.5 0.1.0 0.1.2"),
    ("m", "f g q e l n d m z x q", "z s i i i m f w w f n g p", "0.0.7 0.1.5"),
    ("u OR q", "u t l w w m s", "m f m o l t k o p e", "0.0.0"),
    ("u OR q", "f g q e l n d m z x q", "z s i i i m f w w f n g p", "1.0.2 1.0.10"),
    ("y:o", "u t l w w m s", "m f m o l t k o p e", "0.1.3 0.1.7"),
    ("q", "q w e r t y", "", "0.0.0"), ("q", "y t r e w q", "", "0.0.5"),
    ("r+e OR w", "q w e r t y", "", "1.0.1"), ("r+e OR w", "y t r e w q", "", "0.0.2 1.0.4"),
    ("(a NOT b) OR c", "a b c d e f", "", "2.0.2"), ("a OR c", "a b c d e f", "", "0.0.0 1.0.2"),
    ("two", "one two", "two one zero", "0.0.1 0.1.0"),
  ]) func placesInRows(typed: String, x: String, y: String, places: String) {
    let query = Search.parse(typed, columns: ["x", "y"])
    let found = query.occurrences(in: SearchDocument([("x", x), ("y", y)], form: .words))
    #expect(
      found.map { "\($0.phrase).\($0.column).\($0.tokens.lowerBound)" }.joined(separator: " ")
        == places)
  }

  /// NEAR marks the words that are near each other.
  @Test func wordsNearEachOther() throws {
    let table = try RowTable<WordRow>(SQLiteRows.letters)
    #expect(
      try table.marked("b:NEAR(r c, 2)", in: 1) == [
        "y [r] [c] a q d z k n x n", "f j w g [c] s [r]", "q b q f u s k [c] k g [r]",
        "j t q [c] [r] b b g y z", "m v t u d k m k q b d [c] v z [r]", "z x y k f l [r] b q [c] v",
        "h n b i t g h a q b [c] o [r] u", "[r] k [c] h p c h b o s s u s p b",
        "[r] p [c] n [r] u k u",
      ])
    #expect(
      try table.marked("a:NEAR(a b c, 8)", in: 0) == [
        "d [a] q i z h [b] l [c] p k j g k", "o u [c] x l e [b] t [a]",
        "t x w [a] r l w d t [b] [c] o d o", "d [c] [c] x [b] [c] [a] x g",
      ])
  }
}

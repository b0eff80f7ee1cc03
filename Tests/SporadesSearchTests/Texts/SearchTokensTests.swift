// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSearchTesting
import SporadesTesting
import Testing

@testable import SporadesSearch

/// Texts become the same tokens for the reader in memory and for the tokenizer of SQLite.
@Suite struct SearchTokensTests {
  @Test(arguments: [
    ("", ""), ("  ,.! \0 😀", ""), ("Green HAM", "green ham"), ("e-mail 3.14", "e mail 3 14"),
    ("Éden ÉDEN e\u{301}den", "eden eden eden"), ("Straße", "straße"), ("don't", "don t"),
    ("日本語、です", "日本語 てす"), ("\u{301}", ""), ("a\u{301}\u{301}b", "ab"),
    ("\u{212A}elvin İ", "kelvin i"), ("x_y\tz\n", "x y z"), ("\u{E000}", "\u{E000}"),
    ("½ ² Ⅷ", "½ ² ⅷ"),
    ("👨‍👩‍👧", ""), ("a👍b", "a b"), ("ﬁ", "ﬁ"),
  ]) func wordsAreFolded(text: String, folded: String) {
    #expect(Array(SearchTokens.folded(text, .words).utf8) == Array(folded.utf8))
  }

  @Test(arguments: [
    ("abcd", "abc bcd cd d"), ("ab", "ab b"), ("a", "a"), ("", ""), ("Éa, b", "ea a b"),
    ("日本語文", "日本語 本語文 語文 文"), ("e-mail", "e mai ail il l"),
  ]) func partsOverlap(text: String, folded: String) {
    #expect(SearchTokens.folded(text, .parts) == folded)
  }

  @Test func hangulIsSplitIntoItsLetters() {
    let parts = SearchTokens.tokens(of: "한글", form: .parts)
    #expect(parts.map { $0.text.unicodeScalars.count } == [3, 3, 3, 3, 2, 1])
    #expect(SearchTokens.folded("한", .words).unicodeScalars.count == 3)
  }

  /// The scalars that may stand in tokens, and all of ASCII.
  private static let scalars = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init).filter {
    $0.isASCII || FoldedScalar.isWord($0)
  }

  @Test func eachScalarFoldsOnceAndToTokensOnly() {
    let wrong = Self.scalars.filter { scalar in
      let folded = SearchTokens.folded(String(scalar), .words)
      let isClean = folded.utf8.allSatisfy { byte in
        byte >= 0x80 || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
      }
      let again = SearchTokens.folded(folded, .words)
      let plain = TextFolding.fold(String(scalar), [.caseInsensitive, .diacriticInsensitive])
      return !isClean || FoldedScalar.isWord(scalar) && !plain.utf8.elementsEqual(folded.utf8)
        || !again.utf8.elementsEqual(folded.utf8)
    }
    #expect(wrong.isEmpty)
    #expect(Self.scalars.count > 200_000)
  }

  @Test(arguments: SearchForm.allCases) func sqliteFindsTheSameTokens(form: SearchForm) throws {
    let table = try FullTextTable(columns: 1)
    // Words of three scalars, with each scalar at each place of one of them.
    let texts = stride(from: 0, to: Self.scalars.count, by: 4_000).map { start in
      var text = String.UnicodeScalarView()
      for (place, scalar) in Self.scalars[start...].prefix(4_000).enumerated() {
        text.append(scalar)
        if place % 3 == 2 { text.append(" ") }
      }
      return String(text)
    }
    try table.insert(texts.map { [$0] }, form)
    let rows = try table.tokens()
    for (number, text) in texts.enumerated() {
      let tokens = SearchTokens.folded(text, form).utf8.split(separator: 0x20).map(Array.init)
      let found = rows[number]?.map { Array($0.utf8) }
      #expect(found == tokens, "row \(number)")
      #expect(SearchTokens.tokens(of: text, form: form).map { Array($0.text.utf8) } == tokens)
    }
  }

  @Test func foldingGoesScalarByScalar() {
    var generator = SeededGenerator(seed: 11)
    let marks: [Unicode.Scalar] = ["\u{301}", "\u{323}", "Σ", "ς", "İ", "각", "ᄀ", "ᅡ", "ǅ", "a"]
    for _ in 0..<2_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...9, using: &generator) {
        let isMark = Bool.random(using: &generator)
        text.append((isMark ? marks : Self.scalars).randomElement(using: &generator)!)
      }
      let typed = String(text)
      guard typed.unicodeScalars.allSatisfy(FoldedScalar.isWord) else { continue }
      let whole = TextFolding.fold(typed, [.caseInsensitive, .diacriticInsensitive])
      #expect(Array(SearchTokens.folded(typed, .words).utf8) == Array(whole.utf8), "\(typed)")
    }
  }

  @Test(arguments: SearchForm.allCases) func tokensKnowTheirPlaces(form: SearchForm) {
    var samples = SearchSamples(seed: 5, columns: ["title", "body"])
    for _ in 0..<500 {
      let text = samples.text() + "\u{301} E\u{301}\u{323}den"
      let tokens = SearchTokens.tokens(of: text, form: form)
      #expect(tokens.map(\.text).joined(separator: " ") == SearchTokens.folded(text, form))
      for (token, next) in zip(tokens, tokens.dropFirst()) {
        #expect(token.range.lowerBound <= next.range.lowerBound)
        if form == .words { #expect(token.range.upperBound < next.range.lowerBound) }
      }
      for token in tokens {
        let part = SearchTokens.words(of: text[token.range], form: form).joined()
        #expect(Array(part.utf8).contains(Array(token.text.utf8)), "\(part), \(token.text)")
      }
    }
  }

  @Test func placesCoverWholeScalarsAndTheirMarks() {
    let text = "Ça, e\u{301}\u{323}den"
    let words = SearchTokens.tokens(of: text, form: .words)
    #expect(words.map { String(text.unicodeScalars[$0.range]) } == ["Ça", "e\u{301}\u{323}den"])
    let parts = SearchTokens.tokens(of: "e\u{301}den", form: .parts)
    let places = parts.map { Array("e\u{301}den".unicodeScalars[$0.range]).count }
    #expect(places == [4, 3, 2, 1])
  }

  @Test func longWordsAreSeveralTokens() throws {
    let text = String(repeating: "é", count: 1_300) + " b"
    let words = SearchTokens.folded(text, .words).split(separator: " ")
    #expect(words.map(\.count) == [512, 512, 276, 1])
    #expect(SearchTokens.tokens(of: text, form: .words).map { Substring($0.text) } == words)
    let table = try FullTextTable(columns: 1)
    let wide = String(repeating: "𠀀", count: 40_000)
    try table.insert([[text], [wide]], .words)
    #expect(try table.tokens()[0] == words.map(String.init))
    #expect(try table.tokens()[1]?.map(\.unicodeScalars.count).max() == 512)
    #expect(try table.numbers(Search.parse(text).fts5) == [0])
    #expect(try table.numbers(Search.parse(String(text.dropLast(102)) + "*").fts5) == [0])
  }

  @Test func theRulesHaveAVersion() { #expect(SearchTokens.version == 1) }
}

// SPDX-License-Identifier: MIT

/// Words that follow each other within one column.
public struct SearchPhrase: Hashable, Sendable {
  /// The folded words, at least one.
  public let words: [String]
  /// The last word is the beginning of a word. In form `.parts` each word may lie within a longer word, and this is false.
  public let isPrefix: Bool
  /// The phrase stands at the beginning of its column.
  public let isAtStart: Bool

  /// The tokens of the phrase, and whether the last of them is the beginning of a token.
  func tokens(_ form: SearchForm) -> (tokens: [String], isPrefix: Bool) {
    switch form {
    case .words: return (words, isPrefix)
    case .parts:
      // All parts of the words before the last one, because these end where the next word begins.
      var tokens = words.dropLast().flatMap(Self.parts)
      guard let last = words.last else { return (tokens, false) }
      let parts = Self.parts(last)
      let whole = parts.dropLast(SearchTokens.partLength - 1)
      if !whole.isEmpty { return (tokens + whole, false) }
      tokens.append(contentsOf: parts.prefix(1))
      return (tokens, true)
    }
  }

  private static func parts(_ word: String) -> [String] {
    SearchTokens.tokens(of: word, form: .parts).map(\.text)
  }
}

/// One condition of a search.
public indirect enum SearchTerm: Hashable, Sendable {
  /// The row has the phrase in one of its columns.
  case phrase(SearchPhrase)
  /// The row has the phrases in one column, with at most so many tokens between the end of one and the beginning of another.
  /// In form `.parts` a token begins at each letter.
  case near([SearchPhrase], distance: Int)
  /// The columns with the names fulfil the term.
  case `in`([String], SearchTerm)
  /// The columns without the names fulfil the term.
  case outside([String], SearchTerm)
  /// The row fulfils each of the terms.
  case all([SearchTerm])
  /// The row fulfils one of the terms.
  case any([SearchTerm])
  /// The row fulfils the first term and not the second one.
  case without(SearchTerm, SearchTerm)
}

// SPDX-License-Identifier: MIT

/// The way in which texts are cut into tokens.
public enum SearchForm: String, Hashable, Sendable, CaseIterable {
  /// Each word is a token. A search finds whole words, and beginnings of words with `*`.
  case words
  /// Each three neighbouring scalars of a word are a token. A search finds parts of words, and texts in languages that
  /// write no spaces.
  case parts
}

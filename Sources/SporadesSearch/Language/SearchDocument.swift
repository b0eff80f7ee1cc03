// SPDX-License-Identifier: MIT

/// The tokens of one row's texts, column by column.
public struct SearchDocument: Sendable {
  /// The names of the columns.
  public let names: [String]
  /// The tokens of each column.
  let tokens: [[Substring]]

  /// Cuts texts into tokens.
  public init(_ columns: [(name: String, text: String)], form: SearchForm) {
    self.init(folded: columns.map { ($0.name, SearchTokens.folded($0.text, form)) })
  }

  /// Takes texts that `SearchTokens.folded` made.
  public init(folded columns: [(name: String, text: String)]) {
    names = columns.map(\.name)
    // Scalars, because a token may begin with a mark, which makes one character with the space before it.
    tokens = columns.map { $0.text.unicodeScalars.split(separator: " ").map { Substring($0) } }
  }

  /// Takes the tokens of one column.
  init(_ tokens: [SearchTokens.Token], column: String) {
    names = [column]
    self.tokens = [tokens.map { Substring($0.text) }]
  }

  /// The number of all tokens.
  public var length: Int { tokens.reduce(0) { $0 + $1.count } }
}

/// The place of a token in a document: the number of its column, then its place among the column's tokens.
struct SearchPosition: Equatable {
  /// Positions of later columns, and later ones in a column, have higher numbers.
  let raw: Int

  init(column: Int, offset: Int) { raw = column << 32 | offset }

  var column: Int { raw >> 32 }
  var offset: Int { raw & 0xFFFF_FFFF }
}

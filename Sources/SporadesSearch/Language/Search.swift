// SPDX-License-Identifier: MIT

/// The text that a person typed to find rows.
///
/// Each text is a search; none is a mistake. The language:
///
/// | Typed | Finds rows with |
/// |---|---|
/// | `green ham`, `green AND ham` | both words, in any columns |
/// | `"green ham"`, `green + ham`, `green-ham` | the phrase, within one column |
/// | `ham*`, `"green ha"*` | a word that begins so |
/// | `^green` | a column that begins so |
/// | `ham OR eggs` | one of the words |
/// | `ham -eggs`, `ham NOT eggs` | the first word and not the second one |
/// | `(ham OR eggs) green` | as the parentheses group |
/// | `NEAR(ham "green eggs", 5)` | all of these within one column, with at most 5 words between; 10 without a number |
/// | `title:ham`, `{title text}:(ham OR eggs)` | the words in these columns |
/// | `-title:ham` | the word in another column |
///
/// Operators are in capitals. Case and diacritics of words do not count. An exclusion with nothing beside it finds nothing.
public struct Search: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The text as the person typed it.
  public let typed: String

  /// Keeps a text that a person typed.
  public init(_ typed: String) { self.typed = typed }

  public init(stringLiteral typed: String) { self.typed = typed }

  public var description: String { typed }

  /// Reads a typed text as a query over the columns with the names.
  ///
  /// The case of a typed name does not count. A name that holds a space, a quote, a parenthesis, a brace or a colon cannot be
  /// typed. A name that is none of the columns is a word.
  public static func parse(
    _ typed: String, columns: [String] = [], form: SearchForm = .words
  ) -> SearchQuery {
    var parser = SearchParser(typed, columns: columns, form: form)
    return SearchQuery(root: parser.parse(), columns: columns, form: form)
  }

  /// Reads the search as a query over the columns with the names.
  public func query(columns: [String] = [], form: SearchForm = .words) -> SearchQuery {
    Self.parse(typed, columns: columns, form: form)
  }
}

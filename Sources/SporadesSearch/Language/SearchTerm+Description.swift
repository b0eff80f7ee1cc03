// SPDX-License-Identifier: MIT

extension SearchPhrase: CustomStringConvertible {
  public var description: String {
    let words = words.count == 1 ? words[0] : "\"" + words.joined(separator: " ") + "\""
    return (isAtStart ? "^" : "") + words + (isPrefix ? "*" : "")
  }
}

extension SearchTerm: CustomStringConvertible {
  /// The term in the language of searches.
  public var description: String {
    switch self {
    case .phrase(let phrase): phrase.description
    case .near(let phrases, let distance):
      "NEAR(" + phrases.map(\.description).joined(separator: " ") + ", \(distance))"
    case .in(let columns, let term): Self.names(columns) + ":" + term.operand
    case .outside(let columns, let term): "-" + Self.names(columns) + ":" + term.operand
    case .all(let terms): terms.map(\.operand).joined(separator: " ")
    case .any(let terms):
      terms.map { term in
        if case .any = term { term.operand } else { term.description }
      }.joined(separator: " OR ")
    case .without(let term, let excluded):
      ([term.positive] + excluded.alternatives.map(\.operand)).joined(separator: " NOT ")
    }
  }

  private static func names(_ columns: [String]) -> String {
    columns.count == 1 ? columns[0] : "{" + columns.joined(separator: " ") + "}"
  }

  /// The text of the term beside an operator that binds more tightly than the term.
  private var operand: String {
    switch self {
    case .all, .any, .without: "(" + description + ")"
    case .phrase, .near, .in, .outside: description
    }
  }

  /// The text of the term before NOT.
  private var positive: String {
    if case .all = self { description } else { operand }
  }

  private var alternatives: [SearchTerm] {
    if case .any(let terms) = self { terms } else { [self] }
  }
}

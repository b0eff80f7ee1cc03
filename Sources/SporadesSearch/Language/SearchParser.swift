// SPDX-License-Identifier: MIT

/// Reads typed texts as terms. Every text has a reading, and each scalar is read a bounded number of times.
struct SearchParser {
  /// The meaning of a part of the text.
  enum Reading {
    /// The part says nothing: no word is in it.
    case absent
    /// The part finds nothing, such as an exclusion with nothing beside it.
    case nothing
    case term(SearchTerm)
  }

  let scalars: [Unicode.Scalar]
  let names: SearchColumnNames
  let form: SearchForm
  var place = 0
  /// The tokens that the query may still have.
  var room = SearchQuery.longest
  private var depth = 0
  /// The open parentheses that are too deep to group.
  private var ignored = 0

  init(_ typed: String, columns: [String], form: SearchForm) {
    scalars = Array(typed.unicodeScalars)
    names = SearchColumnNames(columns)
    self.form = form
  }

  mutating func parse() -> SearchTerm? {
    if case .term(let term) = parseAlternatives() { term } else { nil }
  }

  /// Terms with OR between them, up to the end or the closing parenthesis.
  private mutating func parseAlternatives() -> Reading {
    var terms: [SearchTerm] = []
    var isNothing = false
    repeat {
      switch parseTogether() {
      case .absent: break
      case .nothing: isNothing = true
      case .term(.any(let more)): terms.append(contentsOf: more)
      case .term(let term): terms.append(term)
      }
    } while take("OR")
    if terms.isEmpty { return isNothing ? .nothing : .absent }
    return .term(terms.count == 1 ? terms[0] : .any(terms))
  }

  /// Terms side by side, and exclusions, up to OR, the end or the closing parenthesis.
  private mutating func parseTogether() -> Reading {
    var (terms, excluded): ([SearchTerm], [SearchTerm]) = ([], [])
    var isNothing = false
    var excludes = false
    while skipSpace(), !isAtClosing, !isAt("OR") {
      if take("AND") { continue }
      if take("NOT") || takeMinus() {
        excludes = true
        continue
      }
      switch (parseOperand(&excludes), excludes) {
      case (.absent, _), (.nothing, true): break
      case (.nothing, false): isNothing = true
      case (.term(.any(let more)), true): excluded.append(contentsOf: more)
      case (.term(let term), true): excluded.append(term)
      case (.term(.all(let more)), false): terms.append(contentsOf: more)
      case (.term(let term), false): terms.append(term)
      }
      excludes = false
    }
    if isNothing { return .nothing }
    guard let first = terms.first else { return excluded.isEmpty ? .absent : .nothing }
    let found = terms.count == 1 ? first : .all(terms)
    guard let unwanted = excluded.first else { return .term(found) }
    return .term(.without(found, excluded.count == 1 ? unwanted : .any(excluded)))
  }

  /// One term with the columns before it. The place is at a scalar that is no space. A minus between both excludes the term.
  private mutating func parseOperand(_ isExcluded: inout Bool) -> Reading {
    var filter: SearchColumnFilter?
    while let next = takeColumns() { filter = filter?.narrowed(by: next) ?? next }
    if filter != nil, takeMinus() { isExcluded = true }
    let reading = scalars[place] == "(" || scalars[place] == ")" ? parseGroup() : parsePhrases()
    guard let filter, case .term(let term) = reading else { return reading }
    return filter.applied(to: term, names)
  }

  private mutating func parseGroup() -> Reading {
    let opens = scalars[place] == "("
    place += 1
    guard opens else {
      // A parenthesis that closes one that was ignored, or none.
      ignored -= ignored > 0 ? 1 : 0
      return .absent
    }
    guard depth < SearchQuery.deepest else {
      ignored += 1
      return .absent
    }
    depth += 1
    let reading = parseAlternatives()
    if place < scalars.count { place += 1 }
    depth -= 1
    return reading
  }

  // MARK: - Scalars

  /// The place is at a parenthesis that ends the innermost group.
  private var isAtClosing: Bool { depth > 0 && ignored == 0 && scalars[place] == ")" }

  /// Goes to the next scalar that is no space; false at the end.
  @discardableResult
  mutating func skipSpace() -> Bool {
    while place < scalars.count, Self.isSpace(scalars[place]) { place += 1 }
    return place < scalars.count
  }

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0 || scalar.properties.isWhitespace
  }

  /// The scalars that end a word that is not in quotes.
  static func endsWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "(" || scalar == ")" || isQuote(scalar) || isSpace(scalar)
  }

  /// Straight quotes, and the quotes that systems write in their place.
  static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{AB}", "\u{BB}": true
    default: false
    }
  }

  /// The operator stands here as a whole word.
  func isAt(_ word: String) -> Bool { isOperator(word, at: place) }

  func isOperator(_ word: String, at start: Int) -> Bool {
    let letters = word.unicodeScalars
    guard scalars[start...].starts(with: letters) else { return false }
    let end = start + letters.count
    return end == scalars.count || Self.endsWord(scalars[end])
  }

  private mutating func take(_ word: String) -> Bool {
    guard isAt(word) else { return false }
    place += word.unicodeScalars.count
    return true
  }

  /// A minus directly before a term excludes it. A minus before columns belongs to these.
  private mutating func takeMinus() -> Bool {
    guard scalars[place] == "-", columns(at: place) == nil else { return false }
    let next = place + 1
    guard next < scalars.count, !Self.isSpace(scalars[next]), scalars[next] != ")" else {
      return false
    }
    place = next
    return true
  }
}

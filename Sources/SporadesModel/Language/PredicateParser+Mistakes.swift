// SPDX-License-Identifier: MIT

// Mistakes that people make with the format language, and what they should write instead.
extension PredicateParser {
  private static let operators =
    "==, !=, <, <=, >, >=, IN, BETWEEN, CONTAINS, BEGINSWITH, ENDSWITH, LIKE or MATCHES"

  /// Refuses an operator of Foundation's that no store can compute.
  func refuseUnsupportedOperator() throws(FetchPredicateError) {
    if token.isSign(":=") {
      throw failure(
        "The operator := is not supported. A predicate changes nothing; write == to compare.",
        .unsupported)
    }
    if token.word == "UTI" {
      throw failure(
        "UTI is not supported. Types of files have no order in a store; compare their names.",
        .unsupported)
    }
  }

  /// Refuses `&` and `|` between conditions.
  func refuseBitsOfConditions(_ left: Phrase) throws(FetchPredicateError) {
    guard case .sign(let sign) = token.form, sign == "&" || sign == "|", case .condition = left
    else { return }
    throw makeBitsError(sign, token)
  }

  private func makeBitsError(_ sign: String, _ token: PredicateToken) -> FetchPredicateError {
    failure(
      "The operator \(sign) is of bits. Join conditions by \(sign)\(sign) or "
        + "\(sign == "&" ? "AND" : "OR").", at: token)
  }

  /// The error for a token behind a complete condition.
  func makeRestError(after predicate: FetchPredicate) -> FetchPredicateError {
    if case .sign(let sign) = token.form, FetchPredicate.Comparator(spelling: sign) != nil,
      let operation = predicate.lastBitOperation
    {
      return makeBitsError(operation, token)
    }
    switch token.word {
    case "ORDER", "SORT", "SORTED":
      return failure("A condition has no order. Give the fetch one: sortedBy:.")
    case "LIMIT", "OFFSET":
      return failure("A condition has no bounds. Give them to the fetch: limit:, offset:.")
    case "GROUP", "HAVING":
      return failure("A condition makes no groups. Use grouped(by:) or propertiesToGroupBy.")
    default: return failure("Nothing can follow here; join conditions by AND or OR.")
    }
  }

  /// The error for a token behind a complete value.
  func makeRestError(after value: FetchExpression) -> FetchPredicateError {
    let isComparison =
      switch token.form {
      case .sign(let sign): FetchPredicate.Comparator(spelling: sign) != nil
      default: token.word.map { FetchPredicate.Comparator(spelling: $0) != nil } ?? false
      }
    return failure(
      isComparison
        ? "A value has no comparison. Write a condition as TERNARY(…, 1, 0), or ask for a FetchPredicate."
        : "Nothing can follow here; an expression has one value.")
  }

  /// Refuses a word such as `any` in the place of a property with that name.
  func refuseComparator(behind quantifier: PredicateToken) throws(FetchPredicateError) {
    guard let word = quantifier.word else { return }
    let isComparator =
      switch token.form {
      case .sign(let sign): FetchPredicate.Comparator(spelling: sign) != nil
      case .word(let word, isName: false): FetchPredicate.Comparator(spelling: word) != nil
      default: false
      }
    guard isComparator else { return }
    throw failure(
      "\(word) is a word of the language, and a key path to many objects follows it; write #\(word.lowercased()) for a property "
        + "with that name.", at: quantifier)
  }

  /// Refuses two signs that look like one operator: `===`, `=!`, `!==`.
  func refuseDoubledSign(after first: PredicateToken) throws(FetchPredicateError) {
    guard case .sign(let start) = first.form, case .sign(let end) = token.form,
      ["=", "==", "!", "!=", "<", ">", "<=", ">=", "&", "|"].contains(end)
    else { return }
    throw failure(
      "\(start)\(end) is not an operator; write ==, !=, <, <=, > or >=.", at: first)
  }

  /// Refuses a word behind a value that is no operator of the language.
  func refuseUnknownOperator(after left: Phrase) throws(FetchPredicateError) {
    guard case .expression(let expression) = left else { return }
    let name: String
    if case .keyPath(let names) = expression {
      name = names.joined(separator: ".")
    } else {
      name = "x"
    }
    try refuseOtherLanguage(behind: expression, name)
    guard let word = token.word, !["AND", "OR"].contains(word) else { return }
    switch word {
    case "SEARCH":
      throw failure(
        "SEARCH is a word of the product SporadesSearch; import it, and parse the format with words: [.search].",
        .unsupported)
    case "NOT":
      let negated = tokenAfter.word ?? ""
      if FetchPredicate.Comparator(spelling: negated) != nil {
        throw failure(
          "NOT stands before a comparison, not inside it; write NOT \(name) \(negated) ….")
      }
      throw failure("NOT stands before a comparison; write NOT \(name) == … or \(name) != ….")
    case "IS":
      throw failure(
        "IS is not an operator; write \(name) == nil for IS NULL, and \(name) != nil for IS NOT NULL."
      )
    default:
      if tokenAfter.form != .end, let start = Self.beginnings[name.uppercased()] {
        throw failure("\(name) begins no condition; \(start).")
      }
      let remedy = Self.translations[word].map { "; write \($0)." } ?? "; write \(Self.operators)."
      throw failure("\(word) is not an operator\(remedy)")
    }
  }

  /// Refuses the operator of regular expressions, and a statement of SQL.
  private func refuseOtherLanguage(
    behind left: FetchExpression, _ name: String
  ) throws(FetchPredicateError) {
    if token.isSign("~") {
      throw failure(
        "~ is not an operator; write \(name) CONTAINS …, \(name) LIKE … with * and ?, or \(name) MATCHES … for a "
          + "regular expression.")
    }
    if token.word != nil, case .arithmetic = left, left.firstName?.uppercased() == "SELECT" {
      throw failure(
        "A condition is no statement of SQL; write only what would stand behind WHERE, or fetch without a condition."
      )
    }
  }

  /// Words of other languages before a condition.
  private static let beginnings = [
    "WHERE": "leave it out", "SELECT": "a predicate is only the condition behind WHERE",
    "EVERY": "write ALL", "EACH": "write ALL", "EXISTS": "write ANY, or SUBQUERY(…).@count > 0",
    "NO": "write NONE", "DELETE": "a condition changes nothing; see User.where(…).delete()",
    "UPDATE": "a condition changes nothing; see User.where(…).update(…)",
  ]

  /// Operators of other languages.
  private static let translations = [
    "STARTSWITH": "BEGINSWITH", "STARTWITH": "BEGINSWITH", "HASPREFIX": "BEGINSWITH",
    "BEGINWITH": "BEGINSWITH", "PREFIX": "BEGINSWITH", "ENDWITH": "ENDSWITH",
    "HASSUFFIX": "ENDSWITH", "SUFFIX": "ENDSWITH", "CONTAIN": "CONTAINS", "INCLUDES": "CONTAINS",
    "HAS": "CONTAINS", "ILIKE": "LIKE[c]", "REGEXP": "MATCHES", "REGEX": "MATCHES",
    "MATCH": "MATCHES", "EQUALS": "==", "EQUAL": "==", "EQ": "==", "NE": "!=", "LT": "<",
    "GT": ">", "LE": "<=", "GE": ">=",
  ]

  /// The error for a value where a condition is needed.
  func makeConditionError(
    _ expression: FetchExpression, _ start: PredicateToken, after former: FetchPredicate?
  ) -> FetchPredicateError {
    if case .comparison(let comparison) = former, comparison.comparator == .between,
      case .constant = comparison.right
    {
      return failure("BETWEEN takes a list of two values; write BETWEEN {1, 5}.", at: start)
    }
    switch expression {
    case .arithmetic(.bitwiseAnd, _, _): return makeBitsError("&", start)
    case .arithmetic(.bitwiseOr, _, _): return makeBitsError("|", start)
    default: break
    }
    guard case .keyPath(let names) = expression else {
      return failure(
        "A comparison is needed here, not just a value. Use ==, !=, <, <=, > or >=.", at: start)
    }
    let name = names.joined(separator: ".")
    return failure(
      "A comparison is needed here, not just a value; write \(name) == YES for a truth value.",
      at: start)
  }

  /// The error for a bracket behind an operator without options in it.
  func makeOptionsError() -> FetchPredicateError {
    switch token.form {
    case .number, .string, .placeholder:
      failure("The options c, d or n are missing here. A list is written in braces: {1, 2}.")
    default: failure("The options c, d or n are missing here.")
    }
  }

  /// The error for a sign where a value is needed.
  func makeValueError() -> FetchPredicateError {
    switch token.form {
    case .sign("["): failure("A value is missing here. A list is written in braces: {1, 2}.")
    case .sign(":"):
      failure(
        "A value is missing here. A variable is written $NAME, and %@ stands for an argument.")
    case .sign("."):
      failure("A value is missing here. Pass a case of an enum as an argument for %@.")
    case .end: failure("The format ends here, and a value is missing.")
    default: failure("A value is missing here.")
    }
  }
}

extension FetchExpression {
  /// The name with which the expression begins.
  fileprivate var firstName: String? {
    switch self {
    case .keyPath(let names): names.first
    case .arithmetic(_, let left, _): left.firstName
    default: nil
    }
  }
}

extension FetchPredicate {
  /// The sign of an operation of bits on the right side of the last comparison.
  fileprivate var lastBitOperation: String? {
    switch self {
    case .comparison(let comparison):
      switch comparison.right {
      case .arithmetic(.bitwiseAnd, _, _): "&"
      case .arithmetic(.bitwiseOr, _, _): "|"
      default: nil
      }
    case .and(let parts), .or(let parts): parts.last?.lastBitOperation
    case .not(let inner): inner.lastBitOperation
    case .constant, .open: nil
    }
  }
}

extension PredicateTokenizer {
  /// The sentence for a character that begins no token.
  static func describeUnknown(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "`":
      "The character \(scalar) does not begin a text; write ' or \"."
    case "?": "The character ? has no meaning here; the placeholder of an argument is %@."
    case "≠": "The character ≠ has no meaning here; write !=."
    case "≤": "The character ≤ has no meaning here; write <=."
    case "≥": "The character ≥ has no meaning here; write >=."
    case ";": "The character ; has no meaning here; a format holds one condition and no end mark."
    default: "The character \(scalar) has no meaning here."
    }
  }
}

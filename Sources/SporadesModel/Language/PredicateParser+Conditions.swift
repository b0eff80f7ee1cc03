// SPDX-License-Identifier: MIT

extension PredicateParser {
  mutating func parseDisjunction() throws(FetchPredicateError) -> Phrase {
    let start = token
    let first = try parseConjunction()
    guard isCondition(first) ? takeOr() : isJoined("OR", "||") else { return first }
    var parts = [try requireCondition(first, start)]
    repeat {
      let start = token
      parts.append(try requireCondition(parseConjunction(), start))
    } while takeOr()
    return .condition(.or(parts))
  }

  private mutating func parseConjunction() throws(FetchPredicateError) -> Phrase {
    let start = token
    let first = try parseNegation()
    guard isCondition(first) ? takeAnd() : isJoined("AND", "&&") else { return first }
    var parts = [try requireCondition(first, start)]
    repeat {
      let start = token
      parts.append(try requireCondition(parseNegation(), start, after: parts.last))
    } while takeAnd()
    return .condition(.and(parts))
  }

  private func isCondition(_ phrase: Phrase) -> Bool {
    if case .condition = phrase { true } else { false }
  }

  /// The token joins conditions. A value before it is a mistake that the caller refuses.
  private func isJoined(_ word: String, _ sign: String) -> Bool {
    token.word == word || token.isSign(sign)
  }

  private mutating func takeOr() -> Bool { take(sign: "||") || take(word: "OR") }
  private mutating func takeAnd() -> Bool { take(sign: "&&") || take(word: "AND") }

  private mutating func parseNegation() throws(FetchPredicateError) -> Phrase {
    guard take(sign: "!") || take(word: "NOT") else { return try parseComparison() }
    let start = token
    let inner = try parseNested { parser throws(FetchPredicateError) in try parser.parseNegation() }
    return .condition(.not(try requireCondition(inner, start)))
  }

  // MARK: - Comparisons

  private mutating func parseComparison() throws(FetchPredicateError) -> Phrase {
    let quantifierToken = token
    let quantifier = takeQuantifier()
    let start = token
    if quantifier != nil { try refuseComparator(behind: quantifierToken) }
    let left = try parseOperations()
    if quantifier == nil, let condition = try parseWord(after: left, start) { return condition }
    let sign = token
    guard case .expression(let leftSide) = left,
      let comparator = takeComparator(after: leftSide, quantifier?.quantifier)
    else {
      try refuseUnsupportedOperator()
      try refuseUnknownOperator(after: left)
      if quantifier != nil {
        throw failure("\(quantifierToken.word ?? "") needs a comparison after it.")
      }
      return left
    }
    try refuseDoubledSign(after: sign)
    let options = try parseTextOptions()
    let comparison = try parseRightSide(
      FetchPredicate.Comparison(
        try requireExpression(left, start), comparator, .subject,
        quantifier: quantifier?.quantifier ?? .direct, options: options))
    try refuseUnsupportedOperator()
    return .condition(quantifier?.isNegated == true ? .not(comparison) : comparison)
  }

  /// Parses the right side of a comparison, which is a value or, behind `IN` and `BETWEEN`, a range of Swift.
  private mutating func parseRightSide(
    _ comparison: FetchPredicate.Comparison
  ) throws(FetchPredicateError) -> FetchPredicate {
    let start = token
    if token.form == .placeholder("@"), let range = arguments.takeRange() {
      advance()
      return try range.condition(comparison, at: start.position)
    }
    var comparison = comparison
    comparison.right = try requireExpression(parseOperations(), start)
    return .comparison(comparison)
  }

  private mutating func takeQuantifier() -> (
    quantifier: FetchPredicate.Quantifier, isNegated: Bool
  )? {
    let words: [(String, FetchPredicate.Quantifier, Bool)] = [
      ("ANY", .any, false), ("SOME", .any, false), ("ALL", .all, false), ("NONE", .any, true),
    ]
    for (word, quantifier, isNegated) in words where take(word: word) {
      return (quantifier, isNegated)
    }
    return nil
  }

  private mutating func takeComparator(
    after left: FetchExpression, _ quantifier: FetchPredicate.Quantifier?
  ) -> FetchPredicate.Comparator? {
    offer(.comparators(of: left, quantifier ?? .direct))
    let spelling: String
    switch token.form {
    case .sign(let sign): spelling = sign
    case .word(let word, isName: false): spelling = word
    default: return nil
    }
    guard let comparator = FetchPredicate.Comparator(spelling: spelling) else { return nil }
    advance()
    return comparator
  }

  /// Parses the letters in brackets after an operator.
  private mutating func parseTextOptions() throws(FetchPredicateError) -> FetchPredicate.TextOptions
  {
    guard take(sign: "[") else { return [] }
    offer(.textOptions)
    guard case .word(let letters, isName: false) = token.form else {
      throw makeOptionsError()
    }
    var options: FetchPredicate.TextOptions = []
    for letter in letters {
      guard let option = FetchPredicate.TextOptions(letter: letter) else {
        throw letter.lowercased() == "l"
          ? failure("Comparison by locale, [l], is not supported; use [cd].", .unsupported)
          : failure("The options of an operator are c, d and n, not \(letter).")
      }
      options.insert(option)
    }
    advance()
    try expect("]")
    return options
  }
}

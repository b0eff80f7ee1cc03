// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// Parses a format in Core Data's predicate language.
  ///
  /// ```swift
  /// try FetchPredicate(format: "age > %d AND ANY pets.name BEGINSWITH[cd] %@", 18, "r")
  /// ```
  public init(
    format: String, _ arguments: Any?...
  ) throws(FetchPredicateError) {
    try self.init(format: format, argumentArray: arguments)
  }

  /// Parses a format, with the arguments of its placeholders in an array.
  public init(
    format: String, argumentArray: [Any?]
  ) throws(FetchPredicateError) {
    do throws(FetchPredicateError) {
      var parser = try PredicateParser(format, argumentArray)
      self = try parser.parse()
    } catch {
      throw error.showing(format)
    }
  }
}

/// Parses a format by recursive descent.
///
/// A parenthesis may hold a condition or a number, and the parser learns which only at its end. So every
/// level of the grammar returns a ``Phrase``, which is either, and requires the one that it needs. The
/// parser reads a format once, in time proportional to its length.
///
/// | level | reads |
/// |---|---|
/// | ``parseDisjunction()`` | `a OR b` |
/// | ``parseConjunction()`` | `a AND b` |
/// | ``parseNegation()`` | `NOT a` |
/// | ``parseComparison()`` | `ANY x == y` |
/// | ``parseSum()`` | `x + y` |
/// | ``parseProduct()`` | `x * y` |
/// | ``parsePrimary()`` | literals, key paths, lists, parentheses |
struct PredicateParser {
  /// The largest number of nested levels in a format.
  static let largestDepth = 50

  /// A condition or a value.
  enum Phrase {
    case condition(FetchPredicate)
    case expression(FetchExpression)
  }

  private let tokens: [PredicateToken]
  private var index = 0
  private var depth = 0
  var arguments: PredicateArguments

  init(_ format: String, _ arguments: [Any?]) throws(FetchPredicateError) {
    var tokenizer = PredicateTokenizer(format)
    tokens = try tokenizer.tokens()
    self.arguments = PredicateArguments(arguments)
  }

  mutating func parse() throws(FetchPredicateError) -> FetchPredicate {
    let start = token
    let predicate = try requireCondition(parseDisjunction(), start)
    guard token.form == .end else {
      throw failure("Nothing can follow here; join conditions by AND or OR.")
    }
    try arguments.checkAllAreTaken(
      texts: tokens.compactMap { if case .string(let text) = $0.form { text } else { nil } })
    return predicate
  }

  // MARK: - Tokens

  var token: PredicateToken { tokens[index] }
  /// The token after the current one; at the end, the end again.
  var tokenAfter: PredicateToken { tokens[min(index + 1, tokens.count - 1)] }

  mutating func advance() { index = min(index + 1, tokens.count - 1) }

  mutating func take(sign: String) -> Bool {
    guard token.isSign(sign) else { return false }
    advance()
    return true
  }

  mutating func take(word: String) -> Bool {
    guard token.word == word else { return false }
    advance()
    return true
  }

  mutating func expect(_ sign: String) throws(FetchPredicateError) {
    guard take(sign: sign) else { throw failure("\(sign) is missing here.") }
  }

  func failure(
    _ detail: String, _ code: FetchPredicateError.Code = .syntax, at token: PredicateToken? = nil
  ) -> FetchPredicateError {
    FetchPredicateError(code, detail, position: (token ?? self.token).position)
  }

  func requireCondition(
    _ phrase: Phrase, _ start: PredicateToken, after former: FetchPredicate? = nil
  ) throws(FetchPredicateError) -> FetchPredicate {
    switch phrase {
    case .condition(let predicate): return predicate
    case .expression(let expression):
      throw makeConditionError(expression, start, after: former)
    }
  }

  func requireExpression(
    _ phrase: Phrase, _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    switch phrase {
    case .expression(let expression): return expression
    case .condition: throw failure("A value is needed here, not a condition.", at: start)
    }
  }

  /// Parses one level deeper, and refuses a format that nests too deep.
  mutating func parseNested<Output>(
    _ read: (inout PredicateParser) throws(FetchPredicateError) -> Output
  ) throws(FetchPredicateError) -> Output {
    guard depth < Self.largestDepth else {
      throw failure(
        "The format is nested more than \(Self.largestDepth) levels deep; nest less.", .tooDeep)
    }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  // MARK: - Conditions

  mutating func parseDisjunction() throws(FetchPredicateError) -> Phrase {
    let start = token
    let first = try parseConjunction()
    guard token.isSign("||") || token.word == "OR" else { return first }
    var parts = [try requireCondition(first, start)]
    while take(sign: "||") || take(word: "OR") {
      let start = token
      parts.append(try requireCondition(parseConjunction(), start))
    }
    return .condition(.or(parts))
  }

  private mutating func parseConjunction() throws(FetchPredicateError) -> Phrase {
    let start = token
    let first = try parseNegation()
    guard token.isSign("&&") || token.word == "AND" else { return first }
    var parts = [try requireCondition(first, start)]
    while take(sign: "&&") || take(word: "AND") {
      let start = token
      parts.append(try requireCondition(parseNegation(), start, after: parts.last))
    }
    return .condition(.and(parts))
  }

  private mutating func parseNegation() throws(FetchPredicateError) -> Phrase {
    guard take(sign: "!") || take(word: "NOT") else { return try parseComparison() }
    let start = token
    let inner = try parseNested { parser throws(FetchPredicateError) in try parser.parseNegation() }
    return .condition(.not(try requireCondition(inner, start)))
  }

  private mutating func parseComparison() throws(FetchPredicateError) -> Phrase {
    let quantifierToken = token
    let quantifier = takeQuantifier()
    let start = token
    let left = try parseSum()
    let sign = token
    guard let comparator = takeComparator() else {
      try refuseUnsupportedOperator()
      try refuseUnknownOperator(after: left)
      if quantifier != nil {
        throw failure("\(quantifierToken.word ?? "") needs a comparison after it.")
      }
      return left
    }
    try refuseDoubledSign(after: sign)
    let options = try parseTextOptions()
    let rightStart = token
    let comparison = FetchPredicate.Comparison(
      try requireExpression(left, start), comparator, try requireExpression(parseSum(), rightStart),
      quantifier: quantifier?.quantifier ?? .direct, options: options)
    try refuseUnsupportedOperator()
    return .condition(
      quantifier?.isNegated == true ? .not(.comparison(comparison)) : .comparison(comparison))
  }

  private mutating func takeQuantifier() -> (
    quantifier: FetchPredicate.Quantifier, isNegated: Bool
  )? {
    switch token.word {
    case "ANY", "SOME":
      advance()
      return (.any, false)
    case "ALL":
      advance()
      return (.all, false)
    case "NONE":
      advance()
      return (.any, true)
    default: return nil
    }
  }

  private mutating func takeComparator() -> FetchPredicate.Comparator? {
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

  private func refuseUnsupportedOperator() throws(FetchPredicateError) {
    if case .sign(let sign) = token.form,
      ["**", "&", "|", "^", "<<", ">>", ":=", "["].contains(sign)
    {
      let name = sign == "[" ? "Taking one element of a collection, [ ]," : "The operator \(sign)"
      let remedy =
        switch sign {
        case "&": " Join conditions by && or AND."
        case "|": " Join conditions by || or OR."
        case "[": ""
        default: " Use ==, !=, <, <=, >, >=, +, -, * or /."
        }
      throw failure("\(name) is not supported.\(remedy)", .unsupported)
    }
    if let word = token.word, ["UNION", "INTERSECT", "MINUS", "UTI"].contains(word) {
      throw failure("\(word) is not supported.", .unsupported)
    }
  }
}

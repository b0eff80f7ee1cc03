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
    try self.init(format: format, argumentArray: argumentArray, mayBeMore: false)
  }

  /// Parses a format with words that products bring: `FetchPredicate(format: "text SEARCH %@", argumentArray: ["ham"],
  /// words: [.search])`.
  public init(
    format: String, argumentArray: [Any?], words: [PredicateWord]
  ) throws(FetchPredicateError) {
    try self.init(format: format, argumentArray: argumentArray, mayBeMore: false, words: words)
  }

  /// Parses a format. Core Data ignores arguments without a placeholder.
  package init(
    format: String, argumentArray: [Any?], mayBeMore: Bool, words: [PredicateWord] = []
  ) throws(FetchPredicateError) {
    do throws(FetchPredicateError) {
      var parser = try PredicateParser(
        format, PredicateArguments(argumentArray, mayBeMore: mayBeMore))
      parser.words = words
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
/// | ``parseOperations(from:)`` | `x + y * 2`, by the rank of the operators |
/// | ``parseSigned()`` | `-x`, `~x` |
/// | ``parsePrimary()`` | literals, key paths, lists, functions, parentheses |
///
/// Where the format ends, the parser records what it would have read in ``offers``.
package struct PredicateParser {
  /// The largest number of nested levels in a format.
  package static let largestDepth = 50

  /// A condition or a value.
  enum Phrase {
    case condition(FetchPredicate)
    case expression(FetchExpression)
  }

  /// A variable that a subquery declares, and the key path of its members from the fetched object on.
  struct Variable {
    let name: String
    let path: [String]
  }

  private let tokens: [PredicateToken]
  private var index = 0
  private var depth = 0
  var arguments: PredicateArguments
  /// The words between two values that products bring.
  var words: [PredicateWord] = []
  /// The variables of the subqueries around the current token, the innermost last.
  var variables: [Variable] = []
  /// The words that could follow at the end of the format.
  private(set) var offers: [(offer: PredicateOffer, variables: [Variable])] = []

  init(_ format: String, _ arguments: [Any?]) throws(FetchPredicateError) {
    try self.init(format, PredicateArguments(arguments))
  }

  init(_ format: String, _ arguments: PredicateArguments) throws(FetchPredicateError) {
    var tokenizer = PredicateTokenizer(format)
    tokens = try tokenizer.tokens()
    self.arguments = arguments
  }

  mutating func parse() throws(FetchPredicateError) -> FetchPredicate {
    let start = token
    let predicate: FetchPredicate
    do throws(FetchPredicateError) {
      predicate = try requireCondition(parseDisjunction(), start)
    } catch {
      guard start.form == .end else { throw error }
      throw failure(
        "The format is empty. For all objects pass no condition, or write TRUEPREDICATE.")
    }
    guard token.form == .end else { throw makeRestError(after: predicate) }
    try checkAllArgumentsAreTaken()
    return predicate
  }

  /// Parses a format that is one value.
  mutating func parseValue() throws(FetchPredicateError) -> FetchExpression {
    let start = token
    let value = try requireExpression(parseOperations(), start)
    guard token.form == .end else { throw makeRestError(after: value) }
    try checkAllArgumentsAreTaken()
    return value
  }

  private func checkAllArgumentsAreTaken() throws(FetchPredicateError) {
    try arguments.checkAllAreTaken(
      texts: tokens.compactMap { if case .string(let text) = $0.form { text } else { nil } })
  }

  // MARK: - Tokens

  var token: PredicateToken { tokens[index] }
  /// The token after the current one; at the end, the end again.
  var tokenAfter: PredicateToken { token(after: 1) }

  func token(after count: Int) -> PredicateToken { tokens[min(index + count, tokens.count - 1)] }

  mutating func advance() { index = min(index + 1, tokens.count - 1) }

  /// Records what could follow here, if the format ends here.
  mutating func offer(_ offer: PredicateOffer) {
    if token.form == .end { offers.append((offer, variables)) }
  }

  mutating func take(sign: String) -> Bool {
    offer(.sign(sign))
    guard token.isSign(sign) else { return false }
    advance()
    return true
  }

  mutating func take(word: String) -> Bool {
    offer(.word(word))
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

  /// Parses a value one level deeper, such as an argument of a function.
  mutating func parseNestedValue() throws(FetchPredicateError) -> FetchExpression {
    let start = token
    let phrase = try parseNested { parser throws(FetchPredicateError) in
      try parser.parseOperations()
    }
    return try requireExpression(phrase, start)
  }

  /// Parses a condition one level deeper, such as that of a subquery.
  mutating func parseNestedCondition() throws(FetchPredicateError) -> FetchPredicate {
    let start = token
    let phrase = try parseNested { parser throws(FetchPredicateError) in
      try parser.parseDisjunction()
    }
    return try requireCondition(phrase, start)
  }
}

// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// The predicate that a format in Core Data's predicate language stands for.
  ///
  /// ```swift
  /// try FetchPredicate(format: "age > %d AND ANY pets.name BEGINSWITH[cd] %@", 18, "r")
  /// ```
  public init(
    format: String, _ arguments: (any ValueConvertible)?...
  ) throws(FetchPredicateError) {
    try self.init(format: format, argumentArray: arguments)
  }

  public init(
    format: String, argumentArray: [(any ValueConvertible)?]
  ) throws(FetchPredicateError) {
    var parser = try PredicateParser(format, argumentArray)
    self = try parser.parse()
  }
}

/// Reads a format by recursive descent.
///
/// A parenthesis may hold a condition or a number, and which of them is known only at its end. So
/// every level of the grammar takes and gives either, and asks for the one it needs: formats are
/// read once, in time proportional to their length.
///
/// | level | reads |
/// |---|---|
/// | ``disjunction()`` | `a OR b` |
/// | ``conjunction()`` | `a AND b` |
/// | ``negation()`` | `NOT a` |
/// | ``comparison()`` | `ANY x == y` |
/// | ``sum()`` | `x + y` |
/// | ``product()`` | `x * y` |
/// | ``primary()`` | literals, key paths, lists, parentheses |
struct PredicateParser {
  /// How deep a format may nest.
  static let largestDepth = 50

  enum Phrase {
    case condition(FetchPredicate)
    case expression(FetchExpression)
  }

  private let tokens: [PredicateToken]
  private var place = 0
  private var depth = 0
  var arguments: PredicateArguments

  init(_ format: String, _ arguments: [(any ValueConvertible)?]) throws(FetchPredicateError) {
    var tokenizer = PredicateTokenizer(format)
    tokens = try tokenizer.tokens()
    self.arguments = PredicateArguments(arguments)
  }

  mutating func parse() throws(FetchPredicateError) -> FetchPredicate {
    let start = token
    let predicate = try condition(disjunction(), start)
    guard token.form == .end else {
      throw failure("Nothing more can follow here; conditions are joined by AND or OR.")
    }
    try arguments.checkNoneIsLeft()
    return predicate
  }

  // MARK: - Tokens

  var token: PredicateToken { tokens[place] }
  /// The token after the next; the end again at the end.
  var tokenAfter: PredicateToken { tokens[min(place + 1, tokens.count - 1)] }

  mutating func advance() { place = min(place + 1, tokens.count - 1) }

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
    guard take(sign: sign) else { throw failure("Here \(sign) is missing.") }
  }

  func failure(
    _ detail: String, _ code: FetchPredicateError.Code = .syntax, at token: PredicateToken? = nil
  ) -> FetchPredicateError {
    FetchPredicateError(code, detail, position: (token ?? self.token).position)
  }

  func condition(
    _ phrase: Phrase, _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchPredicate {
    switch phrase {
    case .condition(let predicate): return predicate
    case .expression:
      throw failure("A comparison is needed here, not a value alone.", at: start)
    }
  }

  func expression(
    _ phrase: Phrase, _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    switch phrase {
    case .expression(let expression): return expression
    case .condition: throw failure("A value is needed here, not a condition.", at: start)
    }
  }

  /// Reads one level deeper, unless that is too deep.
  mutating func nested<Output>(
    _ read: (inout PredicateParser) throws(FetchPredicateError) -> Output
  ) throws(FetchPredicateError) -> Output {
    guard depth < Self.largestDepth else {
      throw failure("The format is nested more than \(Self.largestDepth) levels deep.", .tooDeep)
    }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  // MARK: - Conditions

  mutating func disjunction() throws(FetchPredicateError) -> Phrase {
    let start = token
    let first = try conjunction()
    guard token.isSign("||") || token.word == "OR" else { return first }
    var parts = [try condition(first, start)]
    while take(sign: "||") || take(word: "OR") {
      let start = token
      parts.append(try condition(conjunction(), start))
    }
    return .condition(.or(parts))
  }

  private mutating func conjunction() throws(FetchPredicateError) -> Phrase {
    let start = token
    let first = try negation()
    guard token.isSign("&&") || token.word == "AND" else { return first }
    var parts = [try condition(first, start)]
    while take(sign: "&&") || take(word: "AND") {
      let start = token
      parts.append(try condition(negation(), start))
    }
    return .condition(.and(parts))
  }

  private mutating func negation() throws(FetchPredicateError) -> Phrase {
    guard take(sign: "!") || take(word: "NOT") else { return try comparison() }
    let start = token
    let inner = try nested { parser throws(FetchPredicateError) in try parser.negation() }
    return .condition(.not(try condition(inner, start)))
  }

  private mutating func comparison() throws(FetchPredicateError) -> Phrase {
    let quantifierToken = token
    let quantifier = takeQuantifier()
    let start = token
    let left = try sum()
    guard let comparator = takeComparator() else {
      try refuseUnsupportedOperator()
      if quantifier != nil {
        throw failure("\(quantifierToken.word ?? "") needs a comparison after it.")
      }
      return left
    }
    let options = try textOptions()
    let rightStart = token
    let comparison = FetchPredicate.Comparison(
      try expression(left, start), comparator, try expression(sum(), rightStart),
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

  /// The letters in brackets after an operator.
  private mutating func textOptions() throws(FetchPredicateError) -> FetchPredicate.TextOptions {
    guard take(sign: "[") else { return [] }
    guard case .word(let letters, isName: false) = token.form else {
      throw failure("Here the options c, d or n are missing.")
    }
    var options: FetchPredicate.TextOptions = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      case "n": options.insert(.normalized)
      case "l":
        throw failure("Comparison by locale, [l], is not supported; use [cd].", .unsupported)
      default: throw failure("The options of an operator are c, d and n, not \(letter).")
      }
    }
    advance()
    try expect("]")
    return options
  }

  private func refuseUnsupportedOperator() throws(FetchPredicateError) {
    if case .sign(let sign) = token.form,
      ["**", "&", "|", "^", "<<", ">>", ":=", "["].contains(sign)
    {
      let name = sign == "[" ? "Taking one of a collection, [ ]," : "The operator \(sign)"
      let remedy =
        switch sign {
        case "&": " Conditions are joined by && or AND."
        case "|": " Conditions are joined by || or OR."
        case "[": ""
        default: " There are ==, !=, <, <=, >, >=, +, -, * and /."
        }
      throw failure("\(name) is not supported.\(remedy)", .unsupported)
    }
    if let word = token.word, ["UNION", "INTERSECT", "MINUS", "UTI"].contains(word) {
      throw failure("\(word) is not supported.", .unsupported)
    }
  }
}

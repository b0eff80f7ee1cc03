// SPDX-License-Identifier: MIT
public import SporadesModel

extension MappingExpression {
  /// Parses an expression in the language of Core Data's mapping models.
  ///
  /// ```swift
  /// try MappingExpression(format: "uppercase($source.owner.name)")
  /// ```
  public init(format: String) throws(FetchPredicateError) {
    do throws(FetchPredicateError) {
      var parser = try MappingParser(format)
      self = try parser.parse()
    } catch {
      throw error.showing(format)
    }
  }
}

/// Parses an expression by recursive descent, over the tokens of the predicate language.
struct MappingParser {
  private let tokens: [PredicateToken]
  private var index = 0
  private var depth = 0

  init(_ format: String) throws(FetchPredicateError) {
    var tokenizer = PredicateTokenizer(format)
    tokens = try tokenizer.tokens()
  }

  mutating func parse() throws(FetchPredicateError) -> MappingExpression {
    let expression = try parseSum()
    guard token.form == .end else {
      throw failure("Nothing can follow here; an expression has one value.")
    }
    return expression
  }

  // MARK: - Tokens

  private var token: PredicateToken { tokens[index] }
  private var tokenAfter: PredicateToken { tokens[min(index + 1, tokens.count - 1)] }

  private mutating func advance() { index = min(index + 1, tokens.count - 1) }

  private mutating func take(sign: String) -> Bool {
    guard token.isSign(sign) else { return false }
    advance()
    return true
  }

  private mutating func expect(_ sign: String) throws(FetchPredicateError) {
    guard take(sign: sign) else { throw failure("\(sign) is missing here.") }
  }

  private func failure(
    _ detail: String, _ code: FetchPredicateError.Code = .syntax, at token: PredicateToken? = nil
  ) -> FetchPredicateError {
    FetchPredicateError(code, detail, position: (token ?? self.token).position)
  }

  // MARK: - Operations

  private mutating func parseSum() throws(FetchPredicateError) -> MappingExpression {
    try parseOperations(["+": .add, "-": .subtract]) { parser throws(FetchPredicateError) in
      try parser.parseOperations(["*": .multiply, "/": .divide]) {
        parser throws(FetchPredicateError) in try parser.parsePath()
      }
    }
  }

  /// Each operation makes the tree one level deeper, so the parser bounds their number as it bounds nesting.
  private mutating func parseOperations(
    _ signs: [String: ArithmeticOperator],
    _ operand: (inout MappingParser) throws(FetchPredicateError) -> MappingExpression
  ) throws(FetchPredicateError) -> MappingExpression {
    var left = try operand(&self)
    var count = 0
    while case .sign(let sign) = token.form, let operation = signs[sign] {
      count += 1
      guard count < PredicateParser.largestDepth else {
        throw failure("Too many operations follow each other; use fewer.", .tooDeep)
      }
      advance()
      left = .arithmetic(operation, left, try operand(&self))
    }
    return left
  }

  private mutating func parseNested() throws(FetchPredicateError) -> MappingExpression {
    guard depth < PredicateParser.largestDepth else {
      throw failure(
        "The expression is nested more than \(PredicateParser.largestDepth) levels deep; nest less.",
        .tooDeep)
    }
    depth += 1
    defer { depth -= 1 }
    return try parseSum()
  }

  // MARK: - Values

  private mutating func parsePath() throws(FetchPredicateError) -> MappingExpression {
    let base = try parsePrimary()
    var names: [String] = []
    while take(sign: ".") { names.append(try parseName()) }
    return names.isEmpty ? base : .keyPath(base, names)
  }

  private mutating func parseName() throws(FetchPredicateError) -> String {
    defer { advance() }
    switch token.form {
    case .word(let name, _): return name
    case .keyPathOperator(let name): return "@\(name)"
    default: throw failure("The name after the point is missing here.")
    }
  }

  private mutating func parsePrimary() throws(FetchPredicateError) -> MappingExpression {
    let start = token
    switch start.form {
    case .number(let digits):
      advance()
      return .constant(
        try PredicateLiteral.number(digits, isNegative: false, at: start.position))
    case .sign("-"): return try parseNegative()
    case .string(let text):
      advance()
      return .constant(.string(text))
    case .variable(let name):
      advance()
      return .variable(name)
    case .sign("("):
      advance()
      let inner = try parseNested()
      try expect(")")
      return inner
    case .sign("{"):
      advance()
      return .list(try parseArguments(to: "}"))
    case .word(let name, let isName): return try parseWord(name, isName)
    case .placeholder, .keyPathOperator, .sign, .end:
      throw failure("A value is missing here, such as $source.name, 1 or \"text\".")
    }
  }

  private mutating func parseNegative() throws(FetchPredicateError) -> MappingExpression {
    advance()
    let start = token
    guard case .number(let digits) = start.form else {
      depth += 1
      defer { depth -= 1 }
      guard depth < PredicateParser.largestDepth else {
        throw failure("Too many signs follow each other; use fewer.", .tooDeep)
      }
      return .arithmetic(.subtract, .constant(.integer(0)), try parsePath())
    }
    advance()
    return .constant(try PredicateLiteral.number(digits, isNegative: true, at: start.position))
  }

  private mutating func parseArguments(
    to end: String
  ) throws(FetchPredicateError) -> [MappingExpression] {
    var items: [MappingExpression] = []
    while !take(sign: end) {
      if !items.isEmpty { try expect(",") }
      items.append(try parseNested())
    }
    return items
  }

  private mutating func parseWord(
    _ name: String, _ isName: Bool
  ) throws(FetchPredicateError) -> MappingExpression {
    let start = token
    advance()
    guard !isName else { throw bareName(name, start) }
    if token.isSign(":"), tokenAfter.isSign("(") { advance() }
    if take(sign: "(") { return try parseFunction(name, start) }
    switch name.uppercased() {
    case "TRUE", "YES": return .constant(.boolean(true))
    case "FALSE", "NO": return .constant(.boolean(false))
    case "NULL", "NIL": return .constant(.null)
    default: throw bareName(name, start)
    }
  }

  private func bareName(_ name: String, _ start: PredicateToken) -> FetchPredicateError {
    failure(
      name == "source"
        ? "An expression begins with a variable; write $source\(token.isSign(".") ? " before the point" : "")."
        : "An expression has no object of its own; write $source.\(name) for a property, or \"\(name)\" in quotes for a text.",
      at: start)
  }

  private mutating func parseFunction(
    _ name: String, _ start: PredicateToken
  ) throws(FetchPredicateError) -> MappingExpression {
    let arguments = try parseArguments(to: ")")
    switch name.uppercased() {
    case "FUNCTION":
      guard arguments.count >= 2, case .constant(.string(let function)) = arguments[1] else {
        throw failure(
          "FUNCTION takes an object, the name of its function in quotes, and the arguments.",
          .arguments, at: start)
      }
      return .function(arguments[0], function, Array(arguments.dropFirst(2)))
    case "FETCH":
      guard arguments.count == 3, case .constant(.boolean(let countsOnly)) = arguments[2] else {
        throw failure(
          "FETCH takes a request, a context, and YES to count or NO to fetch.", .arguments,
          at: start)
      }
      return .fetch(arguments[0], countsOnly: countsOnly)
    case "CAST":
      if arguments.count == 2, case .constant(let value) = arguments[0],
        case .constant(.string(let type)) = arguments[1],
        let cast = PredicateLiteral.cast(value, to: type)
      {
        return .constant(cast)
      }
      return .call("castObject:toType", arguments)
    default: return .call(name, arguments)
    }
  }
}

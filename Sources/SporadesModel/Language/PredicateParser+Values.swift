// SPDX-License-Identifier: MIT

extension PredicateParser {
  mutating func parsePrimary() throws(FetchPredicateError) -> Phrase {
    let start = token
    switch start.form {
    case .number(let digits):
      advance()
      return .expression(
        .constant(try PredicateLiteral.number(digits, isNegative: false, at: start.position)))
    case .string(let text):
      advance()
      return .expression(.constant(.string(text)))
    case .variable(let name):
      advance()
      return .expression(try parseVariable(name, start))
    case .placeholder("K"):
      advance()
      let steps = try takeKeyPathArgument(start)
      return .expression(try parseKeyPath(.object, steps, start))
    case .placeholder(let conversion):
      advance()
      return .expression(.constant(try arguments.takeConstant(conversion, start.position)))
    case .keyPathOperator: return .expression(try parseKeyPath(.object, [], start))
    case .sign("("): return try parseParenthesis()
    case .sign("{"): return .expression(try parseList())
    case .sign, .end:
      offer(.value)
      throw makeValueError()
    case .word(let name, let isName): return try parseWord(name, isName, start)
    }
  }

  private mutating func parseParenthesis() throws(FetchPredicateError) -> Phrase {
    let start = token
    advance()
    let inner = try parseNested { parser throws(FetchPredicateError) in
      try parser.parseDisjunction()
    }
    if token.isSign(",") { throw failure("A list is written in braces: {1, 2}.") }
    try expect(")")
    guard case .expression(let expression) = inner, let origin = origin(of: expression) else {
      return inner
    }
    return .expression(try parseKeyPath(origin.origin, origin.steps, start))
  }

  private mutating func parseList() throws(FetchPredicateError) -> FetchExpression {
    advance()
    var items: [FetchExpression] = []
    while !take(sign: "}") {
      if !items.isEmpty { try expect(",") }
      items.append(try parseNestedValue())
    }
    return .list(of: items)
  }

  /// Parses a variable. The key path after a variable that no subquery declares is a part of its name:
  /// `$FETCH_SOURCE.owner.name`.
  private mutating func parseVariable(
    _ name: String, _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    if variables.contains(where: { $0.name == name }) {
      return try parseKeyPath(.variable(name), [], start)
    }
    var path = name
    while take(sign: ".") {
      guard case .word(let next, _) = token.form else { throw failure("A name is missing here.") }
      path += "." + next
      advance()
    }
    if token.isSign("[") {
      throw failure(
        "A variable has no members to choose from; substitute the member itself.", .unsupported)
    }
    return .variable(path)
  }

  // MARK: - Words

  private mutating func parseWord(
    _ name: String, _ isName: Bool, _ start: PredicateToken
  ) throws(FetchPredicateError) -> Phrase {
    if isName {
      advance()
      return .expression(try parseKeyPath(.object, [.name(name)], start))
    }
    if let function = functionName { return .expression(try parseCall(function, start)) }
    advance()
    if let phrase = matchConstant(start) { return phrase }
    let reserved = start.word ?? ""
    if reserved == "SELF" { return .expression(try parseKeyPath(.object, [], start)) }
    if ReservedWord.all.contains(reserved), !["FIRST", "LAST", "SIZE"].contains(reserved) {
      throw failure(
        "\(reserved) is a word of the language; write #\(name) for a property with that name.",
        ["ANYKEY", "UTI"].contains(reserved) ? .unsupported : .syntax, at: start)
    }
    return .expression(try parseKeyPath(.object, [.name(name)], start))
  }

  private func matchConstant(_ start: PredicateToken) -> Phrase? {
    switch start.word {
    case "TRUE", "YES": .expression(.constant(.boolean(true)))
    case "FALSE", "NO": .expression(.constant(.boolean(false)))
    case "NULL", "NIL": .expression(.constant(.null))
    case "TRUEPREDICATE": .condition(.constant(true))
    case "FALSEPREDICATE": .condition(.constant(false))
    default: nil
    }
  }
}

extension FetchExpression {
  /// The list of expressions. A list of values is a constant.
  package static func list(of items: [FetchExpression]) -> FetchExpression {
    let constants = items.compactMap { if case .constant(let value) = $0 { value } else { nil } }
    return constants.count == items.count ? .constant(.list(constants)) : .list(items)
  }
}

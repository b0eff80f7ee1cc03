// SPDX-License-Identifier: MIT

extension PredicateParser {
  mutating func parseSum() throws(FetchPredicateError) -> Phrase {
    try parseOperations(["+": .add, "-": .subtract]) { parser throws(FetchPredicateError) in
      try parser.parseProduct()
    }
  }

  private mutating func parseProduct() throws(FetchPredicateError) -> Phrase {
    try parseOperations(["*": .multiply, "/": .divide]) { parser throws(FetchPredicateError) in
      try parser.parseSigned()
    }
  }

  /// Parses operations of one rank, grouped from the left.
  ///
  /// Each operation makes the tree one level deeper, so the parser bounds their number as it bounds
  /// nesting.
  private mutating func parseOperations(
    _ signs: [String: ArithmeticOperator],
    _ operand: (inout PredicateParser) throws(FetchPredicateError) -> Phrase
  ) throws(FetchPredicateError) -> Phrase {
    let start = token
    var left = try operand(&self)
    var count = 0
    while case .sign(let sign) = token.form, let operation = signs[sign] {
      count += 1
      guard count < Self.largestDepth else {
        throw failure(
          "More than \(Self.largestDepth) operations follow each other; use fewer.", .tooDeep)
      }
      advance()
      let rightStart = token
      left = .expression(
        .arithmetic(
          operation, try requireExpression(left, start),
          try requireExpression(operand(&self), rightStart)))
    }
    return left
  }

  /// Parses a number with its sign, or a minus before another value, which means zero minus the value.
  private mutating func parseSigned() throws(FetchPredicateError) -> Phrase {
    guard take(sign: "-") else { return try parsePrimary() }
    if case .number(let digits) = token.form {
      let value = try PredicateLiteral.number(digits, isNegative: true, at: token.position)
      advance()
      return .expression(.constant(value))
    }
    let start = token
    let inner = try parseNested { parser throws(FetchPredicateError) in try parser.parseSigned() }
    return .expression(
      .arithmetic(.subtract, .constant(.integer(0)), try requireExpression(inner, start)))
  }

  /// Parses the key path after a variable. Both together name one variable: `$FETCH_SOURCE.owner.name`.
  private mutating func parseVariablePath(_ name: String) throws(FetchPredicateError) -> String {
    var path = name
    while token.isSign(".") {
      advance()
      guard case .word(let next, _) = token.form else { throw failure("A name is missing here.") }
      path += "." + next
      advance()
    }
    return path
  }

  private mutating func parsePrimary() throws(FetchPredicateError) -> Phrase {
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
      return .expression(.variable(try parseVariablePath(name)))
    case .placeholder("K"):
      advance()
      return .expression(try parseKeyPath(arguments.takeKeyPath(start.position), start))
    case .placeholder(let conversion):
      advance()
      return .expression(.constant(try arguments.takeConstant(conversion, start.position)))
    case .keyPathOperator: return .expression(try parseKeyPath([], start))
    case .sign("("): return try parseParenthesis()
    case .sign("{"): return .expression(try parseList())
    case .sign("~"): throw failure("The operator ~ is not supported.", .unsupported)
    case .sign, .end: throw makeValueError()
    case .word(let name, let isName): return try parseWord(name, isName, start)
    }
  }

  private mutating func parseParenthesis() throws(FetchPredicateError) -> Phrase {
    advance()
    let inner = try parseNested { parser throws(FetchPredicateError) in
      try parser.parseDisjunction()
    }
    if token.isSign(",") { throw failure("A list is written in braces: {1, 2}.") }
    try expect(")")
    return inner
  }

  private mutating func parseList() throws(FetchPredicateError) -> FetchExpression {
    advance()
    var items: [FetchExpression] = []
    while !token.isSign("}") {
      if !items.isEmpty { try expect(",") }
      let start = token
      let item = try parseNested { parser throws(FetchPredicateError) in try parser.parseSum() }
      items.append(try requireExpression(item, start))
    }
    advance()
    let constants = items.compactMap { if case .constant(let value) = $0 { value } else { nil } }
    return constants.count == items.count ? .constant(.list(constants)) : .list(items)
  }

  // MARK: - Words

  private mutating func parseWord(
    _ name: String, _ isName: Bool, _ start: PredicateToken
  ) throws(FetchPredicateError) -> Phrase {
    advance()
    if !isName {
      if name == "indexed", token.isSign(":"), tokenAfter.word == "BY" {
        return .expression(try parseIndexed(start))
      }
      if token.isSign("(") || (token.isSign(":") && tokenAfter.isSign("(")) {
        return .expression(try parseFunction(name, start))
      }
      if let phrase = try matchConstant(start) { return phrase }
      let reserved = start.word ?? ""
      if ReservedWord.all.contains(reserved), !["FIRST", "LAST", "SIZE", "SELF"].contains(reserved)
      {
        throw failure(
          "\(reserved) is a word of the language; write #\(name) for a property with that name.",
          ["ANYKEY", "UNION", "INTERSECT", "MINUS", "UTI"].contains(reserved)
            ? .unsupported : .syntax, at: start)
      }
      if reserved == "SELF" { return .expression(try parseKeyPath([], start)) }
    }
    return .expression(try parseKeyPath([name], start))
  }

  private func matchConstant(_ start: PredicateToken) throws(FetchPredicateError) -> Phrase? {
    switch start.word {
    case "TRUE", "YES": .expression(.constant(.boolean(true)))
    case "FALSE", "NO": .expression(.constant(.boolean(false)))
    case "NULL", "NIL": .expression(.constant(.null))
    case "TRUEPREDICATE": .condition(.constant(true))
    case "FALSEPREDICATE": .condition(.constant(false))
    default: nil
    }
  }

  /// Parses `indexed:by:(latitude, "byPlace")` from its colon on.
  private mutating func parseIndexed(
    _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    advance()
    advance()
    try expect(":")
    try expect("(")
    let pathStart = token
    let path = try parseNested { parser throws(FetchPredicateError) in try parser.parsePrimary() }
    try expect(",")
    let nameStart = token
    let name = try parseNested { parser throws(FetchPredicateError) in try parser.parsePrimary() }
    try expect(")")
    guard case .keyPath(let names) = try requireExpression(path, pathStart),
      case .constant(.string(let index)) = try requireExpression(name, nameStart)
    else {
      throw failure(
        "indexed:by: takes a key path and the name of an index in quotes.", at: start)
    }
    return .indexed(names, by: index)
  }

  /// Parses `CAST` of a literal, and refuses every other function.
  private mutating func parseFunction(
    _ name: String, _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    guard name.uppercased() == "CAST", take(sign: "(") else {
      let colon = token.isSign(":") ? ":" : ""
      let remedy =
        name.uppercased() == "SUBQUERY"
        ? " Ask with ANY, ALL, NONE or @count, or fetch the other entity and use IN." : ""
      throw failure("\(name)\(colon)() is not supported.\(remedy)", .unsupported, at: start)
    }
    let literalStart = token
    let literal = try parseNested { parser throws(FetchPredicateError) in try parser.parseSum() }
    try expect(",")
    guard case .constant(let value) = try requireExpression(literal, literalStart),
      case .string(let type) = token.form, let cast = PredicateLiteral.cast(value, to: type)
    else {
      throw failure(
        "CAST takes only the literals that predicateFormat writes.", .unsupported, at: start)
    }
    advance()
    try expect(")")
    return .constant(cast)
  }

  // MARK: - Key paths

  /// Parses the key path in an argument.
  private mutating func parseKeyPath(
    _ text: String, _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ !$0.isEmpty && $0 != "@" }) else {
      throw failure("The argument of %K is not a key path.", .arguments, at: start)
    }
    return try parseKeyPath(names, start)
  }

  /// Parses the names after the first names of a key path.
  private mutating func parseKeyPath(
    _ first: [String], _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    var names = first
    if case .keyPathOperator(let name) = token.form, names.isEmpty {
      names.append("@\(name)")
      advance()
    }
    while take(sign: ".") {
      switch token.form {
      case .word(let name, _): names.append(name)
      case .keyPathOperator(let name): names.append("@\(name)")
      default: throw failure("The name after the point is missing here.")
      }
      advance()
    }
    if token.isSign("[") {
      throw failure("Taking one element of a collection, [ ], is not supported.", .unsupported)
    }
    return try makeKeyPath(names, start)
  }

  private func makeKeyPath(
    _ names: [String], _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    var names = names.first == "SELF" ? Array(names.dropFirst()) : names
    // An object stands for its id, and no property can have this name.
    if names.last == "objectID" { names.removeLast() }
    guard let index = names.firstIndex(where: { $0.hasPrefix("@") }) else {
      return names.isEmpty ? .subject : .keyPath(names)
    }
    let name = String(names[index].dropFirst())
    let following = Array(names[(index + 1)...])
    guard !following.contains(where: { $0.hasPrefix("@") }) else {
      throw failure("A key path with two operators is not supported.", .unsupported, at: start)
    }
    if name == "count", following.isEmpty { return .count(Array(names[..<index])) }
    guard let function = AggregateFunction(spelling: name), !following.isEmpty else {
      throw failure("@\(name) is not supported here.", .unsupported, at: start)
    }
    return .aggregate(function, Array(names[..<index]) + following)
  }
}

// SPDX-License-Identifier: MIT

extension PredicateParser {
  mutating func sum() throws(FetchPredicateError) -> Phrase {
    try operation(["+": .add, "-": .subtract]) { parser throws(FetchPredicateError) in
      try parser.product()
    }
  }

  private mutating func product() throws(FetchPredicateError) -> Phrase {
    try operation(["*": .multiply, "/": .divide]) { parser throws(FetchPredicateError) in
      try parser.signed()
    }
  }

  /// Operations of one rank, grouped from the left. Each makes the tree one level deeper, so their
  /// number is bounded as nesting is.
  private mutating func operation(
    _ signs: [String: ArithmeticOperator],
    _ operand: (inout PredicateParser) throws(FetchPredicateError) -> Phrase
  ) throws(FetchPredicateError) -> Phrase {
    let start = token
    var left = try operand(&self)
    var count = 0
    while case .sign(let sign) = token.form, let operation = signs[sign] {
      count += 1
      guard count < Self.largestDepth else {
        throw failure("More than \(Self.largestDepth) operations stand in a row.", .tooDeep)
      }
      advance()
      let rightStart = token
      left = .expression(
        .arithmetic(
          operation, try expression(left, start), try expression(operand(&self), rightStart)))
    }
    return left
  }

  /// A number with its sign, or nothing less what follows a minus.
  private mutating func signed() throws(FetchPredicateError) -> Phrase {
    guard take(sign: "-") else { return try primary() }
    if case .number(let digits) = token.form {
      let value = try PredicateLiteral.number(digits, isNegative: true, at: token.position)
      advance()
      return .expression(.constant(value))
    }
    let start = token
    let inner = try nested { parser throws(FetchPredicateError) in try parser.signed() }
    return .expression(.arithmetic(.subtract, .constant(.integer(0)), try expression(inner, start)))
  }

  /// A key path from a variable is a variable too, by the whole name: `$FETCH_SOURCE.owner.name`.
  private mutating func variablePath(_ name: String) throws(FetchPredicateError) -> String {
    var path = name
    while token.isSign(".") {
      advance()
      guard case .word(let next, _) = token.form else { throw failure("A name is missing here.") }
      path += "." + next
      advance()
    }
    return path
  }

  private mutating func primary() throws(FetchPredicateError) -> Phrase {
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
      return .expression(.variable(try variablePath(name)))
    case .placeholder("K"):
      advance()
      return .expression(try keyPath(arguments.keyPath(start.position), start))
    case .placeholder(let conversion):
      advance()
      return .expression(.constant(try arguments.constant(conversion, start.position)))
    case .keyPathOperator: return .expression(try keyPath([], start))
    case .sign("("): return try parenthesis()
    case .sign("{"): return .expression(try list())
    case .sign("~"): throw failure("The operator ~ is not supported.", .unsupported)
    case .sign, .end: throw failure("A value is missing here.")
    case .word(let name, let isName): return try word(name, isName, start)
    }
  }

  private mutating func parenthesis() throws(FetchPredicateError) -> Phrase {
    advance()
    let inner = try nested { parser throws(FetchPredicateError) in try parser.disjunction() }
    try expect(")")
    return inner
  }

  private mutating func list() throws(FetchPredicateError) -> FetchExpression {
    advance()
    var items: [FetchExpression] = []
    while !token.isSign("}") {
      if !items.isEmpty { try expect(",") }
      let start = token
      let item = try nested { parser throws(FetchPredicateError) in try parser.sum() }
      items.append(try expression(item, start))
    }
    advance()
    let constants = items.compactMap { if case .constant(let value) = $0 { value } else { nil } }
    return constants.count == items.count ? .constant(.list(constants)) : .list(items)
  }

  // MARK: - Words

  private mutating func word(
    _ name: String, _ isName: Bool, _ start: PredicateToken
  ) throws(FetchPredicateError) -> Phrase {
    advance()
    if !isName {
      if token.isSign("(") || (token.isSign(":") && tokenAfter.isSign("(")) {
        return .expression(try function(name, start))
      }
      if let phrase = try constant(start) { return phrase }
      let reserved = start.word ?? ""
      if ReservedWord.all.contains(reserved), !["FIRST", "LAST", "SIZE", "SELF"].contains(reserved)
      {
        throw failure(
          "\(reserved) is a word of the language; a property of that name is written #\(name).",
          ["ANYKEY", "UNION", "INTERSECT", "MINUS", "UTI"].contains(reserved)
            ? .unsupported : .syntax, at: start)
      }
      if reserved == "SELF" { return .expression(try keyPath([], start)) }
    }
    return .expression(try keyPath([name], start))
  }

  private func constant(_ start: PredicateToken) throws(FetchPredicateError) -> Phrase? {
    switch start.word {
    case "TRUE", "YES": .expression(.constant(.boolean(true)))
    case "FALSE", "NO": .expression(.constant(.boolean(false)))
    case "NULL", "NIL": .expression(.constant(.null))
    case "TRUEPREDICATE": .condition(.constant(true))
    case "FALSEPREDICATE": .condition(.constant(false))
    default: nil
    }
  }

  /// `CAST` of a literal; no other function can be expressed.
  private mutating func function(
    _ name: String, _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    guard name.uppercased() == "CAST", take(sign: "(") else {
      let colon = token.isSign(":") ? ":" : ""
      throw failure("\(name)\(colon)() is not supported.", .unsupported, at: start)
    }
    let literalStart = token
    let literal = try nested { parser throws(FetchPredicateError) in try parser.sum() }
    try expect(",")
    guard case .constant(let value) = try expression(literal, literalStart),
      case .string(let type) = token.form, let cast = PredicateLiteral.cast(value, to: type)
    else {
      throw failure(
        "CAST is supported of literals of its own making only.", .unsupported, at: start)
    }
    advance()
    try expect(")")
    return .constant(cast)
  }

  // MARK: - Key paths

  /// The key path an argument spells.
  private mutating func keyPath(
    _ text: String, _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ !$0.isEmpty && $0 != "@" }) else {
      throw failure("The argument of %K is no key path.", .arguments, at: start)
    }
    return try keyPath(names, start)
  }

  /// Reads what follows the first names of a key path.
  private mutating func keyPath(
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
      default: throw failure("A key path breaks off here.")
      }
      advance()
    }
    if token.isSign("[") {
      throw failure("Taking one of a collection, [ ], is not supported.", .unsupported)
    }
    return try expression(names, start)
  }

  private func expression(
    _ names: [String], _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    let names = names.first == "SELF" ? Array(names.dropFirst()) : names
    guard let place = names.firstIndex(where: { $0.hasPrefix("@") }) else {
      return names.isEmpty ? .subject : .keyPath(names)
    }
    let name = String(names[place].dropFirst())
    let rest = Array(names[(place + 1)...])
    guard !rest.contains(where: { $0.hasPrefix("@") }) else {
      throw failure("A key path with two operators is not supported.", .unsupported, at: start)
    }
    if name == "count", rest.isEmpty { return .count(Array(names[..<place])) }
    guard let function = AggregateFunction(spelling: name), !rest.isEmpty else {
      throw failure("@\(name) is not supported here.", .unsupported, at: start)
    }
    return .aggregate(function, Array(names[..<place]) + rest)
  }
}

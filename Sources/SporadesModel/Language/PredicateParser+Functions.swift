// SPDX-License-Identifier: MIT

extension PredicateParser {
  /// A function's name at the current token, and the number of its tokens up to the opening parenthesis.
  typealias FunctionName = (text: String, length: Int)

  /// The function's name that begins here: words and colons before an opening parenthesis.
  var functionName: FunctionName? {
    guard case .word(var name, isName: false) = token.form else { return nil }
    var count = 1
    while token(after: count).isSign(":") {
      count += 1
      guard case .word(let part, _) = token(after: count).form else { break }
      name += ":" + part
      count += 1
    }
    guard token(after: count).isSign("(") else { return nil }
    let isOperator = count == 1 && ReservedWord.standsBeforeParenthesis(name)
    return isOperator ? nil : (name, count)
  }

  mutating func parseCall(
    _ name: FunctionName, _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    for _ in 0...name.length { advance() }
    guard let call = PredicateCall(name.text) else {
      throw failure(PredicateCall.describeUnknown(name.text), .unsupported, at: start)
    }
    switch call {
    case .form(.cast), .cast: return try parseCast(start)
    case .form(.ternary): return try parseTernary()
    case .form(.subquery): return try parseSubquery(start)
    case .form(.function): return try parseMethod(start)
    case .element: return try parseElement(start)
    case .indexed: return try parseIndexed(start)
    case .function, .operation: return try make(call, of: parseArguments(), name.text, start)
    }
  }

  private mutating func parseArguments() throws(FetchPredicateError) -> [FetchExpression] {
    var arguments: [FetchExpression] = []
    while !take(sign: ")") {
      if !arguments.isEmpty { try expect(",") }
      arguments.append(try parseNestedValue())
    }
    return arguments
  }

  private func make(
    _ call: PredicateCall, of arguments: [FetchExpression], _ name: String, _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    switch (call, arguments.count) {
    case (.operation(let operation), 2):
      return .arithmetic(operation, arguments[0], arguments[1])
    case (.function(let function), 2...) where function.takesMany:
      return .function(function, [.list(of: arguments)])
    case (.function(.concat), 3...):
      return arguments.dropFirst().reduce(arguments[0]) { .function(.concat, [$0, $1]) }
    case (.function(let function), let count):
      guard count == function.argumentCount else {
        throw makeCountError(name, function.argumentCount, count, start)
      }
      return .function(function, arguments)
    default: throw makeCountError(name, 2, arguments.count, start)
    }
  }

  private func makeCountError(
    _ name: String, _ needed: Int, _ given: Int, _ start: PredicateToken
  ) -> FetchPredicateError {
    let words = ["no arguments", "one argument", "two arguments", "three arguments"]
    return failure("\(name) takes \(words[needed]), not \(given).", at: start)
  }

  // MARK: - Calls with a grammar of their own

  /// Parses `CAST(age, "NSString")` behind its parenthesis. A literal becomes a constant of the type.
  private mutating func parseCast(
    _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    let isLiteral = token.isLiteral
    let inner = try parseNestedValue()
    try expect(",")
    offer(.castTypes(of: inner, isLiteral: isLiteral))
    guard case .string(let name) = token.form else {
      throw failure("The name of a type in quotes is missing here, such as 'NSString'.")
    }
    let typeToken = token
    advance()
    try expect(")")
    if isLiteral, case .constant(let value) = inner {
      if name == PredicateLiteral.idType { return .constant(try parseID(value, start)) }
      if let cast = PredicateLiteral.cast(value, to: name) { return .constant(cast) }
    }
    guard let type = CastType(rawValue: name) else {
      let isKnown = PredicateLiteral.types.contains(name)
      let known = CastType.allCases.map(\.rawValue).joined(separator: ", ")
      throw failure(
        isKnown
          ? "CAST to \(name) takes a text in quotes that \(name) can read."
          : "CAST takes the types \(known).", .unsupported, at: isKnown ? start : typeToken)
    }
    return .cast(inner, to: type)
  }

  private func parseID(
    _ value: Value, _ start: PredicateToken
  ) throws(FetchPredicateError) -> Value {
    guard case .string(let text) = value else {
      throw failure("The URI of an object's id is a text in quotes.", at: start)
    }
    guard let id = ManagedObjectID(ofOpenStore: text) else {
      throw failure(
        "No open store has this object's id, or several do; pass the object or its id as the argument of %@.",
        .arguments, at: start)
    }
    return .objectID(id)
  }

  /// Parses `TERNARY(age > 17, "adult", "child")` behind its parenthesis.
  private mutating func parseTernary() throws(FetchPredicateError) -> FetchExpression {
    let condition = try parseNestedCondition()
    try expect(",")
    let first = try parseNestedValue()
    try expect(",")
    let second = try parseNestedValue()
    try expect(")")
    return .conditional(condition, first, second)
  }

  /// Parses `SUBQUERY(pets, $p, $p.age > 3).@count` behind its parenthesis.
  private mutating func parseSubquery(
    _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    let pathStart = token
    guard case .keyPath(let path) = try parseNestedValue() else {
      throw failure("SUBQUERY takes a key path to many objects here.", at: pathStart)
    }
    try expect(",")
    offer(.newVariable)
    guard case .variable(let name) = token.form else {
      throw failure("The variable of the subquery is missing here, such as $x.")
    }
    advance()
    try expect(",")
    variables.append(Variable(name: name, path: resolve(path)))
    let condition = try parseNestedCondition()
    let value = take(sign: ",") ? try parseNestedValue() : nil
    variables.removeLast()
    try expect(")")
    return try parseKeyPath(
      .subquery(path, .init(name, condition, computing: value)), [], start)
  }

  /// Parses `FUNCTION(name, "uppercaseString")` behind its parenthesis.
  private mutating func parseMethod(
    _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    let first = try parseNestedValue()
    try expect(",")
    guard case .string(let name) = token.form else {
      throw failure("The name of a function in quotes is missing here, such as 'uppercase:'.")
    }
    advance()
    let others = take(sign: ",") ? try parseArguments() : try closeArguments()
    guard let call = PredicateCall(method: name) else {
      throw failure(
        "FUNCTION can not call \(name), which is a method of a class; no store can run it. It takes the names of "
          + "the language's functions.", .unsupported, at: start)
    }
    return try make(call, of: [first] + others, name, start)
  }

  private mutating func closeArguments() throws(FetchPredicateError) -> [FetchExpression] {
    try expect(")")
    return []
  }

  /// Parses `objectFrom:withIndex:(chapters, FIRST)` behind its parenthesis.
  private mutating func parseElement(
    _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    let path = try parseNestedValue()
    try expect(",")
    let names: [String] = if case .keyPath(let names) = path { resolve(names) } else { [] }
    let place = try parsePlace(after: names)
    try expect(")")
    switch (path, place) {
    case (.keyPath(let names), .element(let place)): return .element(names, at: place, then: [])
    case (.keyPath(let names), .size): return .count(names)
    default:
      throw failure("objectFrom:withIndex: takes a key path and a place, such as FIRST.", at: start)
    }
  }

  /// Parses `indexed:by:(latitude, "byPlace")` behind its parenthesis.
  private mutating func parseIndexed(
    _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    let path = try parseNestedValue()
    try expect(",")
    let name = try parseNestedValue()
    try expect(")")
    guard case .keyPath(let names) = path, case .constant(.string(let index)) = name else {
      throw failure(
        "indexed:by: takes a key path and the name of an index in quotes.", at: start)
    }
    return .indexed(names, by: index)
  }
}

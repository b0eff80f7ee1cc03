// SPDX-License-Identifier: MIT

extension PredicateParser {
  /// The place where a key path begins.
  enum Origin {
    /// The fetched object.
    case object
    /// The member that a variable of a subquery stands for.
    case variable(String)
    /// The members that a subquery selects.
    case subquery([String], FetchCollection.Filter)
  }

  /// One step of a key path.
  enum Step: Equatable {
    case name(String)
    /// `@count`, without its sign.
    case operation(String)
    case element(ElementPlace)
    /// `[SIZE]`
    case size

    var name: String? { if case .name(let name) = self { name } else { nil } }
  }

  /// Takes the argument of `%K`: names and operators with points between them.
  mutating func takeKeyPathArgument(
    _ start: PredicateToken
  ) throws(FetchPredicateError) -> [Step] {
    let text = try arguments.takeKeyPath(start.position)
    var names = text.propertyNames
    guard names.allSatisfy({ !$0.isEmpty && $0 != "@" && $0.variableName == nil }) else {
      throw failure("The argument of %K is not a key path.", .arguments, at: start)
    }
    if names.first?.uppercased() == "SELF" { names.removeFirst() }
    return names.map { $0.first == "@" ? .operation(String($0.dropFirst())) : .name($0) }
  }

  /// Parses the steps after the first steps of a key path.
  mutating func parseKeyPath(
    _ origin: Origin, _ first: [Step], _ start: PredicateToken
  ) throws(FetchPredicateError) -> FetchExpression {
    var steps = first
    if case .keyPathOperator(let name) = token.form, steps.isEmpty {
      steps.append(.operation(name))
      advance()
    }
    while true {
      let names = names(origin) + steps.compactMap(\.name)
      offer(.steps(after: names))
      guard steps.count <= KeyPathShape.largestCount else {
        throw failure(KeyPathShape.refusal(of: names).detail, .tooDeep, at: start)
      }
      if take(".") {
        if case .placeholder("K") = token.form {
          let start = token
          advance()
          steps += try takeKeyPathArgument(start)
        } else {
          steps.append(try parseStep(after: steps, origin))
        }
      } else if take("[") {
        steps.append(try parseIndex(after: names))
      } else {
        break
      }
    }
    return try KeyPathBuilder(parser: self, start: start, origin: origin).build(steps)
  }

  private mutating func parseStep(
    after steps: [Step], _ origin: Origin
  ) throws(FetchPredicateError) -> Step {
    if token.form == .end { offer(.keys(after: names(origin) + steps.compactMap(\.name))) }
    defer { advance() }
    switch token.form {
    case .word(let name, _): return .name(name)
    case .keyPathOperator(let name): return .operation(name)
    default: throw failure("The name after the point is missing here.")
    }
  }

  private func names(_ origin: Origin) -> [String] {
    switch origin {
    case .object: []
    case .variable(let name): variables.last { $0.name == name }?.path ?? []
    case .subquery(let path, _): resolve(path)
    }
  }

  /// The key path from the fetched object on, for a key path that may begin at a variable.
  func resolve(_ path: [String]) -> [String] {
    guard let name = path.first?.variableName,
      let variable = variables.last(where: { $0.name == name })
    else { return path }
    return variable.path + path.dropFirst()
  }

  /// Takes a sign that ``PredicateOffer/steps(after:)`` has offered.
  private mutating func take(_ sign: String) -> Bool {
    guard token.isSign(sign) else { return false }
    advance()
    return true
  }

  private mutating func parseIndex(after names: [String]) throws(FetchPredicateError) -> Step {
    let step = try parsePlace(after: names)
    try expect("]")
    return step
  }

  /// Parses the place of a member in an ordered relationship.
  mutating func parsePlace(after names: [String]) throws(FetchPredicateError) -> Step {
    offer(.places(of: names))
    let start = token
    advance()
    let step: Step
    switch start.form {
    case .number(let digits):
      guard let index = Int(digits) else {
        throw failure("The place of a member is a whole number, from 0 on.", at: start)
      }
      step = .element(.index(index))
    case .word where start.word == "FIRST": step = .element(.first)
    case .word where start.word == "LAST": step = .element(.last)
    case .word where start.word == "SIZE": step = .size
    case .string:
      throw failure(
        "No store looks into a dictionary by a key; make an attribute of the value.", .unsupported,
        at: start)
    default:
      throw failure(
        "The place of a member is FIRST, LAST, SIZE or a number from 0 on.",
        start.isValue ? .unsupported : .syntax, at: start)
    }
    return step
  }

  /// The origin and the steps of a key path that stood in parentheses; nil for another expression.
  func origin(of expression: FetchExpression) -> (origin: Origin, steps: [Step])? {
    guard token.isSign(".") || token.isSign("[") else { return nil }
    switch expression {
    case .subject: return (.object, [])
    case .keyPath(let names):
      guard let variable = names.first?.variableName else { return (.object, names.map(Step.name)) }
      return (.variable(variable), names.dropFirst().map(Step.name))
    default: return nil
    }
  }
}

/// Makes an expression of the steps of a key path.
private struct KeyPathBuilder {
  typealias Step = PredicateParser.Step

  let parser: PredicateParser
  let start: PredicateToken
  let origin: PredicateParser.Origin

  private func failure(
    _ detail: String, _ code: FetchPredicateError.Code = .unsupported
  ) -> FetchPredicateError { parser.failure(detail, code, at: start) }

  func build(_ steps: [Step]) throws(FetchPredicateError) -> FetchExpression {
    let names = steps.prefix { $0.name != nil }.compactMap(\.name)
    let rest = steps.dropFirst(names.count)
    let following = rest.dropFirst().compactMap(\.name)
    switch rest.first {
    case nil, .name: return plain(names)
    case .size:
      guard rest.count == 1 else { throw failure("Nothing can follow [SIZE].", .syntax) }
      return count(names)
    case .element(let place):
      if case .subquery = origin {
        throw failure("The members that a subquery selects have no order, so none is the first.")
      }
      guard following.count == rest.count - 1 else {
        throw failure("Only names can follow the place of a member.")
      }
      return .element(path(names), at: place, then: following)
    case .operation(let name): return try operate(name, names, rest.dropFirst())
    }
  }

  private func path(_ names: [String]) -> [String] {
    if case .variable(let name) = origin { ["$\(name)"] + names } else { names }
  }

  private func plain(_ names: [String]) -> FetchExpression {
    // An object stands for its id, and no property can have this name.
    let names = names.last == "objectID" ? names.dropLast() : names
    switch origin {
    case .object: return names.isEmpty ? .subject : .keyPath(names)
    case .variable(let name): return names.isEmpty ? .variable(name) : .keyPath(path(names))
    case .subquery(let path, let filter):
      return .collection(FetchCollection(path, where: filter, values: names))
    }
  }

  private func count(_ names: [String]) -> FetchExpression {
    guard case .subquery(let path, let filter) = origin else { return .count(self.path(names)) }
    return .collection(FetchCollection(path, where: filter, values: names, asking: .count))
  }

  // MARK: - Operators

  private static let unions: [String: FetchCollection.Union] = [
    "unionOfObjects": .present, "unionOfArrays": .present, "unionOfSets": .present,
    "distinctUnionOfObjects": .distinct, "distinctUnionOfArrays": .distinct,
    "distinctUnionOfSets": .distinct,
  ]

  private func operate(
    _ name: String, _ names: [String], _ rest: ArraySlice<Step>
  ) throws(FetchPredicateError) -> FetchExpression {
    let following = rest.compactMap(\.name)
    if let union = Self.unions[name] { return try unite(union, names, rest) }
    guard following.count == rest.count else {
      throw failure("A key path with two operators is not supported.")
    }
    if name == "count", following.isEmpty { return count(names) }
    guard let function = AggregateFunction(spelling: name), !following.isEmpty else {
      throw failure(describe(name))
    }
    guard case .subquery(let path, let filter) = origin else {
      return .aggregate(function, self.path(names) + following)
    }
    return .collection(
      FetchCollection(
        path, where: filter, values: names + following, asking: .aggregate(function)))
  }

  /// Makes the collection of `@distinctUnionOfObjects.name` and its kin. An operator behind it asks for the number
  /// or an aggregate of the values.
  private func unite(
    _ union: FetchCollection.Union, _ names: [String], _ rest: ArraySlice<Step>
  ) throws(FetchPredicateError) -> FetchExpression {
    var values = rest.prefix { $0.name != nil }.compactMap(\.name)
    var after = rest.dropFirst(values.count)
    if after.last == .name("self") { after.removeLast() }
    if values.last == "self" { values.removeLast() }
    var collection =
      if case .subquery(let path, let filter) = origin {
        FetchCollection(path, where: filter, values: names + values, union: union)
      } else {
        FetchCollection(path(names), values: values, union: union)
      }
    switch (after.first, after.count) {
    case (nil, 0): break
    case (.size, 1), (.operation("count"), 1): collection.question = .count
    case (.operation(let name), 1):
      guard let function = AggregateFunction(spelling: name) else { throw failure(describe(name)) }
      collection.question = .aggregate(function)
    default: throw failure("Only @count, @sum, @min, @max or @avg can follow a union of values.")
    }
    return .collection(collection)
  }

  private func describe(_ name: String) -> String {
    let known = ["count", "sum", "min", "max", "avg"] + Self.unions.keys
    if ["count", "sum", "min", "max", "avg"].contains(name) {
      return name == "count"
        ? "@count stands at the end of a key path."
        : "@\(name) is not supported here; write the attribute behind it: pets.@\(name).age."
    }
    return "@\(name) is not supported here.\(NearNames(name, among: known).hint)"
  }
}

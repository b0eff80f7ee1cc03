// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// Whether a product brought a condition of the predicate, or the program.
  package var hasOpenConditions: Bool {
    switch self {
    case .constant: false
    case .open: true
    case .comparison(let comparison):
      comparison.left.hasOpenConditions || comparison.right.hasOpenConditions
    case .not(let inner): inner.hasOpenConditions
    case .and(let parts), .or(let parts): parts.contains(where: \.hasOpenConditions)
    }
  }

  /// The variables of subqueries, each with the key path from the fetched object to its members.
  package typealias Variables = [String: [String]]

  /// The predicate with its open conditions replaced, also those in expressions. `body` gets the variables around each.
  ///
  /// The functions are `dynamic`, so that the compiler makes no copy of them for each closure.
  package dynamic func mappingConditions(
    _ variables: Variables = [:],
    _ body: (OpenCondition, Variables) throws(FetchPredicateError) -> OpenCondition
  ) throws(FetchPredicateError) -> FetchPredicate {
    switch self {
    case .constant: return self
    case .open(let condition): return .open(try body(condition, variables))
    case .comparison(var comparison):
      guard hasOpenConditions else { return self }
      comparison.left = try comparison.left.mappingConditions(variables, body)
      comparison.right = try comparison.right.mappingConditions(variables, body)
      return .comparison(comparison)
    case .not(let inner): return .not(try inner.mappingConditions(variables, body))
    case .and(let parts): return .and(try parts.mappingConditions(variables, body))
    case .or(let parts): return .or(try parts.mappingConditions(variables, body))
    }
  }
}

extension [FetchPredicate] {
  fileprivate dynamic func mappingConditions(
    _ variables: FetchPredicate.Variables,
    _ body: (OpenCondition, FetchPredicate.Variables) throws(FetchPredicateError) -> OpenCondition
  ) throws(FetchPredicateError) -> [FetchPredicate] {
    var mapped: [FetchPredicate] = []
    for part in self { mapped.append(try part.mappingConditions(variables, body)) }
    return mapped
  }
}

extension FetchExpression {
  fileprivate var hasOpenConditions: Bool {
    switch self {
    case .constant, .keyPath, .indexed, .subject, .variable, .count, .aggregate, .element, .refused:
      false
    case .list(let parts), .function(_, let parts): parts.contains(where: \.hasOpenConditions)
    case .arithmetic(_, let left, let right), .combined(_, let left, let right):
      left.hasOpenConditions || right.hasOpenConditions
    case .conditional(let condition, let first, let second):
      condition.hasOpenConditions || first.hasOpenConditions || second.hasOpenConditions
    case .cast(let inner, _): inner.hasOpenConditions
    case .collection(let collection): collection.filter?.condition.hasOpenConditions ?? false
    }
  }

  fileprivate dynamic func mappingConditions(
    _ variables: FetchPredicate.Variables,
    _ body: (OpenCondition, FetchPredicate.Variables) throws(FetchPredicateError) -> OpenCondition
  ) throws(FetchPredicateError) -> FetchExpression {
    guard hasOpenConditions else { return self }
    switch self {
    case .constant, .keyPath, .indexed, .subject, .variable, .count, .aggregate, .element, .refused:
      return self
    case .list(let parts): return .list(try parts.mappingConditions(variables, body))
    case .function(let function, let parts):
      return .function(function, try parts.mappingConditions(variables, body))
    case .arithmetic(let operation, let left, let right):
      return .arithmetic(
        operation, try left.mappingConditions(variables, body),
        try right.mappingConditions(variables, body))
    case .combined(let operation, let left, let right):
      return .combined(
        operation, try left.mappingConditions(variables, body),
        try right.mappingConditions(variables, body))
    case .conditional(let condition, let first, let second):
      return .conditional(
        try condition.mappingConditions(variables, body),
        try first.mappingConditions(variables, body),
        try second.mappingConditions(variables, body))
    case .cast(let inner, let type):
      return .cast(try inner.mappingConditions(variables, body), to: type)
    case .collection(var collection):
      if let filter = collection.filter {
        var inner = variables
        inner[filter.variable] = collection.path.following(variables)
        collection.filter?.condition = try filter.condition.mappingConditions(inner, body)
      }
      return .collection(collection)
    }
  }
}

extension [FetchExpression] {
  fileprivate dynamic func mappingConditions(
    _ variables: FetchPredicate.Variables,
    _ body: (OpenCondition, FetchPredicate.Variables) throws(FetchPredicateError) -> OpenCondition
  ) throws(FetchPredicateError) -> [FetchExpression] {
    var mapped: [FetchExpression] = []
    for part in self { mapped.append(try part.mappingConditions(variables, body)) }
    return mapped
  }
}

extension [String] {
  /// The key path from the fetched object, in place of one that begins at a variable.
  func following(_ variables: FetchPredicate.Variables) -> [String] {
    guard let name = first?.variableName, let start = variables[name] else { return self }
    return start + dropFirst()
  }
}

// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// The predicate with values in place of variables. A variable without a value stays. A value may
  /// be whatever `%@` takes.
  public func substituting(_ values: [String: Any?]) -> FetchPredicate {
    mappingOperands { operand in
      if case .variable(let name) = operand, let value = values[name] {
        .constant(converting: value)
      } else {
        operand
      }
    }
  }

  /// The names of the variables that need a value before a fetch can use the predicate. A variable with a
  /// key path after it counts as one variable.
  public var variableNames: Set<String> {
    switch self {
    case .constant: []
    case .comparison(let comparison):
      comparison.left.variableNames.union(comparison.right.variableNames)
    case .not(let inner): inner.variableNames
    case .and(let parts), .or(let parts): parts.reduce(into: []) { $0.formUnion($1.variableNames) }
    }
  }
}

extension FetchExpression {
  fileprivate var variableNames: Set<String> {
    switch self {
    case .constant, .keyPath, .indexed, .subject, .count, .aggregate, .refused: []
    case .variable(let name): [name]
    case .list(let items): items.reduce(into: []) { $0.formUnion($1.variableNames) }
    case .arithmetic(_, let left, let right): left.variableNames.union(right.variableNames)
    }
  }
}

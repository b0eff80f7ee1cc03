// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// The predicate with values in place of variables; variables without a value stay.
  public func substituting(_ values: [String: Value]) -> FetchPredicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = comparison.left.substituting(values)
      comparison.right = comparison.right.substituting(values)
      return .comparison(comparison)
    case .not(let inner): return .not(inner.substituting(values))
    case .and(let parts): return .and(parts.map { $0.substituting(values) })
    case .or(let parts): return .or(parts.map { $0.substituting(values) })
    }
  }

  /// The names of the variables that need a value before the predicate can be used; a key path from
  /// a variable counts as one.
  public var variableNames: Set<String> {
    switch self {
    case .constant: []
    case .comparison(let comparison): comparison.left.variableNames.union(comparison.right.variableNames)
    case .not(let inner): inner.variableNames
    case .and(let parts), .or(let parts): parts.reduce(into: []) { $0.formUnion($1.variableNames) }
    }
  }
}

extension FetchExpression {
  fileprivate var variableNames: Set<String> {
    switch self {
    case .constant, .keyPath, .subject, .count, .aggregate: []
    case .variable(let name): [name]
    case .list(let items): items.reduce(into: []) { $0.formUnion($1.variableNames) }
    case .arithmetic(_, let left, let right): left.variableNames.union(right.variableNames)
    }
  }

  func substituting(_ values: [String: Value]) -> FetchExpression {
    switch self {
    case .constant, .keyPath, .subject, .count, .aggregate: self
    case .variable(let name): values[name].map { .constant($0) } ?? self
    case .list(let items): .list(items.map { $0.substituting(values) })
    case .arithmetic(let operation, let left, let right):
      .arithmetic(operation, left.substituting(values), right.substituting(values))
    }
  }
}

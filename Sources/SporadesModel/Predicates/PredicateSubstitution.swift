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
}

extension FetchExpression {
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

// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// The predicate with each operand replaced by the result of `body`. Lists and arithmetic keep their
  /// form, and `body` replaces the operands in them.
  package func mappingOperands(_ body: (FetchExpression) -> FetchExpression) -> FetchPredicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = comparison.left.mappingOperands(body)
      comparison.right = comparison.right.mappingOperands(body)
      return .comparison(comparison)
    case .not(let inner): return .not(inner.mappingOperands(body))
    case .and(let parts): return .and(parts.map { $0.mappingOperands(body) })
    case .or(let parts): return .or(parts.map { $0.mappingOperands(body) })
    }
  }
}

extension FetchExpression {
  func mappingOperands(_ body: (FetchExpression) -> FetchExpression) -> FetchExpression {
    switch self {
    case .constant, .keyPath, .indexed, .subject, .variable, .count, .aggregate, .refused:
      body(self)
    case .list(let items): .list(items.map { $0.mappingOperands(body) })
    case .arithmetic(let operation, let left, let right):
      .arithmetic(operation, left.mappingOperands(body), right.mappingOperands(body))
    }
  }
}

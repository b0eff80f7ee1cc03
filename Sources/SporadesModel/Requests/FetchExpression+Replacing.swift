// SPDX-License-Identifier: MIT

extension FetchExpression {
  /// The expression with parts replaced. `body` gets each expression before the expressions in it; nil leaves it, and
  /// replaces parts of it.
  package func replacing(_ body: (FetchExpression) -> FetchExpression?) -> FetchExpression {
    if let other = body(self) { return other }
    switch self {
    case .constant, .keyPath, .indexed, .subject, .variable, .count, .aggregate, .element, .refused:
      return self
    case .list(let items): return .list(items.map { $0.replacing(body) })
    case .arithmetic(let operation, let left, let right):
      return .arithmetic(operation, left.replacing(body), right.replacing(body))
    case .function(let function, let arguments):
      return .function(function, arguments.map { $0.replacing(body) })
    case .conditional(let condition, let first, let second):
      return .conditional(
        condition.replacing(body), first.replacing(body), second.replacing(body))
    case .cast(let inner, let type): return .cast(inner.replacing(body), to: type)
    case .combined(let operation, let left, let right):
      return .combined(operation, left.replacing(body), right.replacing(body))
    case .collection(var collection):
      guard let filter = collection.filter else { return self }
      collection.filter?.condition = filter.condition.replacing(body)
      collection.filter?.value = filter.value?.replacing(body)
      return .collection(collection)
    }
  }
}

extension FetchPredicate {
  /// The predicate with parts of its expressions replaced.
  package func replacing(_ body: (FetchExpression) -> FetchExpression?) -> FetchPredicate {
    switch self {
    case .constant: return self
    case .open(let condition): return condition.mapping { $0.replacing(body) }
    case .comparison(var comparison):
      comparison.left = comparison.left.replacing(body)
      comparison.right = comparison.right.replacing(body)
      return .comparison(comparison)
    case .not(let inner): return .not(inner.replacing(body))
    case .and(let parts): return .and(parts.map { $0.replacing(body) })
    case .or(let parts): return .or(parts.map { $0.replacing(body) })
    }
  }
}

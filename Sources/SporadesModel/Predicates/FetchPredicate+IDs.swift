// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// The predicate with other ids in place of those it names.
  package func replacingIDs(_ body: (ManagedObjectID) -> ManagedObjectID) -> FetchPredicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = comparison.left.replacingIDs(body)
      comparison.right = comparison.right.replacingIDs(body)
      return .comparison(comparison)
    case .not(let inner): return .not(inner.replacingIDs(body))
    case .and(let parts): return .and(parts.map { $0.replacingIDs(body) })
    case .or(let parts): return .or(parts.map { $0.replacingIDs(body) })
    }
  }
}

extension FetchExpression {
  fileprivate func replacingIDs(_ body: (ManagedObjectID) -> ManagedObjectID) -> FetchExpression {
    switch self {
    case .keyPath, .subject, .count, .aggregate, .variable: self
    case .constant(let value): .constant(value.replacingIDs(body))
    case .list(let items): .list(items.map { $0.replacingIDs(body) })
    case .arithmetic(let operation, let left, let right):
      .arithmetic(operation, left.replacingIDs(body), right.replacingIDs(body))
    }
  }
}

extension Value {
  fileprivate func replacingIDs(_ body: (ManagedObjectID) -> ManagedObjectID) -> Value {
    switch self {
    case .objectID(let id): .objectID(body(id))
    case .list(let items): .list(items.map { $0.replacingIDs(body) })
    default: self
    }
  }
}

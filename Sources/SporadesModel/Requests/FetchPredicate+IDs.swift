// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// The predicate with each id replaced by the result of `body`.
  package func replacingIDs(_ body: (ManagedObjectID) -> ManagedObjectID) -> FetchPredicate {
    mappingOperands { $0.replacingID(body) }
  }
}

extension FetchExpression {
  /// The expression with each id replaced by the result of `body`.
  package func replacingIDs(_ body: (ManagedObjectID) -> ManagedObjectID) -> FetchExpression {
    mappingOperands { $0.replacingID(body) }
  }

  fileprivate func replacingID(_ body: (ManagedObjectID) -> ManagedObjectID) -> FetchExpression {
    if case .constant(let value) = self { .constant(value.replacingIDs(body)) } else { self }
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

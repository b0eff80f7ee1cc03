// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// The predicate with each id replaced by the result of `body`.
  package func replacingIDs(_ body: (ManagedObjectID) -> ManagedObjectID) -> FetchPredicate {
    mappingOperands { operand in
      if case .constant(let value) = operand {
        .constant(value.replacingIDs(body))
      } else {
        operand
      }
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

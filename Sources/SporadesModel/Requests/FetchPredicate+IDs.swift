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

// The first id in a predicate for which a question is answered with yes.
extension FetchPredicate {
  package func firstID(where isWanted: (ManagedObjectID) -> Bool) -> ManagedObjectID? {
    switch self {
    case .constant: nil
    case .open(let condition): condition.operands.firstResult { $0.firstID(where: isWanted) }
    case .comparison(let comparison):
      comparison.left.firstID(where: isWanted) ?? comparison.right.firstID(where: isWanted)
    case .not(let inner): inner.firstID(where: isWanted)
    case .and(let parts), .or(let parts): parts.firstResult { $0.firstID(where: isWanted) }
    }
  }
}

extension FetchExpression {
  fileprivate func firstID(where isWanted: (ManagedObjectID) -> Bool) -> ManagedObjectID? {
    switch self {
    case .constant(let value): value.firstID(where: isWanted)
    case .keyPath, .indexed, .subject, .variable, .count, .aggregate, .element, .refused: nil
    case .list(let parts), .function(_, let parts):
      parts.firstResult { $0.firstID(where: isWanted) }
    case .arithmetic(_, let left, let right), .combined(_, let left, let right):
      left.firstID(where: isWanted) ?? right.firstID(where: isWanted)
    case .conditional(let condition, let first, let second):
      condition.firstID(where: isWanted) ?? first.firstID(where: isWanted)
        ?? second.firstID(where: isWanted)
    case .cast(let inner, _): inner.firstID(where: isWanted)
    case .collection(let collection): collection.filter?.condition.firstID(where: isWanted)
    }
  }
}

extension Value {
  fileprivate func firstID(where isWanted: (ManagedObjectID) -> Bool) -> ManagedObjectID? {
    switch self {
    case .objectID(let id): isWanted(id) ? id : nil
    case .list(let items): items.firstResult { $0.firstID(where: isWanted) }
    default: nil
    }
  }
}

extension Sequence {
  /// The first result of `body` that is not nil.
  fileprivate func firstResult<Result>(_ body: (Element) -> Result?) -> Result? {
    for element in self {
      if let result = body(element) { return result }
    }
    return nil
  }
}

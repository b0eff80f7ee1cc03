// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// The predicate with each operand replaced by the result of `body`. Lists, arithmetic and other expressions that
  /// are made of expressions keep their form, and `body` replaces the operands in them.
  package func mappingOperands(_ body: (FetchExpression) -> FetchExpression) -> FetchPredicate {
    mappingOperands(bound: []) { operand, _ in body(operand) }
  }

  /// Replaces operands. `body` gets the variables that subqueries around the operand bind.
  func mappingOperands(
    bound: Set<String>, _ body: (FetchExpression, Set<String>) -> FetchExpression
  ) -> FetchPredicate {
    switch self {
    case .constant: return self
    case .open(let condition):
      return condition.mapping { $0.mappingOperands(bound: bound, body) }
    case .comparison(var comparison):
      comparison.left = comparison.left.mappingOperands(bound: bound, body)
      comparison.right = comparison.right.mappingOperands(bound: bound, body)
      return .comparison(comparison)
    case .not(let inner): return .not(inner.mappingOperands(bound: bound, body))
    case .and(let parts): return .and(parts.map { $0.mappingOperands(bound: bound, body) })
    case .or(let parts): return .or(parts.map { $0.mappingOperands(bound: bound, body) })
    }
  }
}

extension FetchExpression {
  /// The expression with each operand in it replaced by the result of `body`.
  package func mappingOperands(_ body: (FetchExpression) -> FetchExpression) -> FetchExpression {
    mappingOperands(bound: []) { operand, _ in body(operand) }
  }

  func mappingOperands(
    bound: Set<String>, _ body: (FetchExpression, Set<String>) -> FetchExpression
  ) -> FetchExpression {
    func map(_ inner: FetchExpression) -> FetchExpression {
      inner.mappingOperands(bound: bound, body)
    }
    switch self {
    case .constant, .keyPath, .indexed, .subject, .variable, .count, .aggregate, .element, .refused:
      return body(self, bound)
    case .list(let items): return .list(items.map(map))
    case .arithmetic(let operation, let left, let right):
      return .arithmetic(operation, map(left), map(right))
    case .function(_, []): return body(self, bound)
    case .function(let function, let arguments): return .function(function, arguments.map(map))
    case .conditional(let condition, let first, let second):
      return .conditional(
        condition.mappingOperands(bound: bound, body), map(first), map(second))
    case .cast(let inner, let type): return .cast(map(inner), to: type)
    case .combined(let operation, let left, let right):
      return .combined(operation, map(left), map(right))
    case .collection(var collection):
      if let filter = collection.filter {
        let bound = bound.union([filter.variable])
        collection.filter?.condition = filter.condition.mappingOperands(bound: bound, body)
        collection.filter?.value = filter.value?.mappingOperands(bound: bound, body)
        return .collection(collection)
      }
      return body(self, bound)
    }
  }
}

extension String {
  /// The name of the variable that a name in a key path stands for; nil for the name of a property.
  package var variableName: String? { first == "$" ? String(dropFirst()) : nil }
}

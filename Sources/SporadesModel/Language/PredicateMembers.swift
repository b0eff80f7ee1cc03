// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// The condition that a member at the end of a to-many key path satisfies the condition: `ANY pets.age > 3`, or a
  /// subquery where one `ANY` can not say it. The key paths of the condition begin at the member.
  package static func any(_ path: [String], _ condition: FetchPredicate) -> FetchPredicate {
    if let quantified = condition.quantified(path, .any) { return quantified }
    return .comparison(
      Comparison(count(path, where: condition), .greater, .constant(.integer(0))))
  }

  /// The condition that every member at the end of a to-many key path satisfies the condition.
  package static func all(_ path: [String], _ condition: FetchPredicate) -> FetchPredicate {
    condition.quantified(path, .all) ?? .not(.any(path, .not(condition)))
  }

  /// The number of the members that satisfy the condition.
  package static func count(
    _ path: [String], where condition: FetchPredicate
  ) -> FetchExpression { members(path, where: condition, asking: .count) }

  /// The members that satisfy the condition, and a question about their values.
  package static func members(
    _ path: [String], where condition: FetchPredicate, values: [String] = [],
    asking question: FetchCollection.Question
  ) -> FetchExpression {
    let variable = condition.unusedVariable
    return .subquery(
      path, variable, condition.beginning(at: ["$\(variable)"]), then: values, question)
  }

  /// The values that are computed of the members that satisfy the condition.
  package static func members(
    _ path: [String], where condition: FetchPredicate, computing value: FetchExpression
  ) -> FetchExpression {
    let comparison = FetchPredicate.comparison(Comparison(value, .equal, .constant(.null)))
    let variable = (condition && comparison).unusedVariable
    let start = ["$\(variable)"]
    let filter = FetchCollection.Filter(
      variable, condition.beginning(at: start), computing: value.beginning(at: start))
    return .collection(FetchCollection(path, where: filter))
  }

  /// The comparison with `ANY` or `ALL` that says the same; nil if there is none.
  private func quantified(_ path: [String], _ quantifier: Quantifier) -> FetchPredicate? {
    guard case .comparison(var comparison) = self, comparison.quantifier == .direct,
      case .constant = comparison.right, let left = comparison.left.afterMember(of: path)
    else { return nil }
    comparison.left = left
    comparison.quantifier = quantifier
    return .comparison(comparison)
  }

  /// A variable that no subquery in the condition has.
  private var unusedVariable: String {
    let format = predicateFormat
    var number = 1
    while format.contains("$x\(number)") { number += 1 }
    return "x\(number)"
  }

  /// The predicate about the object at the end of `path`, as a predicate about the object where the path begins.
  package func beginning(at path: [String]) -> FetchPredicate {
    switch self {
    case .constant: return self
    case .open(let condition): return condition.mapping { $0.beginning(at: path) }
    case .comparison(var comparison):
      comparison.left = comparison.left.beginning(at: path)
      comparison.right = comparison.right.beginning(at: path)
      return .comparison(comparison)
    case .not(let inner): return .not(inner.beginning(at: path))
    case .and(let parts): return .and(parts.map { $0.beginning(at: path) })
    case .or(let parts): return .or(parts.map { $0.beginning(at: path) })
    }
  }
}

extension FetchExpression {
  /// The value of a member as a key path through the relationship; nil for a computed value.
  fileprivate func afterMember(of path: [String]) -> FetchExpression? {
    switch self {
    case .subject: .keyPath(path)
    case .keyPath(let names) where names.first?.variableName == nil: .keyPath(path + names)
    default: nil
    }
  }

  /// The expression about the object at the end of `path`, as an expression about the object where the path begins.
  package func beginning(at path: [String]) -> FetchExpression {
    func move(_ names: [String]) -> [String] {
      names.first?.variableName == nil ? path + names : names
    }
    func move(_ inner: FetchExpression) -> FetchExpression { inner.beginning(at: path) }
    switch self {
    case .constant, .variable, .refused: return self
    case .subject: return path.asExpression
    case .keyPath(let names): return .keyPath(move(names))
    case .indexed(let names, let index): return .indexed(move(names), by: index)
    case .count(let names): return .count(move(names))
    case .aggregate(let function, let names): return .aggregate(function, move(names))
    case .element(let names, let place, let rest):
      return .element(move(names), at: place, then: rest)
    case .list(let items): return .list(items.map(move))
    case .function(let function, let items): return .function(function, items.map(move))
    case .arithmetic(let operation, let left, let right):
      return .arithmetic(operation, move(left), move(right))
    case .combined(let operation, let left, let right):
      return .combined(operation, move(left), move(right))
    case .conditional(let condition, let first, let second):
      return .conditional(condition.beginning(at: path), move(first), move(second))
    case .cast(let inner, let type): return .cast(move(inner), to: type)
    case .collection(var collection):
      collection.path = move(collection.path)
      collection.filter?.condition.move(to: path)
      let value = collection.filter?.value
      collection.filter?.value = value?.beginning(at: path)
      return .collection(collection)
    }
  }
}

extension FetchPredicate {
  fileprivate mutating func move(to path: [String]) { self = beginning(at: path) }
}

extension [String] {
  /// The object at the end of a key path that may be a variable alone.
  fileprivate var asExpression: FetchExpression {
    if count == 1, let variable = self[0].variableName { return .variable(variable) }
    return isEmpty ? .subject : .keyPath(self)
  }
}

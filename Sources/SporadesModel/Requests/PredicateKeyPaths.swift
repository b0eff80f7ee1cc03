// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// Calls `body` with every key path in the predicate. Each begins at the fetched object: a key path that begins at
  /// the variable of a subquery follows the key path of the subquery.
  package func forEachKeyPath(_ body: ([String]) -> Void) { forEachKeyPath([:], body) }

  fileprivate func forEachKeyPath(_ variables: [String: [String]], _ body: ([String]) -> Void) {
    switch self {
    case .constant: break
    case .open(let condition):
      for operand in condition.operands { operand.forEachKeyPath(variables, body) }
    case .comparison(let comparison):
      comparison.left.forEachKeyPath(variables, body)
      comparison.right.forEachKeyPath(variables, body)
    case .not(let inner): inner.forEachKeyPath(variables, body)
    case .and(let parts), .or(let parts):
      for part in parts { part.forEachKeyPath(variables, body) }
    }
  }
}

extension FetchExpression {
  /// Calls `body` with every key path in the expression. Each begins at the fetched object.
  package func forEachKeyPath(_ body: ([String]) -> Void) { forEachKeyPath([:], body) }

  fileprivate func forEachKeyPath(_ variables: [String: [String]], _ body: ([String]) -> Void) {
    func begin(_ path: [String]) -> [String] {
      guard let name = path.first?.variableName, let start = variables[name] else { return path }
      return start + path.dropFirst()
    }
    switch self {
    case .constant, .subject, .variable, .refused: break
    case .keyPath(let path), .indexed(let path, _), .count(let path), .aggregate(_, let path):
      body(begin(path))
    case .list(let parts), .function(_, let parts):
      for part in parts { part.forEachKeyPath(variables, body) }
    case .arithmetic(_, let left, let right), .combined(_, let left, let right):
      left.forEachKeyPath(variables, body)
      right.forEachKeyPath(variables, body)
    case .conditional(let condition, let first, let second):
      condition.forEachKeyPath(variables, body)
      first.forEachKeyPath(variables, body)
      second.forEachKeyPath(variables, body)
    case .cast(let inner, _): inner.forEachKeyPath(variables, body)
    case .element(let path, _, let rest): body(begin(path) + rest)
    case .collection(let collection):
      let members = begin(collection.path)
      body(members + collection.values)
      guard let filter = collection.filter else { return }
      var inner = variables
      inner[filter.variable] = members
      filter.condition.forEachKeyPath(inner, body)
      filter.value?.forEachKeyPath(inner, body)
    }
  }
}

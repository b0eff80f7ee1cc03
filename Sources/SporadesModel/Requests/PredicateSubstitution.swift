// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// The predicate with values in place of variables. A variable without a value stays, and so does the variable of a
  /// subquery. A value may be whatever `%@` takes. An object gives the values of its properties, too: the value `owner`
  /// for `P` serves `$P` and `$P.name`.
  public func substituting(_ values: [String: Any?]) -> FetchPredicate {
    mappingOperands(bound: []) { operand, bound in
      guard case .variable(let name) = operand else { return operand }
      let path = name.propertyNames
      guard !bound.contains(path[0]) else { return operand }
      if let value = values[name] { return .constant(converting: value) }
      guard path.count > 1, let source = values[path[0]] else { return operand }
      return .constant(at: path.dropFirst(), of: source, variable: path[0])
    }
  }

  /// The names of the variables that need a value before a fetch can use the predicate. A variable with a
  /// key path after it counts as one variable. The variables of subqueries are not among them.
  public var variableNames: Set<String> {
    var names: Set<String> = []
    _ = mappingOperands(bound: []) { operand, bound in
      if case .variable(let name) = operand, !bound.contains(name.propertyNames[0]) {
        names.insert(name)
      }
      return operand
    }
    return names
  }
}

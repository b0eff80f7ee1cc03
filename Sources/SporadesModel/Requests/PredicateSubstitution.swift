// SPDX-License-Identifier: MIT

extension FetchPredicate {
  /// The predicate with values in place of variables. A variable without a value stays, and so does the variable of a
  /// subquery. A value may be whatever `%@` takes.
  public func substituting(_ values: [String: Any?]) -> FetchPredicate {
    mappingOperands(bound: []) { operand, bound in
      if case .variable(let name) = operand, !bound.contains(name), let value = values[name] {
        .constant(converting: value)
      } else {
        operand
      }
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

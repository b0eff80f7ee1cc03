// SPDX-License-Identifier: MIT
package import SporadesModel

/// What an open condition says in SQL.
package protocol SQLMeaning: ConditionMeaning {
  /// The condition on a row. It is true exactly where ``ConditionMeaning/isTrue(of:for:)`` says so; false and unknown mean
  /// the same.
  func condition(on row: SQLConditionRow) throws(FetchPredicateError) -> SQLFragment
}

/// The row that an open condition is asked of.
package struct SQLConditionRow {
  /// The values of the operands.
  package let operands: [SQLFragment]
  /// The key of the row from which they are read.
  package let key: SQLFragment
  package let entity: EntityShape
}

extension PredicateCompiler {
  func condition(
    _ open: PreparedPredicate.Open, _ expected: Bool
  ) throws(FetchPredicateError) -> SQLFragment {
    guard let meaning = open.meaning as? any SQLMeaning else {
      throw FetchPredicateError(
        .unsupported,
        "The condition \(open.meaning.name) has no form in SQL. Fetch with the other conditions, and filter the objects with "
          + "evaluate(with:).")
    }
    let terms = TermCompiler(scopes, context, [])
    var operands: [SQLFragment] = []
    for operand in open.operands { operands.append(try terms.operand(operand).sql) }
    let scope = scopes[open.start]
    let row = SQLConditionRow(
      operands: operands, key: "\(sql: scope.alias).\(name: context.layout.names.row.key)",
      entity: scope.entity)
    let answer = try meaning.condition(on: row)
    return expected ? "(\(answer))" : "(\(answer)) IS NOT TRUE"
  }
}

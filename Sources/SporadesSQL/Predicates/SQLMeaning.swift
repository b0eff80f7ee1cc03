// SPDX-License-Identifier: MIT
package import SporadesModel

/// The meaning of an open condition in SQL.
package protocol SQLMeaning: ConditionMeaning {
  /// The condition on the operands' values. It is true exactly where ``ConditionMeaning/isTrue(of:for:)`` says so; false and
  /// unknown mean the same. Where `SELF`, a variable or a to-one relationship is an operand, its value is the key of a row.
  func condition(on operands: [SQLFragment]) throws(FetchPredicateError) -> SQLFragment
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
    let operands = try TermCompiler(scopes, context, []).items(.list(open.operands))
    let answer = try meaning.condition(on: operands.map(\.sql))
    return expected ? "(\(answer))" : "(\(answer)) IS NOT TRUE"
  }
}

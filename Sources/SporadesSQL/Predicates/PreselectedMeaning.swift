// SPDX-License-Identifier: MIT
package import SporadesModel

/// The meaning of a condition for which a database with limits finds the rows in tables of another module.
package protocol PreselectedMeaning: ConditionMeaning {
  /// The condition by which the database finds rows. `key` is the first operand, the key of a row. Nil if each row may satisfy
  /// the condition.
  func preselection(on key: SQLFragment) -> Preselection?
}

/// A condition in SQL in the place of one that a database does not decide by itself.
package struct Preselection {
  let condition: SQLFragment
  let isExact: Bool

  /// Takes a condition of SQL. It accepts all rows that satisfy the condition that was asked, and no others if it is exact.
  package init(_ condition: SQLFragment, isExact: Bool) {
    (self.condition, self.isExact) = (condition, isExact)
  }
}

extension PredicateCompiler {
  /// The condition in a database with limits, for rows of which memory decides the rest.
  func preselected(
    _ open: PreparedPredicate.Open, _ expected: Bool
  ) throws(FetchPredicateError) -> SQLFragment {
    guard let meaning = open.meaning as? any PreselectedMeaning, let start = open.operands.first
    else { return context.undecided() }
    let key = try TermCompiler(scopes, context, []).items(.list([start]))[0].sql
    // The rows that are left out by more rows than satisfy the condition are too many.
    guard let found = meaning.preselection(on: key), found.isExact || expected else {
      return context.undecided()
    }
    if !found.isExact { _ = context.undecided() }
    return expected ? "(\(found.condition))" : "(\(found.condition)) IS NOT TRUE"
  }
}

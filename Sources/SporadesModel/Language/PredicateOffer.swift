// SPDX-License-Identifier: MIT

/// The words that the parser would read where a format ends.
enum PredicateOffer {
  /// A bracket, comma or operator.
  case sign(String)
  /// A word of the language.
  case word(String)
  /// A value: a key path, a literal, a function. Variables of subqueries are values in them.
  case value
  /// The next name of a key path, which begins at the fetched object.
  case keys(after: [String])
  /// A point or a bracket behind a key path, which begins at the fetched object.
  case steps(after: [String])
  /// An operator that compares the expression.
  case comparators(of: FetchExpression, FetchPredicate.Quantifier)
  /// An operator that computes with the expression.
  case operations(of: FetchExpression)
  /// The letters `c`, `d` and `n`.
  case textOptions
  /// `FIRST`, `LAST`, `SIZE` and numbers, behind a key path.
  case places(of: [String])
  /// The type of a cast of the expression.
  case castTypes(of: FetchExpression, isLiteral: Bool)
  /// The variable of a subquery.
  case newVariable
}

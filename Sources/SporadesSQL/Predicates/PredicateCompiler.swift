// SPDX-License-Identifier: MIT
import SporadesModel

/// Turns a predicate into a `WHERE` condition that selects exactly the rows that ``PredicateEvaluator``
/// accepts.
///
/// SQL returns *unknown* where Swift returns *false*, and `NOT` leaves it unknown. The compiler therefore
/// never writes `NOT`. It passes the negation down to the comparisons, each of which has an opposite. The
/// result contains plain comparisons, which can use an index. The caller has validated the predicate, so
/// operands have matching types.
struct PredicateCompiler {
  let scope: SQLScope
  let context: SQLContext

  func condition(
    _ predicate: FetchPredicate, is expected: Bool = true
  ) throws(FetchPredicateError) -> SQLFragment {
    switch predicate {
    case .constant(let answer): return Self.constant(answer == expected)
    case .comparison(let comparison): return try condition(comparison, expected)
    case .not(let inner): return try condition(inner, is: !expected)
    case .and(let parts): return try join(parts, expected, every: expected)
    case .or(let parts): return try join(parts, expected, every: !expected)
    case .block: throw FetchPredicateError(.unsupported, "No store runs a closure of the program.")
    }
  }

  static func constant(_ answer: Bool) -> SQLFragment { answer ? "1=1" : "1=0" }

  private func join(
    _ parts: [FetchPredicate], _ expected: Bool, every: Bool
  ) throws(FetchPredicateError) -> SQLFragment {
    guard !parts.isEmpty else { return Self.constant(every) }
    var conditions: [SQLFragment] = []
    for part in parts { conditions.append(try condition(part, is: expected)) }
    return Self.join(conditions, every: every)
  }

  /// SQLite counts each condition of a chain as a level of nesting and accepts 1,000. A longer chain is split
  /// in two.
  private static let longestJoin = 100

  static func join(_ conditions: [SQLFragment], every: Bool) -> SQLFragment {
    if conditions.count == 1 { return conditions[0] }
    guard conditions.count <= longestJoin else {
      let half = conditions.count / 2
      let halves = [conditions[..<half], conditions[half...]]
      return join(halves.map { join(Array($0), every: every) }, every: every)
    }
    return "(\(conditions.joined(by: every ? " AND " : " OR ")))"
  }

  // MARK: - Comparisons

  private func condition(
    _ comparison: FetchPredicate.Comparison, _ expected: Bool
  ) throws(FetchPredicateError) -> SQLFragment {
    let comparator = comparison.comparator
    let isPattern = comparator == .like || comparator == .matches
    let terms = TermCompiler(scope, context, isPattern ? [] : comparison.options)
    var (left, right) = (comparison.left, comparison.right)
    guard comparison.quantifier == .direct else {
      return try quantified(comparison, terms, expected)
    }
    if comparator == .contains, try isCollection(left) {
      // A collection that contains a value compiles as a value in a collection.
      (left, right) = (right, left)
      return try membership(terms.term(left), right, terms, expected)
    }
    if comparator == .isIn { return try membership(terms.term(left), right, terms, expected) }
    return try compare(terms.term(left), comparator, right, terms, comparison.options, expected)
  }

  /// `ANY` looks for an object that satisfies the comparison, `ALL` for an object that does not.
  private func quantified(
    _ comparison: FetchPredicate.Comparison, _ terms: TermCompiler, _ expected: Bool
  ) throws(FetchPredicateError) -> SQLFragment {
    let isAny = comparison.quantifier == .any
    guard let path = try keyPath(comparison.left) else { return Self.constant(expected != isAny) }
    let rows = ToManyPath(path, from: scope, context)
    let value = SQLOperand(terms.folded(rows.value, path), path)
    let inner =
      comparison.comparator == .isIn
      ? try membership(value, comparison.right, terms, isAny)
      : try compare(
        value, comparison.comparator, comparison.right, terms, comparison.options, isAny)
    let exists: SQLFragment = "EXISTS (SELECT 1\(rows.selection(inner)))"
    return isAny == expected ? exists : "NOT \(exists)"
  }

  private func compare(
    _ left: SQLOperand, _ comparator: FetchPredicate.Comparator, _ right: FetchExpression,
    _ terms: TermCompiler, _ options: FetchPredicate.TextOptions, _ expected: Bool
  ) throws(FetchPredicateError) -> SQLFragment {
    if comparator == .between {
      let bounds = try terms.items(right)
      guard bounds.count == 2 else { return Self.constant(!expected) }
      return Self.join(
        [
          SQLComparison.ordered(bounds[0], .lessOrEqual, left, expected),
          SQLComparison.ordered(left, .lessOrEqual, bounds[1], expected),
        ], every: expected)
    }
    let right = try terms.term(right)
    return switch comparator {
    case .equal: SQLComparison.equal(left, right, expected)
    case .notEqual: SQLComparison.equal(left, right, !expected)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      SQLComparison.ordered(left, comparator, right, expected)
    default: SQLComparison.text(left, comparator, right, options, expected)
    }
  }

  // MARK: - Membership

  private func membership(
    _ left: SQLOperand, _ right: FetchExpression, _ terms: TermCompiler, _ expected: Bool
  ) throws(FetchPredicateError) -> SQLFragment {
    if let path = try keyPath(right), path.isToMany {
      let rows = ToManyPath(path, from: scope, context)
      let value = SQLOperand(terms.folded(rows.value, path), path)
      let inner = SQLComparison.equal(value, left, true)
      let exists: SQLFragment = "EXISTS (SELECT 1\(rows.selection(inner)))"
      return expected ? exists : "NOT \(exists)"
    }
    let items = try terms.items(right)
    let constants = items.compactMap(\.constant)
    guard constants.count == items.count else {
      guard !items.isEmpty else { return Self.constant(!expected) }
      return Self.join(items.map { SQLComparison.equal(left, $0, expected) }, every: !expected)
    }
    return SQLComparison.isIn(left, constants, expected)
  }

  private func keyPath(
    _ expression: FetchExpression
  ) throws(FetchPredicateError) -> KeyPathShape? {
    switch expression {
    case .keyPath(let names), .indexed(let names, _):
      return try KeyPathShape(names, in: scope.entity, context.model)
    default: return nil
    }
  }

  private func isCollection(_ expression: FetchExpression) throws(FetchPredicateError) -> Bool {
    switch expression {
    case .constant(.list), .list: true
    default: try keyPath(expression)?.isToMany ?? false
    }
  }
}

// SPDX-License-Identifier: MIT
import SporadesModel

/// The key paths that lead to a row in each object that satisfies a predicate: `owner.name` of `owner.name == "x"`.
///
/// The tables on such a path are joined by inner joins, because SQLite never begins a search behind an outer one. It can
/// then begin with the table whose index finds the fewest rows:
/// `FROM pet t0 JOIN user t1 ON t1.id = t0.owner WHERE t1.name IN (?, ?)`
struct RequiredSteps {
  private(set) var paths: [PreparedPredicate.Path] = []

  init(of predicate: PreparedPredicate) { add(predicate) }

  private mutating func add(_ predicate: PreparedPredicate) {
    switch predicate {
    case .and(let parts): for part in parts { add(part) }
    case .comparison(let comparison) where comparison.quantifier == .direct: add(comparison)
    case .comparison, .constant, .not, .or, .block: break
    }
  }

  private mutating func add(_ comparison: PreparedPredicate.Comparison) {
    let (left, right) = (comparison.left, comparison.right)
    switch comparison.comparator {
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      add(left)
      add(right)
    case .between, .contains, .beginsWith, .endsWith, .like, .matches: add(left)
    case .equal:
      if right.isValue { add(left) }
      if left.isValue { add(right) }
    case .notEqual:
      if right.isNil { add(left) }
      if left.isNil { add(right) }
    case .isIn:
      if case .constant(.list(let values)) = right, !values.contains(where: ValueOrder.isNil) {
        add(left)
      }
    }
  }

  private mutating func add(_ term: PreparedPredicate.Term) {
    if case .path(let path) = term, !path.shape.isToMany { paths.append(path) }
  }
}

extension PreparedPredicate.Term {
  /// The term is a constant, and not nil.
  fileprivate var isValue: Bool {
    if case .constant(let value) = self { !ValueOrder.isNil(value) } else { false }
  }

  /// The term is nil.
  fileprivate var isNil: Bool {
    if case .constant(let value) = self { ValueOrder.isNil(value) } else { false }
  }
}

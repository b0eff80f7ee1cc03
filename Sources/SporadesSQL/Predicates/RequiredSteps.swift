// SPDX-License-Identifier: MIT
import SporadesModel

/// The to-one steps that lead to a row from each object that satisfies a predicate: `owner` of `owner.name == "x"`.
///
/// The tables at their ends are joined by inner joins, because SQLite never begins a search behind an outer one. It can
/// then begin with the table whose index finds the fewest rows:
/// `FROM pet t0 JOIN user t1 ON t1.id = t0.owner WHERE t1.name IN (?, ?)`
struct RequiredSteps {
  /// The names of steps from an object on.
  struct Steps: Hashable {
    let start: PreparedPredicate.Start
    let names: [String]
  }

  private(set) var all: Set<Steps> = []

  init(of predicate: PreparedPredicate) { add(predicate) }

  private mutating func add(_ predicate: PreparedPredicate) {
    switch predicate {
    case .and(let parts): for part in parts { add(part) }
    case .comparison(let comparison) where comparison.quantifier == .direct: add(comparison)
    case .or(let alternatives):
      guard let first = alternatives.first else { return }
      all.formUnion(
        alternatives.dropFirst().reduce(RequiredSteps(of: first).all) {
          $0.intersection(RequiredSteps(of: $1).all)
        })
    case .comparison, .constant, .not, .open: break
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
    guard case .path(let path) = term, !path.shape.isToMany else { return }
    // The id of a linked object is a value of the row before it, which holds the link.
    let joined = path.shape.relationships.count - (path.shape.attribute == nil ? 1 : 0)
    for count in 0..<max(joined, 0) {
      all.insert(Steps(start: path.start, names: Array(path.shape.names[...count])))
    }
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

// SPDX-License-Identifier: MIT

// A database prepares a statement in time that grows with the square of its conditions. Long chains are therefore
// shortened, and what stays long is refused.

extension PreparedPredicate {
  /// A chain with more conditions is shortened where that is possible. The forms of fetches know no chain that is so long.
  package static let longestChain = 100
  /// The most comparisons and computed values of a predicate.
  static let largestSize = 5_000

  /// The alternatives with one `IN` in the place of equalities of one key path: `a == 1 OR a == 2` becomes
  /// `a IN {1, 2}`.
  static func joinedAlternatives(_ parts: [PreparedPredicate]) -> [PreparedPredicate] {
    parts.count > longestChain ? EqualityChain(parts, .equal).joined : parts
  }

  /// The conditions that must all hold, with one `NOT IN` in the place of inequalities of one key path.
  static func joinedConditions(_ parts: [PreparedPredicate]) -> [PreparedPredicate] {
    parts.count > longestChain ? EqualityChain(parts, .notEqual).joined : parts
  }

  /// Throws if a statement of the predicate would take long to prepare.
  func checkSize() throws(FetchPredicateError) {
    let size = self.size
    guard size > Self.largestSize else { return }
    throw FetchPredicateError(
      .tooDeep,
      "The predicate has \(size) comparisons and computed values, and a store takes \(Self.largestSize). Write IN with a "
        + "list of values in their place, or fetch in several parts.")
  }

  fileprivate var size: Int {
    switch self {
    case .constant: 1
    case .open(let condition): condition.operands.reduce(1) { $0 + $1.size }
    case .comparison(let comparison): 1 + comparison.left.size + comparison.right.size
    case .not(let inner): inner.size
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.size }
    }
  }
}

extension PreparedPredicate.Term {
  /// The number of computed values in the term.
  fileprivate var size: Int {
    switch self {
    case .constant, .path, .subject, .count, .aggregate, .element: 0
    case .list(let items): items.reduce(items.count) { $0 + $1.size }
    case .function(_, let items): items.reduce(1) { $0 + $1.size }
    case .arithmetic(_, let left, let right, _): 1 + left.size + right.size
    case .combined(_, let left, let right): left.size + right.size
    case .conditional(let condition, let first, let second, _):
      1 + condition.size + first.size + second.size
    case .cast(let inner, _, _), .real(let inner): 1 + inner.size
    case .collection(let collection):
      (collection.condition?.size ?? 0) + (collection.computed?.size ?? 0)
    }
  }
}

/// A chain of conditions, whose comparisons of one key path with constants are put together.
private struct EqualityChain {
  private struct Side: Hashable {
    let start: PreparedPredicate.Start
    let names: [String]
  }

  private let comparator: FetchPredicate.Comparator
  private var parts: [PreparedPredicate] = []
  private var places: [Side: Int] = [:]
  /// The left side and the values of each place with values.
  private var values: [Int: (left: PreparedPredicate.Term, values: [Value])] = [:]

  init(_ parts: [PreparedPredicate], _ comparator: FetchPredicate.Comparator) {
    self.comparator = comparator
    for part in parts { add(part) }
  }

  private mutating func add(_ part: PreparedPredicate) {
    guard case .comparison(let comparison) = part, comparison.comparator == comparator,
      comparison.quantifier == .direct, comparison.options.isEmpty,
      case .path(let path) = comparison.left, case .constant(let value) = comparison.right,
      !ValueOrder.isNil(value)
    else { return parts.append(part) }
    let side = Side(start: path.start, names: path.shape.names)
    if let place = places[side] {
      values[place]?.values.append(value)
    } else {
      places[side] = parts.count
      values[parts.count] = (comparison.left, [value])
      parts.append(part)
    }
  }

  var joined: [PreparedPredicate] {
    var joined = parts
    for (place, list) in values where list.values.count > 1 {
      let isIn = PreparedPredicate.comparison(
        .init(
          left: list.left, comparator: .isIn, right: .constant(.list(list.values)),
          quantifier: .direct, options: [], folding: [], pattern: nil))
      joined[place] = comparator == .equal ? isIn : .not(isIn)
    }
    return joined
  }
}

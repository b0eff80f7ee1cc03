// SPDX-License-Identifier: MIT

/// A range of Swift as the argument of `%@` behind `IN` or `BETWEEN`.
struct PredicateRange {
  /// The smallest value; nil for a range without a start.
  let lower: Value?
  /// The end of the range; nil for a range without an end.
  let upper: Value?
  /// The end is a value of the range.
  let includesUpper: Bool

  init?(_ argument: Any?) {
    guard let range = argument as? any PredicateRangeArgument else { return nil }
    self = range.predicateRange
  }

  fileprivate init(_ lower: Value?, _ upper: Value?, includesUpper: Bool) {
    // Whole numbers have a last one, so that a half-open range of them has both bounds.
    if !includesUpper, case .integer(let end) = upper, end > .min {
      self.upper = .integer(end - 1)
      self.includesUpper = true
    } else {
      self.upper = upper
      self.includesUpper = includesUpper
    }
    self.lower = lower
  }

  /// The comparison with the range on its right side.
  func condition(
    _ comparison: FetchPredicate.Comparison, at position: Int
  ) throws(FetchPredicateError) -> FetchPredicate {
    guard comparison.comparator == .isIn || comparison.comparator == .between else {
      throw FetchPredicateError(
        .arguments, "A range is an argument of IN or BETWEEN; write age BETWEEN %@.",
        position: position)
    }
    var bounds: [(FetchPredicate.Comparator, FetchExpression)] = []
    if let lower { bounds.append((.greaterOrEqual, .constant(lower))) }
    if let upper { bounds.append((includesUpper ? .lessOrEqual : .less, .constant(upper))) }
    var comparison = comparison
    if let lower, let upper, includesUpper {
      bounds = [(.between, .constant(.list([lower, upper])))]
    }
    guard bounds.count == 1 || comparison.quantifier != .any else {
      throw FetchPredicateError(
        .arguments,
        "ANY compares with one bound or with a closed range; write a range with ..., or a SUBQUERY with both bounds.",
        position: position)
    }
    let parts: [FetchPredicate] = bounds.map { bound in
      (comparison.comparator, comparison.right) = bound
      return .comparison(comparison)
    }
    return parts.count == 1 ? parts[0] : .and(parts)
  }
}

/// The ranges of Swift whose bounds are values.
private protocol PredicateRangeArgument {
  var predicateRange: PredicateRange { get }
}

extension ClosedRange: PredicateRangeArgument where Bound: ValueConvertible {
  fileprivate var predicateRange: PredicateRange {
    PredicateRange(lowerBound.value, upperBound.value, includesUpper: true)
  }
}
extension Range: PredicateRangeArgument where Bound: ValueConvertible {
  fileprivate var predicateRange: PredicateRange {
    PredicateRange(lowerBound.value, upperBound.value, includesUpper: false)
  }
}
extension PartialRangeFrom: PredicateRangeArgument where Bound: ValueConvertible {
  fileprivate var predicateRange: PredicateRange {
    PredicateRange(lowerBound.value, nil, includesUpper: true)
  }
}
extension PartialRangeThrough: PredicateRangeArgument where Bound: ValueConvertible {
  fileprivate var predicateRange: PredicateRange {
    PredicateRange(nil, upperBound.value, includesUpper: true)
  }
}
extension PartialRangeUpTo: PredicateRangeArgument where Bound: ValueConvertible {
  fileprivate var predicateRange: PredicateRange {
    PredicateRange(nil, upperBound.value, includesUpper: false)
  }
}

extension FetchPredicate {
  /// The comparison with a range of Swift on its right side; nil if the argument is no range of values.
  package init?(
    _ comparison: Comparison, withRange argument: Any
  ) throws(FetchPredicateError) {
    guard let range = PredicateRange(argument) else { return nil }
    self = try range.condition(comparison, at: 0)
  }
}

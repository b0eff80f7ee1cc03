// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel

extension PredicateExpressions.Conjunction: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    .condition(try translation.condition(lhs) && translation.condition(rhs))
  }
}

extension PredicateExpressions.Disjunction: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    .condition(try translation.condition(lhs) || translation.condition(rhs))
  }
}

extension PredicateExpressions.Negation: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    .condition(.not(try translation.condition(wrapped)))
  }
}

extension PredicateExpressions.Conditional: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    let condition = try translation.condition(test)
    guard Output.self == Bool.self else {
      return .expression(
        .conditional(
          condition, try translation.expression(trueBranch),
          try translation.expression(falseBranch)))
    }
    let first = try translation.condition(trueBranch)
    let second = try translation.condition(falseBranch)
    return .condition((condition && first) || (.not(condition) && second))
  }
}

// MARK: - Comparisons

extension PredicateTranslation {
  /// The condition that two parts are equal.
  mutating func equality(
    _ lhs: any PredicateExpression, _ rhs: any PredicateExpression
  ) throws(FetchPredicateError) -> FetchPredicate {
    let (left, right) = (try part(lhs), try part(rhs))
    switch (left, right) {
    case (.condition(let condition), .expression(.constant(.boolean(let truth)))),
      (.expression(.constant(.boolean(let truth))), .condition(let condition)):
      return truth ? condition : .not(condition)
    case (.optional(let condition, let presence), .expression(.constant(.boolean(let truth)))),
      (.expression(.constant(.boolean(let truth))), .optional(let condition, let presence)):
      return presence && (truth ? condition : .not(condition))
    case (.condition(let first), .condition(let second)):
      return (first && second) || (.not(first) && .not(second))
    default:
      return .comparison(.init(try expression(lhs), .equal, try expression(rhs)))
    }
  }
}

extension PredicateExpressions.Equal: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    .condition(try translation.equality(lhs, rhs))
  }
}

extension PredicateExpressions.NotEqual: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    let equality = try translation.equality(lhs, rhs)
    guard case .comparison(var comparison) = equality, comparison.comparator == .equal else {
      return .condition(.not(equality))
    }
    comparison.comparator = .notEqual
    return .condition(.comparison(comparison))
  }
}

extension PredicateExpressions.Comparison: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    let comparator: FetchPredicate.Comparator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw PredicateTranslation.unsupported("a new comparison")
      }
    return .condition(
      .comparison(
        .init(try translation.expression(lhs), comparator, try translation.expression(rhs))))
  }
}

// MARK: - Ranges

extension PredicateExpressions.Range: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    .range(
      lower: try translation.expression(lower), upper: try translation.expression(upper),
      includesUpper: false)
  }
}

extension PredicateExpressions.ClosedRange: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    .range(
      lower: try translation.expression(lower), upper: try translation.expression(upper),
      includesUpper: true)
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    let element = try translation.expression(element)
    if let value = range as? any RangeValue {
      let comparison = FetchPredicate.Comparison(element, .isIn, .subject)
      guard let condition = try FetchPredicate(comparison, withRange: value.rangeArgument) else {
        throw PredicateTranslation.unsupported("a range of \(RangeExpression.Output.Bound.self)")
      }
      return .condition(condition)
    }
    guard case .range(let lower, let upper, let includesUpper) = try translation.part(range) else {
      throw PredicateTranslation.unsupported("this range")
    }
    guard !includesUpper else {
      return .condition(.comparison(.init(element, .between, .list(of: [lower, upper]))))
    }
    return .condition(
      .comparison(.init(element, .greaterOrEqual, lower))
        && .comparison(.init(element, .less, upper)))
  }
}

/// A range that was made before the predicate.
private protocol RangeValue {
  var rangeArgument: Any { get }
}

extension PredicateExpressions.Value: RangeValue where Output: RangeExpression {
  fileprivate var rangeArgument: Any { value }
}

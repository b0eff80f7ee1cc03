// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel

// Arithmetic in Foundation's predicates.

extension PredicateTranslation {
  fileprivate mutating func operate(
    _ operation: ArithmeticOperator, _ lhs: any PredicateExpression,
    _ rhs: any PredicateExpression
  ) throws(FetchPredicateError) -> Part {
    .expression(.arithmetic(operation, try expression(lhs), try expression(rhs)))
  }
}

extension PredicateExpressions.Arithmetic: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    let operation: SporadesModel.ArithmeticOperator =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: throw PredicateTranslation.unsupported("a new operation")
      }
    return try translation.operate(operation, lhs, rhs)
  }
}

extension PredicateExpressions.IntDivision: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    try translation.operate(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.FloatDivision: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    try translation.operate(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.IntRemainder: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    try translation.operate(.modulus, lhs, rhs)
  }
}

extension PredicateExpressions.UnaryMinus: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    .expression(
      .arithmetic(.subtract, .constant(.integer(0)), try translation.expression(wrapped)))
  }
}

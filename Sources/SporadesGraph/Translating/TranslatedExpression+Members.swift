// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel

extension PredicateTranslation {
  /// The members of a relationship that satisfy a condition on a variable of the tree.
  fileprivate mutating func members(
    _ sequence: any PredicateExpression, _ id: PredicateExpressions.VariableID,
    _ test: any PredicateExpression
  ) throws(FetchPredicateError) -> (path: [String], filter: FetchCollection.Filter) {
    let path = try path(sequence)
    let name = declare(id)
    return (path, FetchCollection.Filter(name, try condition(test)))
  }

  /// The condition that a collection of members is not empty.
  fileprivate static func exists(
    _ path: [String], _ filter: FetchCollection.Filter
  ) -> FetchPredicate {
    .comparison(
      .init(
        .collection(FetchCollection(path, where: filter, asking: .count)), .greater,
        .constant(.integer(0))))
  }

  fileprivate mutating func compareTexts(
    _ lhs: any PredicateExpression, _ comparator: FetchPredicate.Comparator,
    _ rhs: any PredicateExpression
  ) throws(FetchPredicateError) -> Part {
    .condition(.comparison(.init(try expression(lhs), comparator, try expression(rhs))))
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    let members = try translation.members(sequence, variable.key, test)
    return .condition(PredicateTranslation.exists(members.path, members.filter))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    var members = try translation.members(sequence, variable.key, test)
    members.filter.condition = .not(members.filter.condition)
    return .condition(.not(PredicateTranslation.exists(members.path, members.filter)))
  }
}

extension PredicateExpressions.Filter: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    let members = try translation.members(sequence, variable.key, filter)
    return .members(members.path, members.filter)
  }
}

extension PredicateExpressions.SequenceContains: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    if LHS.Output.self is any StringProtocol.Type {
      return try translation.compareTexts(sequence, .contains, element)
    }
    return .condition(
      .comparison(
        .init(try translation.expression(element), .isIn, try translation.expression(sequence))))
  }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    guard case .constant(.integer(let index)) = try translation.expression(index), index >= 0 else {
      throw PredicateTranslation.unsupported("a subscript without a number")
    }
    return .expression(
      .element(try translation.path(wrapped), at: .index(Int(index)), then: []))
  }
}

// MARK: - Texts

extension PredicateExpressions.CollectionContainsCollection: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    guard Base.Output.self is any StringProtocol.Type else {
      throw PredicateTranslation.unsupported("contains() of one list in another")
    }
    return try translation.compareTexts(base, .contains, other)
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatedExpression {
  func translate(
    _ translation: inout PredicateTranslation
  ) throws(FetchPredicateError) -> PredicateTranslation.Part {
    guard Base.Output.self is any StringProtocol.Type else {
      throw PredicateTranslation.unsupported("starts(with:) of a list")
    }
    return try translation.compareTexts(base, .beginsWith, prefix)
  }
}

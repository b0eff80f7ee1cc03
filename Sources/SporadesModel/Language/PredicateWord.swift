// SPDX-License-Identifier: MIT

/// A word of the format language that a product brings. It stands between two values, as a comparator does.
public struct PredicateWord: Sendable {
  /// The word in capitals.
  package let spelling: String
  /// The condition on the values at both sides.
  package let condition:
    @Sendable (_ left: FetchExpression, _ right: FetchExpression) throws(FetchPredicateError) ->
      FetchPredicate

  /// Makes a word with a meaning.
  package init(
    _ spelling: String,
    _ condition:
      @escaping @Sendable (FetchExpression, FetchExpression) throws(FetchPredicateError)
      -> FetchPredicate
  ) {
    self.spelling = spelling
    self.condition = condition
  }
}

extension PredicateParser {
  /// Parses the rest of a condition whose word a product brings; nil if no such word follows.
  mutating func parseWord(
    after left: Phrase, _ start: PredicateToken
  ) throws(FetchPredicateError) -> Phrase? {
    guard let word = words.first(where: { $0.spelling == token.word }) else { return nil }
    advance()
    let leftSide = try requireExpression(left, start)
    let rightStart = token
    return .condition(
      try word.condition(leftSide, requireExpression(parseOperations(), rightStart)))
  }
}

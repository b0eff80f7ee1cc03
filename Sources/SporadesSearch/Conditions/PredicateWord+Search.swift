// SPDX-License-Identifier: MIT
public import SporadesModel

extension PredicateWord {
  /// `SEARCH` between a text and a search, or between `SELF` and a search in all searchable texts:
  ///
  /// ```swift
  /// try FetchPredicate(
  ///   format: "text SEARCH %@ AND views > %d", argumentArray: ["green ham*", 10], words: [.search])
  /// ```
  public static let search = PredicateWord("SEARCH") {
    (left, right) throws(FetchPredicateError) in
    guard case .constant(.string(let typed)) = right else {
      throw FetchPredicateError(
        .wrongOperands,
        "SEARCH has something else than a text on its right side. Pass it as the argument of %@.")
    }
    switch left {
    case .subject, .variable:
      return .open(OpenCondition(SearchMeaning(Search(typed), in: nil), [left]))
    case .keyPath(let names):
      return .open(
        OpenCondition(
          SearchMeaning(Search(typed), in: names.suffix(1)), [.object(before: names)]))
    default:
      throw FetchPredicateError(
        .wrongOperands, "SEARCH has something else than a searchable text or SELF on its left side."
      )
    }
  }
}

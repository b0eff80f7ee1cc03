// SPDX-License-Identifier: MIT

/// The number of steps that one fetch or save may spend on regular expressions, for all texts together.
///
/// Each text has free steps in proportion to its length. Only an expression that goes back and forth over
/// a text takes more. The budget counts steps, not time, so that the same fetch always ends in the same
/// way.
public final class PatternBudget {
  static let largest = 2_000_000
  private(set) var remaining: Int

  /// Makes the budget of a new fetch or save.
  public init() { remaining = Self.largest }

  init(steps: Int) { remaining = steps }

  /// The number of free steps for a text of a length.
  static func freeSteps(_ length: Int) -> Int { 256 + 32 * length }

  /// Takes steps from the budget, and refuses the fetch if the matcher did not finish or the budget is
  /// empty.
  func spend(_ steps: Int, isFinished: Bool) throws(FetchPredicateError) {
    remaining -= max(0, steps)
    guard isFinished, remaining >= 0 else {
      remaining = 0
      throw .patternTooCostly
    }
  }
}

extension FetchPredicateError {
  /// The refusal of a fetch or save whose regular expressions go back and forth too much.
  public static let patternTooCostly = FetchPredicateError(
    .patternTooCostly,
    "Matching a regular expression took more than \(PatternBudget.largest) steps, the limit of one "
      + "fetch or save. The expression can match a text in too many ways, as (a+)+\\1 can; write an "
      + "expression with only one way, or match shorter texts.")
}

/// An error that can carry the refusal of a predicate during its evaluation.
public protocol PredicateRefusal: Error {
  /// Makes the error that carries a refusal.
  init(refusing error: FetchPredicateError)
}

extension FetchPredicateError: PredicateRefusal {
  /// Takes the refusal as it is.
  public init(refusing error: FetchPredicateError) { self = error }
}

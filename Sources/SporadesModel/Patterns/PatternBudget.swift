// SPDX-License-Identifier: MIT

/// The steps that matching regular expressions may take, for all texts of one fetch or save together.
///
/// A text has a number of steps for free that is proportional to its length; only expressions that
/// go back and forth over it take more. The account counts steps, not time, so the same fetch always
/// ends in the same way.
public final class PatternBudget {
  static let largest = 5_000_000
  private(set) var remaining: Int

  public init() { remaining = Self.largest }

  init(steps: Int) { remaining = steps }

  static func freeSteps(_ length: Int) -> Int { 256 + 16 * length }

  func spend(_ steps: Int, isEnough: Bool) throws(FetchPredicateError) {
    remaining -= max(0, steps)
    guard isEnough, remaining >= 0 else {
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
      + "fetch or save. The expression can match a text in too many ways, as (a+)+\\1 can; write it so "
      + "that there is one way, or match shorter texts.")
}

/// An error that can say that a predicate was refused while it was asked.
public protocol PredicateRefusal: Error {
  init(refusing error: FetchPredicateError)
}

extension FetchPredicateError: PredicateRefusal {
  public init(refusing error: FetchPredicateError) { self = error }
}

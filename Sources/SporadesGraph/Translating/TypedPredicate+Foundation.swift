// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel

extension TypedPredicate {
  /// Makes a condition from one of Foundation's predicates: `TypedPredicate(#Predicate<User> { $0.age > 18 })`.
  ///
  /// A fetch throws where the predicate uses something of Swift that no store can compute, and names it.
  public init(_ predicate: Predicate<Object>) {
    var translation = PredicateTranslation(subject: predicate.variable.key)
    do throws(FetchPredicateError) {
      self.init(try translation.condition(predicate.expression))
    } catch {
      self.init(
        .comparison(FetchPredicate.Comparison(.refused(error), .equal, .constant(true))))
    }
  }
}

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

// Finders with one of Foundation's predicates as their condition.
extension ActiveRecord {
  /// The objects that satisfy one of Foundation's predicates, in the order of sort terms.
  @_disfavoredOverload
  public static func all<Context: FinderContext>(
    where predicate: Predicate<Self>, sortedBy terms: String = "", in context: Context
  ) throws(Context.Failure) -> [Self] {
    try all(where: TypedPredicate(predicate), sortedBy: terms, in: context)
  }

  /// The first object that satisfies one of Foundation's predicates, in the order of sort terms.
  @_disfavoredOverload
  public static func first<Context: FinderContext>(
    where predicate: Predicate<Self>, sortedBy terms: String = "", in context: Context
  ) throws(Context.Failure) -> Self? {
    try first(where: TypedPredicate(predicate), sortedBy: terms, in: context)
  }

  /// The number of objects that satisfy one of Foundation's predicates.
  @_disfavoredOverload
  public static func count<Context: FinderContext>(
    where predicate: Predicate<Self>, in context: Context
  ) throws(Context.Failure) -> Int {
    try count(where: TypedPredicate(predicate), in: context)
  }

  /// Marks all objects that satisfy one of Foundation's predicates for deletion.
  @_disfavoredOverload
  public static func deleteAll<Context: FinderContext>(
    where predicate: Predicate<Self>, in context: Context
  ) throws(Context.Failure) {
    try deleteAll(where: TypedPredicate(predicate), in: context)
  }
}

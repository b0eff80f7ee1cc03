// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel

// Finders and requests with one of Foundation's predicates as their condition: `where: #Predicate { $0.age > 18 }`.
extension ActiveRecord {
  /// The objects that satisfy one of Foundation's predicates, in the order of sort terms.
  @_disfavoredOverload
  public static func all<Context: FinderContext>(
    where predicate: Predicate<Self>,
    sortedBy terms: String = "", ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0, prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> [Self] {
    try request.where(predicate).sorted(by: terms, ascending: ascending)
      .limit(limit).offset(offset).prefetching(prefetching).fetch(in: context)
  }

  /// The objects that satisfy one of Foundation's predicates, in the order of attributes.
  @_disfavoredOverload
  public static func all<Context: FinderContext>(
    where predicate: Predicate<Self>,
    sortedBy keyPath: PartialKeyPath<Self>, _ others: PartialKeyPath<Self>...,
    ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0, prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> [Self] {
    try request.where(predicate).sorted(by: [keyPath] + others, ascending: ascending)
      .limit(limit).offset(offset).prefetching(prefetching).fetch(in: context)
  }

  /// The objects that satisfy one of Foundation's predicates, in the order of typed terms.
  @_disfavoredOverload
  public static func all<Context: FinderContext>(
    where predicate: Predicate<Self>,
    sortedBy term: TypedSortTerm<Self>, _ others: TypedSortTerm<Self>...,
    limit: Int? = nil, offset: Int = 0, prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> [Self] {
    try request.where(predicate).sorted(by: [term] + others)
      .limit(limit).offset(offset).prefetching(prefetching).fetch(in: context)
  }

  /// The first object that satisfies one of Foundation's predicates, in the order of sort terms.
  @_disfavoredOverload
  public static func first<Context: FinderContext>(
    where predicate: Predicate<Self>,
    sortedBy terms: String = "", ascending: Bool = true,
    prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> Self? {
    try request.where(predicate).sorted(by: terms, ascending: ascending)
      .prefetching(prefetching).first(in: context)
  }

  /// The first object that satisfies one of Foundation's predicates, in the order of attributes.
  @_disfavoredOverload
  public static func first<Context: FinderContext>(
    where predicate: Predicate<Self>,
    sortedBy keyPath: PartialKeyPath<Self>, _ others: PartialKeyPath<Self>...,
    ascending: Bool = true,
    prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> Self? {
    try request.where(predicate).sorted(by: [keyPath] + others, ascending: ascending)
      .prefetching(prefetching).first(in: context)
  }

  /// The first object that satisfies one of Foundation's predicates, in the order of typed terms.
  @_disfavoredOverload
  public static func first<Context: FinderContext>(
    where predicate: Predicate<Self>,
    sortedBy term: TypedSortTerm<Self>, _ others: TypedSortTerm<Self>...,
    prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> Self? {
    try request.where(predicate).sorted(by: [term] + others)
      .prefetching(prefetching).first(in: context)
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

  /// The request for the objects that satisfy one of Foundation's predicates.
  @_disfavoredOverload
  public static func `where`(_ predicate: Predicate<Self>) -> TypedRequest<Self> {
    request.where(predicate)
  }
}

extension TypedRequest {
  /// Asks for the objects that also satisfy one of Foundation's predicates.
  @_disfavoredOverload
  public func `where`(_ predicate: Predicate<Object>) -> Self {
    self.where(TypedPredicate(predicate))
  }

  /// Asks for the objects that satisfy the conditions so far, or one of Foundation's predicates.
  @_disfavoredOverload
  public func or(_ predicate: Predicate<Object>) -> Self { or(TypedPredicate(predicate)) }
}

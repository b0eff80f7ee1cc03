// SPDX-License-Identifier: MIT
public import SporadesModel

// Finders of one object: the first that the finder of all would return.
extension ActiveRecord {
  /// The first of the objects that satisfy a predicate, in the order of sort terms:
  /// `"lastname:NO,firstname"`.
  public static func first<Context: FinderContext>(
    where predicate: TypedPredicate<Self>? = nil,
    sortedBy terms: String = "", ascending: Bool = true,
    prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> Self? {
    try TypedRequest(where: predicate?.predicate).sorted(by: terms, ascending: ascending)
      .prefetching(prefetching).first(in: context)
  }

  /// The first of the objects that satisfy a predicate, in the order of attributes: `sortedBy:
  /// \.lastname, \.firstname`.
  public static func first<Context: FinderContext>(
    where predicate: TypedPredicate<Self>? = nil,
    sortedBy keyPath: PartialKeyPath<Self>, _ others: PartialKeyPath<Self>...,
    ascending: Bool = true,
    prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> Self? {
    try TypedRequest(where: predicate?.predicate).sorted(
      by: [keyPath] + others, ascending: ascending
    )
    .prefetching(prefetching).first(in: context)
  }

  /// The first of the objects that satisfy a predicate, in the order of typed terms: `sortedBy:
  /// .descending(\.age), .ascending(\.name)`.
  public static func first<Context: FinderContext>(
    where predicate: TypedPredicate<Self>? = nil,
    sortedBy term: TypedSortTerm<Self>, _ others: TypedSortTerm<Self>...,
    prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> Self? {
    try TypedRequest(where: predicate?.predicate).sorted(by: [term] + others)
      .prefetching(prefetching).first(in: context)
  }

  /// The first of the objects that satisfy a predicate, in the order of sort terms:
  /// `"lastname:NO,firstname"`.
  @_disfavoredOverload
  public static func first<Context: FinderContext>(
    where predicate: FetchPredicate,
    sortedBy terms: String = "", ascending: Bool = true,
    prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> Self? {
    try TypedRequest(where: predicate).sorted(by: terms, ascending: ascending)
      .prefetching(prefetching).first(in: context)
  }

  /// The first of the objects that satisfy a predicate, in the order of attributes: `sortedBy:
  /// \.lastname, \.firstname`.
  @_disfavoredOverload
  public static func first<Context: FinderContext>(
    where predicate: FetchPredicate,
    sortedBy keyPath: PartialKeyPath<Self>, _ others: PartialKeyPath<Self>...,
    ascending: Bool = true,
    prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> Self? {
    try TypedRequest(where: predicate).sorted(by: [keyPath] + others, ascending: ascending)
      .prefetching(prefetching).first(in: context)
  }

  /// The first of the objects that satisfy a predicate, in the order of typed terms: `sortedBy:
  /// .descending(\.age), .ascending(\.name)`.
  @_disfavoredOverload
  public static func first<Context: FinderContext>(
    where predicate: FetchPredicate,
    sortedBy term: TypedSortTerm<Self>, _ others: TypedSortTerm<Self>...,
    prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> Self? {
    try TypedRequest(where: predicate).sorted(by: [term] + others)
      .prefetching(prefetching).first(in: context)
  }

  /// The first of the objects whose truth value is true, in the order of sort terms:
  /// `"lastname:NO,firstname"`.
  @_disfavoredOverload
  public static func first<Context: FinderContext>(
    where condition: KeyPath<Self, Bool>,
    sortedBy terms: String = "", ascending: Bool = true,
    prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> Self? {
    try TypedRequest(where: TypedPredicate(condition).predicate).sorted(
      by: terms, ascending: ascending
    )
    .prefetching(prefetching).first(in: context)
  }

  /// The first of the objects whose truth value is true, in the order of attributes: `sortedBy:
  /// \.lastname, \.firstname`.
  @_disfavoredOverload
  public static func first<Context: FinderContext>(
    where condition: KeyPath<Self, Bool>,
    sortedBy keyPath: PartialKeyPath<Self>, _ others: PartialKeyPath<Self>...,
    ascending: Bool = true,
    prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> Self? {
    try TypedRequest(where: TypedPredicate(condition).predicate).sorted(
      by: [keyPath] + others, ascending: ascending
    )
    .prefetching(prefetching).first(in: context)
  }

  /// The first of the objects whose truth value is true, in the order of typed terms: `sortedBy:
  /// .descending(\.age), .ascending(\.name)`.
  @_disfavoredOverload
  public static func first<Context: FinderContext>(
    where condition: KeyPath<Self, Bool>,
    sortedBy term: TypedSortTerm<Self>, _ others: TypedSortTerm<Self>...,
    prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> Self? {
    try TypedRequest(where: TypedPredicate(condition).predicate).sorted(by: [term] + others)
      .prefetching(prefetching).first(in: context)
  }

  /// The first of the objects whose attribute has the value.
  public static func first<Context: FinderContext>(
    _ attribute: String, equalTo value: Any?, sortedBy terms: String = "", ascending: Bool = true,
    prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> Self? {
    let predicate = FetchPredicate.equals(attribute, value)
    return try TypedRequest(where: predicate).sorted(by: terms, ascending: ascending)
      .prefetching(prefetching).first(in: context)
  }
}

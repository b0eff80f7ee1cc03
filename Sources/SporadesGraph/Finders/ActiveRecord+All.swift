// SPDX-License-Identifier: MIT
public import SporadesModel

// Finders of all objects. `prefetching` names relationships whose objects the finder reads together
// with the results.
//
// The compiler prefers the finders with a typed condition, so that a call with a mistake has one candidate that it
// explains, and not several.
extension ActiveRecord {
  /// The objects that satisfy a predicate, in the order of sort terms: `"lastname:NO,firstname"`.
  public static func all<Context: FinderContext>(
    where predicate: TypedPredicate<Self>? = nil,
    sortedBy terms: String = "", ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0, prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> [Self] {
    try TypedRequest(where: predicate?.predicate).sorted(by: terms, ascending: ascending)
      .limit(limit).offset(offset).prefetching(prefetching).fetch(in: context)
  }

  /// The objects that satisfy a predicate, in the order of attributes: `sortedBy: \.lastname,
  /// \.firstname`.
  public static func all<Context: FinderContext>(
    where predicate: TypedPredicate<Self>? = nil,
    sortedBy keyPath: PartialKeyPath<Self>, _ others: PartialKeyPath<Self>...,
    ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0, prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> [Self] {
    try TypedRequest(where: predicate?.predicate).sorted(
      by: [keyPath] + others, ascending: ascending
    )
    .limit(limit).offset(offset).prefetching(prefetching).fetch(in: context)
  }

  /// The objects that satisfy a predicate, in the order of typed terms: `sortedBy:
  /// .descending(\.age), .ascending(\.name)`.
  public static func all<Context: FinderContext>(
    where predicate: TypedPredicate<Self>? = nil,
    sortedBy term: TypedSortTerm<Self>, _ others: TypedSortTerm<Self>...,
    limit: Int? = nil, offset: Int = 0, prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> [Self] {
    try TypedRequest(where: predicate?.predicate).sorted(by: [term] + others)
      .limit(limit).offset(offset).prefetching(prefetching).fetch(in: context)
  }

  /// The objects that satisfy a predicate, in the order of sort terms: `"lastname:NO,firstname"`.
  @_disfavoredOverload
  public static func all<Context: FinderContext>(
    where predicate: FetchPredicate,
    sortedBy terms: String = "", ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0, prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> [Self] {
    try TypedRequest(where: predicate).sorted(by: terms, ascending: ascending)
      .limit(limit).offset(offset).prefetching(prefetching).fetch(in: context)
  }

  /// The objects that satisfy a predicate, in the order of attributes: `sortedBy: \.lastname,
  /// \.firstname`.
  @_disfavoredOverload
  public static func all<Context: FinderContext>(
    where predicate: FetchPredicate,
    sortedBy keyPath: PartialKeyPath<Self>, _ others: PartialKeyPath<Self>...,
    ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0, prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> [Self] {
    try TypedRequest(where: predicate).sorted(by: [keyPath] + others, ascending: ascending)
      .limit(limit).offset(offset).prefetching(prefetching).fetch(in: context)
  }

  /// The objects that satisfy a predicate, in the order of typed terms: `sortedBy:
  /// .descending(\.age), .ascending(\.name)`.
  @_disfavoredOverload
  public static func all<Context: FinderContext>(
    where predicate: FetchPredicate,
    sortedBy term: TypedSortTerm<Self>, _ others: TypedSortTerm<Self>...,
    limit: Int? = nil, offset: Int = 0, prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> [Self] {
    try TypedRequest(where: predicate).sorted(by: [term] + others)
      .limit(limit).offset(offset).prefetching(prefetching).fetch(in: context)
  }

  /// The objects whose truth value is true, in the order of sort terms: `"lastname:NO,firstname"`.
  @_disfavoredOverload
  public static func all<Context: FinderContext>(
    where condition: KeyPath<Self, Bool>,
    sortedBy terms: String = "", ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0, prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> [Self] {
    try TypedRequest(where: TypedPredicate(condition).predicate).sorted(
      by: terms, ascending: ascending
    )
    .limit(limit).offset(offset).prefetching(prefetching).fetch(in: context)
  }

  /// The objects whose truth value is true, in the order of attributes: `sortedBy: \.lastname,
  /// \.firstname`.
  @_disfavoredOverload
  public static func all<Context: FinderContext>(
    where condition: KeyPath<Self, Bool>,
    sortedBy keyPath: PartialKeyPath<Self>, _ others: PartialKeyPath<Self>...,
    ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0, prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> [Self] {
    try TypedRequest(where: TypedPredicate(condition).predicate).sorted(
      by: [keyPath] + others, ascending: ascending
    )
    .limit(limit).offset(offset).prefetching(prefetching).fetch(in: context)
  }

  /// The objects whose truth value is true, in the order of typed terms: `sortedBy:
  /// .descending(\.age), .ascending(\.name)`.
  @_disfavoredOverload
  public static func all<Context: FinderContext>(
    where condition: KeyPath<Self, Bool>,
    sortedBy term: TypedSortTerm<Self>, _ others: TypedSortTerm<Self>...,
    limit: Int? = nil, offset: Int = 0, prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> [Self] {
    try TypedRequest(where: TypedPredicate(condition).predicate).sorted(by: [term] + others)
      .limit(limit).offset(offset).prefetching(prefetching).fetch(in: context)
  }

  /// The objects whose attribute has the value. An object stands for its id, and a case of an enum for
  /// its raw value.
  public static func all<Context: FinderContext>(
    _ attribute: String, equalTo value: Any?, sortedBy terms: String = "", ascending: Bool = true,
    limit: Int? = nil, offset: Int = 0, prefetching: PartialKeyPath<Self>..., in context: Context
  ) throws(Context.Failure) -> [Self] {
    let predicate = FetchPredicate.equals(attribute, value)
    return try TypedRequest(where: predicate).sorted(by: terms, ascending: ascending)
      .limit(limit).offset(offset).prefetching(prefetching).fetch(in: context)
  }
}

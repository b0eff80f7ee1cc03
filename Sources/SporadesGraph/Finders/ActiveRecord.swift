// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesModel

/// The shared functions of every managed object's class: making, finding, counting and deleting its
/// objects.
///
/// Each function takes a context. A finder makes a `FetchRequest`. On a ``ManagedObjectContext``
/// a finder throws its failure. In a ``ReportingContext``, which the chained blocks of a service
/// get, the context keeps the failure and the finder needs no `try`.
public protocol ActiveRecord: ManagedObject {}

extension ManagedObject: ActiveRecord {}

extension ActiveRecord {
  /// Inserts a new object into the context.
  @inlinable @discardableResult
  public static func create(in context: some FinderContext) -> Self {
    Self(context: context.managedObjectContext)
  }

  /// Marks the object for deletion by the context's next save.
  @inlinable
  public func delete(in context: some FinderContext) { context.managedObjectContext.delete(self) }

  // MARK: - All

  /// The objects that satisfy a predicate, in the order of sort terms: `"lastname:NO,firstname"`.
  public static func all<Context: FinderContext>(
    where predicate: TypedPredicate<Self>? = nil, sortedBy terms: String = "",
    ascending: Bool = true, limit: Int = 0, offset: Int = 0, in context: Context
  ) throws(Context.Failure) -> [Self] {
    try context.find(orElse: []) { context in
      let terms = try SortTerm.parse(terms, ascending: ascending)
      let request = try request(predicate?.predicate, terms, limit, offset, in: context)
      return try context.fetch(Self.self, request)
    }
  }

  /// The objects that satisfy a predicate, in the order of an attribute.
  public static func all<Context: FinderContext>(
    where predicate: TypedPredicate<Self>? = nil, sortedBy keyPath: PartialKeyPath<Self>,
    ascending: Bool = true, limit: Int = 0, offset: Int = 0, in context: Context
  ) throws(Context.Failure) -> [Self] {
    try context.find(orElse: []) { context in
      let terms = [SortTerm(try KeyPathNames.names(of: keyPath), ascending: ascending)]
      let request = try request(predicate?.predicate, terms, limit, offset, in: context)
      return try context.fetch(Self.self, request)
    }
  }

  /// The objects that satisfy a predicate, in the order of sort terms: `"lastname:NO,firstname"`.
  public static func all<Context: FinderContext>(
    where predicate: FetchPredicate, sortedBy terms: String = "", ascending: Bool = true,
    limit: Int = 0, offset: Int = 0, in context: Context
  ) throws(Context.Failure) -> [Self] {
    try all(
      where: TypedPredicate(predicate), sortedBy: terms, ascending: ascending, limit: limit,
      offset: offset, in: context)
  }

  /// The objects that satisfy a predicate, in the order of an attribute.
  public static func all<Context: FinderContext>(
    where predicate: FetchPredicate, sortedBy keyPath: PartialKeyPath<Self>,
    ascending: Bool = true, limit: Int = 0, offset: Int = 0, in context: Context
  ) throws(Context.Failure) -> [Self] {
    try all(
      where: TypedPredicate(predicate), sortedBy: keyPath, ascending: ascending, limit: limit,
      offset: offset, in: context)
  }

  /// The objects whose attribute has the value.
  public static func all<Context: FinderContext>(
    _ attribute: String, equalTo value: some ValueConvertible, sortedBy terms: String = "",
    ascending: Bool = true, limit: Int = 0, offset: Int = 0, in context: Context
  ) throws(Context.Failure) -> [Self] {
    try all(
      where: FetchPredicate.equals(attribute, value), sortedBy: terms, ascending: ascending,
      limit: limit, offset: offset, in: context)
  }

  // MARK: - First

  /// The first of the objects that `all` finds.
  public static func first<Context: FinderContext>(
    where predicate: TypedPredicate<Self>? = nil, sortedBy terms: String = "",
    ascending: Bool = true, in context: Context
  ) throws(Context.Failure) -> Self? {
    try all(where: predicate, sortedBy: terms, ascending: ascending, limit: 1, in: context).first
  }

  /// The first of the objects that `all` finds.
  public static func first<Context: FinderContext>(
    where predicate: TypedPredicate<Self>? = nil, sortedBy keyPath: PartialKeyPath<Self>,
    ascending: Bool = true, in context: Context
  ) throws(Context.Failure) -> Self? {
    try all(where: predicate, sortedBy: keyPath, ascending: ascending, limit: 1, in: context).first
  }

  /// The first of the objects that `all` finds.
  public static func first<Context: FinderContext>(
    where predicate: FetchPredicate, sortedBy terms: String = "", ascending: Bool = true,
    in context: Context
  ) throws(Context.Failure) -> Self? {
    try all(where: predicate, sortedBy: terms, ascending: ascending, limit: 1, in: context).first
  }

  /// The first of the objects that `all` finds.
  public static func first<Context: FinderContext>(
    where predicate: FetchPredicate, sortedBy keyPath: PartialKeyPath<Self>,
    ascending: Bool = true, in context: Context
  ) throws(Context.Failure) -> Self? {
    try all(where: predicate, sortedBy: keyPath, ascending: ascending, limit: 1, in: context).first
  }

  /// The first of the objects whose attribute has the value.
  public static func first<Context: FinderContext>(
    _ attribute: String, equalTo value: some ValueConvertible, sortedBy terms: String = "",
    ascending: Bool = true, in context: Context
  ) throws(Context.Failure) -> Self? {
    try all(
      attribute, equalTo: value, sortedBy: terms, ascending: ascending, limit: 1, in: context
    ).first
  }

  /// The first object whose attribute has the value. If there is none, a new object with the value.
  ///
  /// Writes of a service are serial, so nothing can happen between the look-up and the creation.
  /// With parallel writers, make the attribute unique. If the look-up fails in a
  /// ``ReportingContext``, the result is a new object, and the failure discards the write.
  public static func firstOrCreate<V: ValueConvertible, Context: FinderContext>(
    _ keyPath: ReferenceWritableKeyPath<Self, V>, equalTo value: V, in context: Context
  ) throws(Context.Failure) -> Self {
    let found = try first(where: TypedPredicate(keyPath, .equal, value.value), in: context)
    if let found { return found }
    let new = create(in: context)
    new[keyPath: keyPath] = value
    return new
  }

  // MARK: - Counting and deleting

  /// The number of objects that satisfy a predicate.
  public static func count<Context: FinderContext>(
    where predicate: TypedPredicate<Self>? = nil, in context: Context
  ) throws(Context.Failure) -> Int {
    try context.find(orElse: 0) { try $0.count(request(predicate?.predicate, in: $0)) }
  }

  /// The number of objects that satisfy a predicate.
  public static func count<Context: FinderContext>(
    where predicate: FetchPredicate, in context: Context
  ) throws(Context.Failure) -> Int {
    try count(where: TypedPredicate(predicate), in: context)
  }

  /// Marks all objects that satisfy the predicate for deletion, and applies their delete rules.
  public static func deleteAll<Context: FinderContext>(
    where predicate: TypedPredicate<Self>? = nil, in context: Context
  ) throws(Context.Failure) {
    for object in try all(where: predicate, in: context) { object.delete(in: context) }
  }

  /// Marks all objects that satisfy the predicate for deletion, and applies their delete rules.
  public static func deleteAll<Context: FinderContext>(
    where predicate: FetchPredicate, in context: Context
  ) throws(Context.Failure) {
    try deleteAll(where: TypedPredicate(predicate), in: context)
  }

  // MARK: - The request

  /// The request that a finder makes.
  static func request(
    _ predicate: FetchPredicate?, _ terms: [SortTerm] = [], _ limit: Int = 0, _ offset: Int = 0,
    in context: ManagedObjectContext
  ) throws(ContextError) -> FetchRequest {
    FetchRequest(
      try context.shape(for: Self.self).name, where: predicate, sortedBy: terms, limit: limit,
      offset: offset)
  }
}

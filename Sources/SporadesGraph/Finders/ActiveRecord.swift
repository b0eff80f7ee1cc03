// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesModel

/// What every managed object's class can do: make, find, count and delete its objects.
///
/// The context is always told. In a ``ReportingContext``, which the chained blocks of a service
/// get, finders need no `try`.
public protocol ActiveRecord: ManagedObject {}

extension ManagedObject: ActiveRecord {}

extension ActiveRecord {
  /// A new object in the context.
  @discardableResult
  public static func create(in context: ManagedObjectContext) -> Self { Self(context: context) }

  /// Marks the object for deletion by the context's next save.
  public func delete(in context: ManagedObjectContext) { context.delete(self) }

  // MARK: - Finding

  public static func all(in context: ManagedObjectContext) throws -> [Self] {
    try context.fetch(Self.self, request(in: context))
  }

  /// The objects that satisfy a predicate, in the order of sort terms: `"lastname:NO,firstname"`.
  public static func all(
    where predicate: TypedPredicate<Self>? = nil, sortedBy terms: String = "",
    ascending: Bool = true, limit: Int = 0, offset: Int = 0, in context: ManagedObjectContext
  ) throws -> [Self] {
    try find(
      predicate?.predicate, SortTerm.parse(terms, ascending: ascending), limit, offset,
      in: context)
  }

  public static func all(
    where predicate: TypedPredicate<Self>? = nil, sortedBy keyPath: PartialKeyPath<Self>,
    ascending: Bool = true, limit: Int = 0, offset: Int = 0, in context: ManagedObjectContext
  ) throws -> [Self] {
    try find(predicate?.predicate, terms(keyPath, ascending), limit, offset, in: context)
  }

  public static func all(
    where predicate: FetchPredicate, sortedBy terms: String = "", ascending: Bool = true,
    limit: Int = 0, offset: Int = 0, in context: ManagedObjectContext
  ) throws -> [Self] {
    try find(predicate, SortTerm.parse(terms, ascending: ascending), limit, offset, in: context)
  }

  public static func all(
    where predicate: FetchPredicate, sortedBy keyPath: PartialKeyPath<Self>,
    ascending: Bool = true, limit: Int = 0, offset: Int = 0, in context: ManagedObjectContext
  ) throws -> [Self] {
    try find(predicate, terms(keyPath, ascending), limit, offset, in: context)
  }

  /// The objects whose attribute has the value.
  public static func all(
    _ attribute: String, equalTo value: some ValueConvertible, sortedBy terms: String = "",
    ascending: Bool = true, limit: Int = 0, offset: Int = 0, in context: ManagedObjectContext
  ) throws -> [Self] {
    try all(
      where: FetchPredicate.equals(attribute, value), sortedBy: terms, ascending: ascending,
      limit: limit, offset: offset, in: context)
  }

  /// The first of the objects that `all(where:)` finds.
  public static func first(
    where predicate: TypedPredicate<Self>? = nil, sortedBy terms: String = "",
    ascending: Bool = true, in context: ManagedObjectContext
  ) throws -> Self? {
    try all(where: predicate, sortedBy: terms, ascending: ascending, limit: 1, in: context).first
  }

  public static func first(
    where predicate: TypedPredicate<Self>? = nil, sortedBy keyPath: PartialKeyPath<Self>,
    ascending: Bool = true, in context: ManagedObjectContext
  ) throws -> Self? {
    try all(where: predicate, sortedBy: keyPath, ascending: ascending, limit: 1, in: context).first
  }

  public static func first(
    where predicate: FetchPredicate, sortedBy terms: String = "", ascending: Bool = true,
    in context: ManagedObjectContext
  ) throws -> Self? {
    try all(where: predicate, sortedBy: terms, ascending: ascending, limit: 1, in: context).first
  }

  public static func first(
    where predicate: FetchPredicate, sortedBy keyPath: PartialKeyPath<Self>,
    ascending: Bool = true, in context: ManagedObjectContext
  ) throws -> Self? {
    try all(where: predicate, sortedBy: keyPath, ascending: ascending, limit: 1, in: context).first
  }

  public static func first(
    _ attribute: String, equalTo value: some ValueConvertible, sortedBy terms: String = "",
    ascending: Bool = true, in context: ManagedObjectContext
  ) throws -> Self? {
    try all(
      attribute, equalTo: value, sortedBy: terms, ascending: ascending, limit: 1, in: context
    ).first
  }

  /// The object whose attribute has the value; a new one that has it where there is none.
  ///
  /// Inside a service's write nothing can come between looking and creating, since writes are
  /// serial. With parallel writers, make the attribute unique.
  public static func firstOrCreate<V: ValueConvertible>(
    _ keyPath: ReferenceWritableKeyPath<Self, V>, equalTo value: V,
    in context: ManagedObjectContext
  ) throws -> Self {
    let found = try first(
      where: TypedPredicate(keyPath, .equal, value.value), in: context)
    if let found { return found }
    let new = create(in: context)
    new[keyPath: keyPath] = value
    return new
  }

  // MARK: - Counting

  public static func count(
    where predicate: TypedPredicate<Self>? = nil, in context: ManagedObjectContext
  ) throws -> Int { try context.count(request(predicate?.predicate, in: context)) }

  public static func count(
    where predicate: FetchPredicate, in context: ManagedObjectContext
  ) throws -> Int { try context.count(request(predicate, in: context)) }

  // MARK: - Deleting

  /// Marks all objects that satisfy the predicate for deletion, delete rules included.
  public static func deleteAll(
    where predicate: TypedPredicate<Self>? = nil, in context: ManagedObjectContext
  ) throws {
    for object in try all(where: predicate, in: context) { context.delete(object) }
  }

  public static func deleteAll(
    where predicate: FetchPredicate, in context: ManagedObjectContext
  ) throws {
    for object in try all(where: predicate, in: context) { context.delete(object) }
  }

  // MARK: - In another context

  /// The same object in another context, whatever kind of id it has, saved to disk or not.
  public func inContext(_ context: ManagedObjectContext) throws -> Self {
    if home.context === context { return self }
    if key.isTemporary, let own = home.context, own.access.isHeldByCurrentThread {
      try own.obtainPermanentIDs(for: [self])
    }
    let found = try context.existingObject(with: objectID)
    guard let same = found as? Self else { throw ContextError.objectNotFound(objectID) }
    return same
  }

  // MARK: - Requests

  private static func find(
    _ predicate: FetchPredicate?, _ terms: [SortTerm], _ limit: Int, _ offset: Int,
    in context: ManagedObjectContext
  ) throws -> [Self] {
    try context.fetch(Self.self, request(predicate, terms, limit, offset, in: context))
  }

  static func request(
    _ predicate: FetchPredicate? = nil, _ terms: [SortTerm] = [], _ limit: Int = 0,
    _ offset: Int = 0, in context: ManagedObjectContext
  ) throws(ContextError) -> FetchRequest {
    FetchRequest(
      try context.shape(for: Self.self).name, where: predicate, sortedBy: terms, limit: limit,
      offset: offset)
  }

  static func terms(
    _ keyPath: PartialKeyPath<Self>, _ ascending: Bool
  ) throws(FetchPredicateError) -> [SortTerm] {
    [SortTerm(try KeyPathNames.names(of: keyPath), ascending: ascending)]
  }
}

// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesModel

/// The shared functions of every managed object's class: making, finding, counting and deleting its
/// objects.
///
/// Each function takes a context. A finder is a short form of a ``TypedRequest``, which
/// `User.where(…)` begins. On a ``ManagedObjectContext`` a finder throws its failure. In a ``ReportingContext``, which the chained blocks of a service
/// get, the context keeps the failure and the finder needs no `try`.
public protocol ActiveRecord: ManagedObject {}

extension ManagedObject: ActiveRecord {}

extension FinderContext {
  /// Marks each of the objects for deletion by the context's next save, and applies their delete rules.
  public func delete<Objects: Sequence>(_ objects: Objects)
  where Objects.Element: ManagedObject {
    for object in objects { managedObjectContext.delete(object) }
  }
}

extension ActiveRecord {
  /// Inserts a new object into the context.
  @inlinable @discardableResult
  public static func create(in context: some FinderContext) -> Self {
    let object = context.managedObjectContext.insertObject(of: self)
    guard let object = object as? Self else { object.refuseClass(self) }
    return object
  }

  /// Marks the object for deletion by the context's next save.
  @inlinable
  public func delete(in context: some FinderContext) { context.managedObjectContext.delete(self) }

  /// The first object whose attribute has the value. If there is none, a new object with the value.
  ///
  /// Writes of a service are serial, so nothing can happen between the look-up and the creation.
  /// With parallel writers, make the attribute unique. If the look-up fails in a
  /// ``ReportingContext``, the result is a new object, and the failure discards the write.
  public static func firstOrCreate<V: ValueConvertible, Context: FinderContext>(
    _ keyPath: ReferenceWritableKeyPath<Self, V>, equalTo value: V, in context: Context
  ) throws(Context.Failure) -> Self {
    let found = try first(where: TypedPredicate<Self>(keyPath, .equal, value.value), in: context)
    if let found { return found }
    let new = create(in: context)
    new[keyPath: keyPath] = value
    return new
  }

  /// The first object whose attribute has the case. If there is none, a new object with the case.
  @_disfavoredOverload
  public static func firstOrCreate<V: RawRepresentable, Context: FinderContext>(
    _ keyPath: ReferenceWritableKeyPath<Self, V>, equalTo value: V, in context: Context
  ) throws(Context.Failure) -> Self where V.RawValue: ValueConvertible {
    let found = try first(where: keyPath == value, in: context)
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
    try TypedRequest<Self>(where: predicate?.predicate).count(in: context)
  }

  /// The number of objects that satisfy a predicate.
  @_disfavoredOverload
  public static func count<Context: FinderContext>(
    where predicate: FetchPredicate, in context: Context
  ) throws(Context.Failure) -> Int { try request.where(predicate).count(in: context) }

  /// The number of objects whose truth value is true.
  @_disfavoredOverload
  public static func count<Context: FinderContext>(
    where condition: KeyPath<Self, Bool>, in context: Context
  ) throws(Context.Failure) -> Int { try request.where(condition).count(in: context) }

  /// Marks all objects that satisfy the predicate for deletion, and applies their delete rules.
  public static func deleteAll<Context: FinderContext>(
    where predicate: TypedPredicate<Self>? = nil, in context: Context
  ) throws(Context.Failure) {
    try TypedRequest<Self>(where: predicate?.predicate).delete(in: context)
  }

  /// Marks all objects that satisfy the predicate for deletion, and applies their delete rules.
  @_disfavoredOverload
  public static func deleteAll<Context: FinderContext>(
    where predicate: FetchPredicate, in context: Context
  ) throws(Context.Failure) { try request.where(predicate).delete(in: context) }

  /// Marks all objects whose truth value is true for deletion, and applies their delete rules.
  @_disfavoredOverload
  public static func deleteAll<Context: FinderContext>(
    where condition: KeyPath<Self, Bool>, in context: Context
  ) throws(Context.Failure) { try request.where(condition).delete(in: context) }
}

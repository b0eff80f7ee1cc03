// SPDX-License-Identifier: MIT
public import SporadesModel

/// A view of a context whose finders need no `try`. The context keeps a failure, and the block
/// fails when it ends.
///
/// The chained blocks of a service get one, so that they stay short. No failure is lost: a failure
/// in the block of a write discards the write, and the service reports it.
///
/// The view has the properties of its context and the methods that a block needs. These methods
/// throw as the context's methods do. For all other methods, use ``managedObjectContext``, whose
/// finders throw.
@frozen @dynamicMemberLookup
public struct ReportingContext: FinderContext {
  /// The context behind the view.
  public let managedObjectContext: ManagedObjectContext

  package init(_ context: ManagedObjectContext) { managedObjectContext = context }

  /// Returns the answer of a finder. If the finder throws, the context keeps the failure and the
  /// result is `fallback`.
  public func find<Output>(
    orElse fallback: @autoclosure () -> Output,
    _ finder: (ManagedObjectContext) throws -> Output
  ) -> Output {
    do {
      return try finder(managedObjectContext)
    } catch {
      managedObjectContext.keepFailure(error)
      return fallback()
    }
  }

  /// A property of the context.
  public subscript<Property>(
    dynamicMember property: KeyPath<ManagedObjectContext, Property>
  ) -> Property { managedObjectContext[keyPath: property] }

  /// A property of the context.
  public subscript<Property>(
    dynamicMember property: ReferenceWritableKeyPath<ManagedObjectContext, Property>
  ) -> Property {
    get { managedObjectContext[keyPath: property] }
    nonmutating set { managedObjectContext[keyPath: property] = newValue }
  }
}

extension ReportingContext {
  /// See ``ManagedObjectContext/save()``.
  public func save() throws { try managedObjectContext.save() }

  /// See ``ManagedObjectContext/rollback()``.
  public func rollback() { managedObjectContext.rollback() }

  /// See ``ManagedObjectContext/delete(_:)-(ManagedObject)``.
  public func delete(_ object: ManagedObject) { managedObjectContext.delete(object) }

  /// See ``ManagedObjectContext/refresh(_:mergeChanges:)``.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    managedObjectContext.refresh(object, mergeChanges: mergeChanges)
  }

  /// See ``ManagedObjectContext/obtainPermanentIDs(for:)``.
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
    try managedObjectContext.obtainPermanentIDs(for: objects)
  }

  /// See ``ManagedObjectContext/object(with:)``.
  public func object(with id: ManagedObjectID) throws(ContextError) -> ManagedObject {
    try managedObjectContext.object(with: id)
  }

  /// See ``ManagedObjectContext/existingObject(with:)``.
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    try managedObjectContext.existingObject(with: id)
  }

  /// See ``ManagedObjectContext/fetch(_:_:)``.
  public func fetch<Object: ManagedObject>(
    _ type: Object.Type, _ request: FetchRequest
  ) throws -> [Object] { try managedObjectContext.fetch(type, request) }

  /// See ``ManagedObjectContext/count(_:)``.
  public func count(_ request: FetchRequest) throws -> Int {
    try managedObjectContext.count(request)
  }
}

// SPDX-License-Identifier: MIT
public import SporadesModel

// A verb asks the question. On a context it throws, and in the chained block of a service it needs no
// `try`: the block keeps the failure and fails at its end.
extension TypedRequest {
  /// The objects, with the unsaved changes of the context.
  public func fetch<Context: FinderContext>(
    in context: Context
  ) throws(Context.Failure) -> [Object] {
    try context.find(orElse: []) { try $0.fetch(Object.self, fetchRequest(in: $0)) }
  }

  /// The first object; nil if there is none.
  public func first<Context: FinderContext>(
    in context: Context
  ) throws(Context.Failure) -> Object? { try bounded(to: 1).fetch(in: context).first }

  /// The number of objects. The verb makes none of them.
  public func count<Context: FinderContext>(
    in context: Context
  ) throws(Context.Failure) -> Int {
    try context.find(orElse: 0) { try $0.count(fetchRequest(in: $0)) }
  }

  /// Whether there is an object. In a block that keeps failures, false stands for a failure.
  public func exists<Context: FinderContext>(
    in context: Context
  ) throws(Context.Failure) -> Bool { try !bounded(to: 1).ids(in: context).isEmpty }

  /// The ids of the objects. The verb makes none of them.
  public func ids<Context: FinderContext>(
    in context: Context
  ) throws(Context.Failure) -> [ManagedObjectID] {
    try context.find(orElse: []) { try $0.fetchIDs(fetchRequest(in: $0)) }
  }

  /// Marks the objects for deletion by the context's next save, applies their delete rules, and
  /// returns their number.
  @discardableResult
  public func delete<Context: FinderContext>(
    in context: Context
  ) throws(Context.Failure) -> Int {
    let objects = try fetch(in: context)
    for object in objects { context.managedObjectContext.delete(object) }
    return objects.count
  }

  /// The objects, with as many of them in memory at a time. Use it to walk over more objects than
  /// memory should hold: `for user in try User.request.inBatches(of: 500, in: context)`.
  public func inBatches<Context: FinderContext>(
    of size: Int, in context: Context
  ) throws(Context.Failure) -> FetchedBatches<Object> {
    let none = FetchedBatches<Object>.none(in: context.managedObjectContext)
    return try context.find(orElse: none) { context in
      var request = try fetchRequest(in: context)
      request.fetchBatchSize = size
      return try context.fetchInBatches(Object.self, request)
    }
  }

  package func bounded(to count: Int) -> Self {
    limit(Swift.min(untyped.fetchLimit ?? count, count))
  }
}

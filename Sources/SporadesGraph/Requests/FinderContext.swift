// SPDX-License-Identifier: MIT

/// A context in which classes make and find their objects, and which decides how a finder fails.
///
/// A finder of your own serves both kinds of context:
///
/// ```swift
/// extension Book {
///   static func recent<Context: FinderContext>(
///     in context: Context
///   ) throws(Context.Failure) -> [Book] {
///     try all(sortedBy: "published:NO", limit: 5, in: context)
///   }
/// }
/// ```
public protocol FinderContext {
  /// The error that finders throw; `Never` if the context keeps failures.
  associatedtype Failure: Error

  /// The context that holds the objects.
  var managedObjectContext: ManagedObjectContext { get }

  /// Returns the answer of a finder. If the finder throws, a context that keeps failures returns
  /// `fallback`.
  func find<Output>(
    orElse fallback: @autoclosure () -> Output,
    _ finder: (ManagedObjectContext) throws -> Output
  ) throws(Failure) -> Output
}

extension ManagedObjectContext: FinderContext {
  /// The context itself.
  @inlinable public var managedObjectContext: ManagedObjectContext { self }

  /// Returns the answer of a finder, or throws its failure.
  @inlinable
  public func find<Output>(
    orElse fallback: @autoclosure () -> Output,
    _ finder: (ManagedObjectContext) throws -> Output
  ) throws -> Output { try finder(self) }
}

// SPDX-License-Identifier: MIT
public import SporadesModel

// A queue in the place of its context. The compiler reports one sentence for each use.

/// Refuses a queue where a finder needs a context.
@available(
  *, unavailable,
  message:
    "a queue lends its context to blocks: write try await viewContext.perform { context in … }, or try viewContext.performAndWait { context in … }, and use the context there"
)
extension ContextQueue: FinderContext {
  public var managedObjectContext: ManagedObjectContext { trap(refusal) }

  public func find<Output>(
    orElse fallback: @autoclosure () -> Output,
    _ finder: (ManagedObjectContext) throws -> Output
  ) throws -> Output { trap(refusal) }
}

extension ContextQueue {
  /// Refuses to save outside of a block.
  @available(
    *, unavailable,
    message: "the context saves in a block: try viewContext.performAndWait { try $0.save() }"
  )
  public func save() throws { trap(refusal) }

  /// Refuses to give up changes outside of a block.
  @available(
    *, unavailable, message: "write it in a block: viewContext.performAndWait { $0.rollback() }"
  )
  public func rollback() { trap(refusal) }

  /// Refuses to reset outside of a block.
  @available(
    *, unavailable, message: "write it in a block: viewContext.performAndWait { $0.reset() }"
  )
  public func reset() { trap(refusal) }

  /// Refuses to delete outside of a block.
  @available(
    *, unavailable,
    message:
      "an object is deleted in a block of its context: viewContext.performAndWait { $0.delete(user) }"
  )
  public func delete(_ object: ManagedObject) { trap(refusal) }

  /// Refuses to fetch outside of a block.
  @available(
    *, unavailable,
    message:
      "objects stay in a block: viewContext.performAndWait { context in for user in try context.fetch(User.self, request) { … } }"
  )
  public func fetch(_ request: FetchRequest) throws -> [ManagedObject] { trap(refusal) }

  /// Refuses to ask outside of a block.
  @available(
    *, unavailable, message: "ask in a block: viewContext.performAndWait { $0.hasChanges }"
  )
  public var hasChanges: Bool { trap(refusal) }

  /// Refuses a policy outside of a block.
  @available(
    *, unavailable,
    message:
      "set the policy in a block: viewContext.performAndWait { $0.mergePolicy = .objectTrump }"
  )
  public var mergePolicy: MergePolicy {
    get { trap(refusal) }
    set { trap(refusal) }
  }

  /// Refuses a setting outside of a block.
  @available(
    *, unavailable,
    message:
      "set it in a block: viewContext.performAndWait { $0.automaticallyMergesChangesFromParent = true }"
  )
  public var automaticallyMergesChangesFromParent: Bool {
    get { trap(refusal) }
    set { trap(refusal) }
  }

  /// Refuses a block that leaves out its context.
  @_disfavoredOverload
  @available(*, unavailable, message: "a block gets the context: perform { context in … }")
  public func perform(_ body: () throws -> Void) { trap(refusal) }

  /// Refuses a block that leaves out its context.
  @_disfavoredOverload
  @available(*, unavailable, message: "a block gets the context: performAndWait { context in … }")
  public func performAndWait(_ body: () throws -> Void) { trap(refusal) }
}

// Functions that cannot await.
extension ContextQueue {
  /// Runs a block as `performAndWait` does, where no task could wait for it.
  @_disfavoredOverload
  @available(
    *, deprecated,
    message:
      "in a function without async write try queue.performAndWait { context in … }, or queue.performLater { context in … }"
  )
  public func perform<Output, Failure: Error>(
    _ body: (ManagedObjectContext) throws(Failure) -> Output
  ) throws(Failure) -> Output { try performAndWait(body) }
}

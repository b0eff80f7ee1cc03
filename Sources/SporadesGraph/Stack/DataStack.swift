// SPDX-License-Identifier: MIT
public import Dispatch
public import SporadesChain
public import SporadesModel
public import SporadesStore

/// A store, which may be a coordinator of several, and the chain of contexts over it: store ← root ← main ← children.
///
/// Several stacks live side by side in one process, over different stores or models or the same.
public final class DataStack: Sendable {
  public let model: ManagedObjectModel
  public let store: any PersistentStore
  /// Executes and commits what the others save.
  public let root: RootContext
  /// The source of truth that reads see.
  public let main: ContextQueue
  let bound: BoundModel

  /// A stack over a store. `classes` are the classes its entities are bound to; what they inherit
  /// from and lead to need not be named. With `mainQueue`, the main context lives on that queue
  /// instead of one of its own: give `DispatchQueue.main` to read on the main thread.
  public init(
    store: any PersistentStore, classes: [ManagedObject.Type] = [],
    mainQueue: DispatchQueue? = nil
  ) {
    self.store = store
    model = store.model
    bound = BoundModel(store: store, classes: classes)
    root = RootContext(store: store, derivesAcrossObjects: bound.derivesAcrossObjects)
    let context = ManagedObjectContext(stack: bound, parent: .store(root), name: "main")
    main = ContextQueue(context, label: "main", on: mainQueue, hearing: root)
  }

  /// A context beside main that reads from and saves to the store. Saves of others reach it before
  /// its next block.
  public func newContext(name: String? = nil) -> ContextQueue {
    let context = ManagedObjectContext(stack: bound, parent: .store(root), name: name)
    return ContextQueue(context, label: name ?? "context", hearing: root)
  }

  /// A context that the calling thread holds, for programs that work on one thread: its objects are used
  /// without a block. Saves of others reach it before its next fetch or save.
  ///
  /// The context belongs to the thread until it is dropped. In debug builds, using it or its objects on
  /// another thread traps.
  public func newThreadContext(name: String? = nil) -> ManagedObjectContext {
    let context = ManagedObjectContext(stack: bound, parent: .store(root), name: name)
    context.holdByCurrentThread()
    return context
  }

  /// A context that the calling thread holds, whose parent is `parent`: it sees what its parent sees, and saves
  /// into it.
  public func newThreadContext(
    over parent: ContextQueue, name: String? = nil
  ) -> ManagedObjectContext {
    precondition(
      parent.isOf(bound),
      "A child's parent must be a context of the same stack. Call newThreadContext(over:) of the parent's."
    )
    let context = ManagedObjectContext(
      stack: bound, parent: .context(ParentSource(parent, root)), name: name)
    context.automaticallyMergesChangesFromParent = false
    context.holdByCurrentThread()
    return context
  }

  /// A context whose parent is `parent`: it sees what its parent sees, and saves into it.
  public func newChild(of parent: ContextQueue, name: String? = nil) -> ContextQueue {
    precondition(
      parent.isOf(bound),
      "A child's parent must be a context of the same stack. Call newChild(of:) of the parent's.")
    let context = ManagedObjectContext(
      stack: bound, parent: .context(ParentSource(parent, root)), name: name)
    context.automaticallyMergesChangesFromParent = false
    return ContextQueue(context, label: name ?? "child", over: parent)
  }

  /// Runs `body` in a context of its own on the calling thread and saves it up the chain.
  ///
  /// A body that throws leaves nothing behind. Returns the number of the save where there was
  /// anything to save.
  package func write(
    name: String?, durability: Durability, mergePolicy: MergePolicy = .error,
    within outer: ManagedObjectContext? = nil, _ body: (ManagedObjectContext) throws -> Void
  ) throws -> SaveNumber? {
    // because a nested write runs on the outer's thread, its waits for the parent end at once
    let parent =
      outer.map { ContextParent.context(ParentSource(ContextQueue($0, label: "outer"), root)) }
      ?? .store(root)
    let context = ManagedObjectContext(stack: bound, parent: parent, name: name)
    if outer == nil { context.hasHeard(upTo: root.lastPublished) }
    context.durability = durability
    context.mergePolicy = mergePolicy
    context.savePlace = .write(root)
    context.access.take()
    defer {
      context.staging?.access.giveBack()
      context.access.giveBack()
    }
    let outcome = Result { try body(context) }
    try BlockFailures.check(outcome, context.takeFailures())
    return try context.endWrite()
  }
}

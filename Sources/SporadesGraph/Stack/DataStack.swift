// SPDX-License-Identifier: MIT
public import Dispatch
public import SporadesChain
public import SporadesModel
public import SporadesStore

/// A store and the chain of contexts over it: store ← root ← main ← children. The store may be a
/// coordinator of several.
///
/// Several stacks can live side by side in one process, over the same or different stores and
/// models.
public final class DataStack: Sendable {
  /// The model of the stack's store.
  public let model: ManagedObjectModel
  /// The store, or the coordinator of several stores.
  public let store: any PersistentStore
  /// The context that executes and commits the saves of all others.
  public let root: RootContext
  /// The context that serves reads.
  public let main: ContextQueue
  let bound: BoundModel

  /// Makes a stack over a store and binds its entities to `classes`. Their superclasses and the
  /// destinations of their relationships need not be listed. With `mainQueue`, the main context
  /// lives on that queue: pass `DispatchQueue.main` to read on the main thread.
  public convenience init(
    store: any PersistentStore, classes: [ManagedObject.Type] = [],
    mainQueue: DispatchQueue? = nil
  ) {
    let bound = BoundModel(store: store, classes: classes, check: ObjectCheck())
    self.init(store: store, bound: bound, mainQueue: mainQueue)
  }

  init(store: any PersistentStore, bound: BoundModel, mainQueue: DispatchQueue? = nil) {
    self.store = store
    model = store.model
    self.bound = bound
    root = RootContext(store: store, derivesAcrossObjects: bound.derivesAcrossObjects)
    let context = ManagedObjectContext(stack: bound, parent: .store(root), name: "main")
    main = ContextQueue(context, label: "main", on: mainQueue, hearing: root)
    if ConcurrencyCheck.isOn { ContextsAtExit.watch(main) }
  }

  /// A context beside main that reads from and saves to the store. It merges the saves of others
  /// before its next block.
  public func newContext(name: String? = nil) -> ContextQueue {
    let queue = ContextQueue(contextOverStore(name), label: name ?? "context", hearing: root)
    if ConcurrencyCheck.isOn { ContextsAtExit.watch(queue) }
    return queue
  }

  /// A context that the calling thread holds, for programs with one thread: its objects are used
  /// without a block. It merges the saves of others before its next fetch or save.
  ///
  /// The context belongs to the thread until it is released. In debug builds, using it or its
  /// objects on another thread traps.
  @available(*, noasync, message: "A task changes threads. Use newContext(name:).")
  public func newThreadContext(name: String? = nil) -> ManagedObjectContext {
    let context = contextOverStore(name)
    context.holdByCurrentThread()
    if ConcurrencyCheck.isOn { ContextsAtExit.watch(context) }
    return context
  }

  /// A context that the calling thread holds, with a parent context. It shows its parent's objects
  /// and saves into it.
  @available(*, noasync, message: "A task changes threads. Use newContext(name:).")
  public func newThreadContext(
    over parent: ContextQueue, name: String? = nil
  ) -> ManagedObjectContext {
    let context = context(over: parent, name)
    context.holdByCurrentThread()
    return context
  }

  /// A context with a parent context. It shows its parent's objects and saves into it.
  public func newChild(of parent: ContextQueue, name: String? = nil) -> ContextQueue {
    ContextQueue(context(over: parent, name), label: name ?? "child", over: parent)
  }

  package func contextOverStore(_ name: String?) -> ManagedObjectContext {
    ManagedObjectContext(stack: bound, parent: .store(root), name: name)
  }

  /// A context over another one. It does not merge by itself.
  private func context(over parent: ContextQueue, _ name: String?) -> ManagedObjectContext {
    trap(
      unless: parent.isOf(bound),
      "A child's parent must be a context of the same stack. Make the child with the parent's stack."
    )
    let context = ManagedObjectContext(
      stack: bound, parent: .context(ParentSource(parent, root)), name: name)
    context.automaticallyMergesChangesFromParent = false
    return context
  }

  /// Runs `body` on the calling thread in a new context that shows one state of the store: all saves that are
  /// accepted by now, and none that follows. Returns nil, and does not call `body`, if the store cannot keep that
  /// state now.
  package func readState<Output>(_ body: (ManagedObjectContext) throws -> Output) rethrows
    -> Output?
  {
    guard let state = QueryGeneration(ofAcceptedSavesIn: root) else { return nil }
    let context = ManagedObjectContext(stack: bound, parent: .generation(state))
    context.generation = state
    context.keepsState = true
    return try read(in: context, body)
  }

  /// Runs `body` on the calling thread in a new context beside main, which nobody else waits for.
  package func readBesideMain<Output>(_ body: (ManagedObjectContext) throws -> Output) rethrows
    -> Output
  {
    try read(in: contextOverStore(nil), body)
  }

  func read<Output>(
    in context: ManagedObjectContext, _ body: (ManagedObjectContext) throws -> Output
  ) rethrows -> Output {
    try context.access.hold {
      defer {
        context.endPieceOfWork()
        context.retire()
      }
      return try body(context)
    }
  }

  /// Runs `body` on the calling thread in a new context, then saves the context up the chain.
  ///
  /// If `body` throws, nothing is saved. Returns the number of the save, or nil if there was
  /// nothing to save. With `isBatch`, saves and batches of `body` reach the store at once. With `sharesCommit`, an immediate
  /// save may not be committed yet.
  package func write(
    name: String?, durability: Durability, mergePolicy: MergePolicy = .error,
    within outer: ManagedObjectContext? = nil, isBatch: Bool = false, sharesCommit: Bool = false,
    _ body: (ManagedObjectContext) throws -> Void
  ) throws -> SaveNumber? {
    // because a nested write runs on the outer write's thread, its waits for the parent end at once
    let parent =
      outer.map { ContextParent.context(ParentSource(ContextQueue($0, label: "outer"), root)) }
      ?? .store(root)
    let context = ManagedObjectContext(stack: bound, parent: parent, name: name)
    if outer == nil { context.noteSaves(upTo: root.lastPublished) }
    context.durability = durability
    context.mergePolicy = mergePolicy
    context.saving.sharesCommit = sharesCommit
    if !isBatch { context.saving.place = .write(root) }
    context.access.take()
    defer {
      context.staging?.access.giveBack()
      context.retire()
      context.access.giveBack()
    }
    let outcome = Result { try body(context) }
    try BlockFailures.check(outcome, context.takeFailures())
    return try context.endWrite()
  }
}

extension DataStack {
  /// Hints at changes of main that nobody has saved, in debug builds. Waits for no block.
  package func hintAtUnsavedMain() { main.performLater { $0.hintAtLostChanges(.close) } }

  /// The shape of the entity that the class is bound to, or the entity with a name.
  package func shape(
    of type: ManagedObject.Type, named name: String?
  ) throws(ContextError) -> EntityShape {
    if let name {
      guard let shape = model.shape(named: name) else {
        throw .unknownEntity(name, known: model.shapes.map(\.name))
      }
      return shape
    }
    guard let number = bound.number(of: type) else { throw bound.unbound(type) }
    return model.shape(numbered: number)
  }
}

// SPDX-License-Identifier: MIT
public import SporadesChain
public import SporadesModel
public import SporadesStore

/// A part of a context that a higher room adds to it.
protocol ContextPart: AnyObject {}

/// A scratchpad over a store or another context: the objects in use, one per row, and what was
/// changed since the last save.
///
/// A context lives on its ``ContextQueue``, and so do its objects. Neither is `Sendable`: the
/// compiler refuses to carry them out of a block, and a run-time check catches what it can not see.
public final class ManagedObjectContext {
  /// A word for logs and debugging.
  public final var name: String?
  /// Who makes the changes, as the store's history is to name them.
  public final var transactionAuthor: String?
  /// Whatever the application wants to find with the context.
  public final var userInfo: [String: Any] = [:]
  /// What the context's saves promise when they return.
  public final var durability: Durability = .eventual
  /// Whether what others saved into the parent shows in the context by itself, before its next
  /// block; where not, use ``mergeChanges(from:)``. True for contexts over the store, and false for
  /// contexts over contexts until it is set.
  public final var automaticallyMergesChangesFromParent = true {
    didSet { if automaticallyMergesChangesFromParent { hearParent() } }
  }
  /// The context's own queue; nil for the context of a write.
  final weak var queue: (any ContextOwner)?
  /// The thread that holds the context; nil where a queue does.
  final var thread: (any ContextOwner)?
  /// How many fetches and saves are under way, one inside the other. Only contexts of threads count.
  final var workDepth = 0
  /// Contexts over this one that want to hear what it takes over.
  final var hearers: [Hearer] = []
  final var hearsParent = false
  /// What a save does about rows that others changed, and about values that must be unique.
  public final var mergePolicy: MergePolicy = .error
  /// The observers of the context, which only `Notifications` knows; nil where there are none.
  final var observersPart: (any ContextPart)?
  /// The number of the last save the root took.
  package final var lastSave: SaveNumber?
  /// Names the last save that the store accepted, to ask later whether it is committed; nil where there
  /// was none, and for saves into another context.
  public final var lastReceipt: WriteReceipt? {
    lastSave.flatMap { number in storeRoot?.receipt(of: number) }
  }
  /// Where `save()` puts the changes.
  final var savePlace = SavePlace.parent
  /// What the block of a write has saved so far; nil where it has saved nothing.
  package final var staging: ManagedObjectContext?
  /// A child's save was to be on the disk when it returns, and so must be the one that takes it there.
  final var owesImmediate = false
  final let stack: BoundModel
  /// What is read from and saved to; the context's generation while it is pinned to one.
  final var parent: ContextParent
  final var source: any RowSource { parent.source }
  /// The state of the store the context is pinned to; nil where it is not.
  final var generation: QueryGeneration?
  final var homes: [ObjectHome?] {
    get { unsafe inUse.homes }
    _modify { yield unsafe &inUse.homes }
  }
  /// See ``BoundModel/mapPlace(_:_:)``; those of the first store, and of others as far as they are in
  /// use.
  final var maps: [ObjectMap?] {
    get { unsafe inUse.maps }
    _modify { yield unsafe &inUse.maps }
  }
  final var changes: ContextChanges {
    get { unsafe inUse.changes }
    _modify { yield unsafe &inUse.changes }
  }
  // @exclusivity(unchecked): what changes these calls nothing that could come back to the context,
  // and a write of one object would be checked some thirty times.
  @exclusivity(unchecked) private final var inUse: InUse
  /// The numbers of the stores that new objects were assigned to.
  final var assignments: [ObjectIdentifier: Int] = [:]
  /// By number of the root entity, less one; empty while no object was made as a fault.
  final var faults: [FaultList] = []
  /// Made by a fetch where there are many changes.
  final var pendingIndex: PendingIndex?
  /// Objects that the next save compares though they were not changed.
  final var watched: [RowKey: WatchedObject] = [:]
  /// How many merges deleted rows that many-to-many relationships in memory may still lead to.
  final var linkedDeletions = 0
  /// Up to which save what others did is known here.
  final var heard = HeardSaves()
  /// Changed references lead to faults, whose rows may be gone.
  final var hasLinksToFaults = false
  /// Whether an object whose row is gone answers with nothing and no more is made of it, or its
  /// reading is reported as a failure of the block.
  public final var shouldDeleteInaccessibleFaults = true
  /// Asked where an object turns out to have no row: with the object, its id, and the name of the
  /// property that was read, if one was. True says that this is in order, false that it is to be
  /// reported as a failure of the block. Without it, ``shouldDeleteInaccessibleFaults`` decides.
  public final var shouldHandleInaccessibleFault:
    ((ManagedObject, ManagedObjectID, _ property: String?) -> Bool)?
  /// Whether the context holds objects without changes that nobody else does, until `reset`.
  public final var retainsRegisteredObjects = false
  /// The events that can be undone, which only `Undo` knows; nil where nothing is kept for undo, or since
  /// `processPendingChanges`.
  final var eventsPart: (any ContextPart)?
  /// What the model has against the object that is being validated.
  final var modelFailures: [ValidationError.Failure] = []
  /// Every use asks whether it happens on the context's queue.
  final let checksQueue = ConcurrencyCheck.isOn
  /// Held by the thread whose block is running in the context.
  final let access: WaitResource
  /// Failures that no caller could be told of; the end of a block takes them.
  private(set) final var failures: [any Error] = []
  /// The home `create` asked for last, since it is mostly asked for the same again.
  private final var lastHome: (type: ManagedObject.Type, home: ObjectHome)?
  private final var temporaryKeys: Range<Int64> = 0..<0

  /// The objects of the context, and what of them was changed.
  private struct InUse {
    var homes: [ObjectHome?]
    var maps: [ObjectMap?]
    var changes = ContextChanges()
  }

  init(stack: BoundModel, parent: ContextParent, name: String? = nil) {
    self.stack = stack
    self.parent = parent
    self.name = name
    access = WaitResource(name.map { "the context \($0)" } ?? "a context")
    unsafe inUse = InUse(homes: stack.noHomes, maps: stack.noMaps)
  }

  deinit { abandonObjects() }

  public final var model: ManagedObjectModel { stack.model }

  // MARK: - Homes

  final func home(numbered number: Int) -> ObjectHome {
    if let home = homes[number - 1] { return home }
    let home = ObjectHome(stack.bindings[number - 1], context: self, scope: stack.scope)
    homes[number - 1] = home
    return home
  }

  /// The home of new objects of the class.
  final func home(for type: ManagedObject.Type) -> ObjectHome {
    if let lastHome, lastHome.type == type { return lastHome.home }
    guard let number = stack.number(of: type) else {
      preconditionFailure("\(ContextError.unboundClass("\(type)"))")
    }
    let home = home(numbered: number)
    guard !home.shape.isAbstract else {
      preconditionFailure("\(ContextError.abstractEntity(home.shape.name))")
    }
    lastHome = (type, home)
    return home
  }

  /// The shape of the entity the class stands for.
  final func shape(for type: ManagedObject.Type) throws(ContextError) -> EntityShape {
    guard let number = stack.number(of: type) else { throw .unboundClass("\(type)") }
    return model.shape(numbered: number)
  }

  /// A temporary key no other context of the process hands out; its entity is filled in later.
  final var nextTemporaryKey: RowKey {
    if temporaryKeys.isEmpty { temporaryKeys = TemporaryKeys.nextBlock() }
    defer { temporaryKeys = temporaryKeys.dropFirst() }
    return RowKey(entity: 0, primaryKey: -temporaryKeys.lowerBound)
  }

  // MARK: - Failures

  /// Notes a failure of an access that can not throw.
  final func report(_ error: ContextError) { keep(error) }

  /// The first thousand tell what is wrong; a context that nobody asks must not collect more.
  final func keep(_ error: any Error) {
    if failures.count < 1000 { failures.append(error) }
  }

  /// Throws what failed where no caller could be told, but for the first `count` failures. In the block of
  /// a service the failures stay, and fail the block though it catches them here.
  final func throwFailures(after count: Int) throws {
    guard failures.count > count else { return }
    guard case .parent = savePlace else { throw failures[count] }
    let failed = Array(failures[count...])
    failures.removeSubrange(count...)
    throw failed.count == 1 ? failed[0] : ContextError.several(failed)
  }

  package final func takeFailures() -> [any Error] {
    defer { failures = [] }
    return failures
  }

  /// Puts failures back that belong to a block around the one that ended.
  package final func putBack(_ earlier: [any Error]) { failures = earlier + failures }

  final func checkQueue() {
    guard checksQueue else { return }
    precondition(
      access.isHeldByCurrentThread,
      """
      An object or context was used outside its queue or thread. Use objects inside the block of the \
      context they came from, or on its thread; carry `objectID` out, or find the object again with \
      inContext(_:).
      """)
  }

  /// Forgets what was changed.
  final func clearChanges() {
    changes.clear()
    pendingIndex = nil
    hasLinksToFaults = false
    owesImmediate = false
    heard.ofChildren = .max
    if !assignments.isEmpty { assignments = [:] }
    for home in homes { home?.closePages() }
  }

  // MARK: - The end

  /// Forgets all objects and changes, as if the context were new.
  final func dropObjects() {
    abandonObjects()
    unsafe maps = stack.noMaps
    assignments = [:]
    changes = ContextChanges()
    pendingIndex = nil
    hasLinksToFaults = false
    owesImmediate = false
    heard.ofChildren = .max
    heard.isPatchy = false
    faults = []
    watched = [:]
    unsafe homes = stack.noHomes
    lastHome = nil
  }

  /// Leaves the objects to whoever still holds them, as objects without a context.
  private final func abandonObjects() {
    for case let home? in homes { home.abandon() }
    // Linked objects hold each other; what nobody can ask any more is let go.
    for object in changes.listed {
      object.extras = nil
      object.state.insert(.gone)
    }
    for map in maps { map?.visit { $0.extras = nil } }
  }
}

// SPDX-License-Identifier: MIT
public import SporadesChain
public import SporadesModel
public import SporadesStore

/// A scratchpad over a store or another context. It has one object for each row in use, and the
/// changes since the last save.
///
/// A context and its objects live on its ``ContextQueue``. Neither is `Sendable`: the compiler
/// refuses to let them leave a block, and a run-time check catches the other cases.
public final class ManagedObjectContext {
  // MARK: - What the program sets

  /// A name for logs and debugging.
  public final var name: String? {
    get { terms.name }
    set { terms.name = newValue }
  }
  /// The author of the context's changes, for the store's history.
  public final var transactionAuthor: String? {
    get { terms.author }
    set { terms.author = newValue }
  }
  /// Values that the application attaches to the context.
  public final var userInfo: [String: Any] = [:]
  /// The rule for rows that others changed, and for unique values that are taken. The default is `.error`.
  public final var mergePolicy: MergePolicy {
    get { terms.mergePolicy }
    set { terms.mergePolicy = newValue }
  }
  /// The durability that a save guarantees when it returns. The default is `.eventual`.
  public final var durability: Durability {
    get { terms.durability }
    set { terms.durability = newValue }
  }
  /// The longest time that a fetch of the context may take; nil sets no limit. The timeout of a request goes first.
  public final var fetchTimeout: Duration?
  /// Whether the context merges the saves of others into its parent by itself, before its next
  /// block. If not, call ``mergeChanges(from:)-(DidSave)``. The default is true for contexts over the store
  /// and false for contexts over contexts. A context that begins to merge reads its unchanged objects anew, because
  /// it may have missed saves.
  public final var automaticallyMergesChangesFromParent = true {
    didSet { if automaticallyMergesChangesFromParent && !oldValue { beginMerging() } }
  }
  /// Whether reading an object whose row is gone just gives empty values. If false, such a reading
  /// is reported as a failure of the block.
  public final var shouldDeleteInaccessibleFaults = true
  /// Decides whether reading an object whose row is gone is acceptable. It gets the object, its id
  /// and the name of the property, if one was read. If it returns false, the context reports a
  /// failure of the block. Without it, ``shouldDeleteInaccessibleFaults`` decides.
  public final var shouldHandleInaccessibleFault:
    ((ManagedObject, ManagedObjectID, _ property: String?) -> Bool)?
  /// Whether the context keeps unchanged objects alive until `reset`, even if nobody else does.
  public final var retainsRegisteredObjects = false

  // MARK: - Who holds it, and where it reads

  /// The queue that holds the context; nil for the context of a write.
  final weak var queue: (any ContextOwner)?
  /// The thread that holds the context; nil if a queue holds it.
  final var thread: (any ContextOwner)?
  /// The depth of nested fetches and saves. Only contexts that a thread holds count it.
  final var workDepth = 0
  /// The thread whose block runs in the context holds this resource.
  package final let access: WaitResource
  /// Whether each access checks that it runs on the context's queue.
  final let checksQueue: Bool
  /// Whether code of another module uses the context without blocks, and takes care itself.
  final let isHeld: Bool
  /// Whether the context belonged to a block of a service or stage that has ended.
  private(set) final var hasEnded = false
  /// Failures of accesses that can not throw. The end of a block takes them.
  private(set) final var failures: [any Error] = []
  final let stack: BoundModel
  /// The parent; a query generation while the context is pinned to one.
  final var parent: ContextParent
  package final var source: any RowSource { parent.source }
  /// The state of the store that the context is pinned to; nil if it is not pinned.
  final var generation: QueryGeneration?
  /// Whether the context shows the same state for all its life.
  final var keepsState = false

  /// The context as another module knows it; nil if this one alone is in use.
  package final weak var holder: AnyObject?

  // MARK: - Its collaborators

  final var terms: SaveTerms
  package final var saving = SaveState()
  /// The number of the last save that the root accepted.
  package final var lastSave: SaveNumber?
  /// The receipt of the last save that the store accepted, which tells whether it is committed. Nil
  /// if there was no save, or if it went into another context.
  public final var lastReceipt: WriteReceipt? {
    lastSave.flatMap { number in storeRoot?.receipt(of: number) }
  }
  /// The changes that a write's block has saved so far; nil if it has saved none.
  package final var staging: ManagedObjectContext?
  final var hearing = HearingState()
  /// The observers of the context; nil before the first observation.
  final var observers: ContextObservers?
  /// The events since the last save; nil if none are recorded.
  final var events: ContextEvents?
  /// The listener that hears of every read of a property.
  package final var readListener: (any ReadListener)? {
    didSet { for home in homes { unsafe home?.hearsReads = checksQueue || readListener != nil } }
  }
  /// The rows of the older version, in the context of a stage's code on objects of the newer version.
  final var formerRows: FormerRows?

  // MARK: - Objects and changes

  final var homes: [ObjectHome?] {
    get { unsafe hotState.homes }
    _modify { yield unsafe &hotState.homes }
  }
  /// The identity maps, at the places that ``BoundModel/mapPlace(_:_:)`` computes. Maps of other
  /// stores than the first exist only when in use.
  final var maps: [ObjectMap?] {
    get { unsafe hotState.maps }
    _modify { yield unsafe &hotState.maps }
  }
  final var changes: ContextChanges {
    get { unsafe hotState.changes }
    _modify { yield unsafe &hotState.changes }
  }
  // @exclusivity(unchecked): no code that modifies these calls back into the context. A checked
  // access would cost some thirty checks for the write of one object.
  @exclusivity(unchecked) private final var hotState: HotState
  /// The numbers of the stores that new objects were assigned to.
  final var assignments: [ObjectIdentifier: Int] = [:]
  /// By number of the root entity, less one. Empty until the first fault is made.
  final var faults: [FaultList] = []
  /// The index of changes. A fetch builds it if there are many.
  final var pendingIndex: PendingIndex?
  /// The objects of the last save before the end, which no identity map has.
  final var unregistered: [ManagedObject] = []
  /// Unchanged objects that the next save compares with the store.
  final var watched: [RowKey: WatchedObject] = [:]
  /// Whether changed references lead to faults. The rows of those faults may be gone.
  final var hasLinksToFaults = false
  /// The home of the last class that `create` asked for, because the next call mostly asks for the
  /// same.
  private final var lastHome: (type: ManagedObject.Type, home: ObjectHome)?
  private final var temporaryKeys: Range<Int64> = 0..<0
  final var temporaryIDs = TemporaryIDs()

  /// The state of the context that hot paths read and write.
  private struct HotState {
    var homes: [ObjectHome?]
    var maps: [ObjectMap?]
    var changes = ContextChanges()
  }

  convenience init(
    stack: BoundModel, parent: ContextParent, name: String? = nil, isHeld: Bool = false
  ) {
    self.init(stack: stack, parent: parent, terms: SaveTerms(name: name), isHeld: isHeld)
  }

  init(
    stack: BoundModel, parent: ContextParent, terms: SaveTerms, isHeld: Bool = false
  ) {
    self.isHeld = isHeld
    checksQueue = ConcurrencyCheck.isOn && !isHeld
    self.stack = stack
    self.parent = parent
    self.terms = terms
    access = WaitResource(terms.name.map { "the context \($0)" } ?? "a context")
    unsafe hotState = HotState(homes: stack.initialHomes, maps: stack.initialMaps)
  }

  deinit {
    hintAtLostChanges()
    detachObjects()
  }

  /// The model of the context's stack.
  public final var model: ManagedObjectModel { stack.model }

  // MARK: - Homes

  final func home(numbered number: Int) -> ObjectHome {
    if let home = homes[number - 1] { return home }
    requireOpenBlock()
    let home = ObjectHome(stack.bindings[number - 1], context: self, scope: stack.scope)
    homes[number - 1] = home
    return home
  }

  /// The home of new objects of the class.
  final func home(for type: ManagedObject.Type) -> ObjectHome {
    if let lastHome, lastHome.type == type { return lastHome.home }
    guard let number = stack.number(of: type) else {
      trap("\(stack.unbound(type))")
    }
    let home = home(numbered: number)
    guard !home.shape.isAbstract else {
      trap("\(ContextError.abstractEntity(home.shape.name))")
    }
    lastHome = (type, home)
    return home
  }

  /// The class of an entity's objects.
  package final func objectType(entity number: Int) -> ManagedObject.Type {
    stack.bindings[number - 1].type
  }

  /// The shape of the entity that the class is bound to.
  package final func shape(for type: ManagedObject.Type) throws(ContextError) -> EntityShape {
    guard let number = stack.number(of: type) else { throw stack.unbound(type) }
    return model.shape(numbered: number)
  }

  /// A temporary key that is unique in the process. Its entity is filled in later.
  final var nextTemporaryKey: RowKey {
    if temporaryKeys.isEmpty { temporaryKeys = TemporaryKeys.nextBlock() }
    defer { temporaryKeys = temporaryKeys.dropFirst() }
    return RowKey(entity: 0, primaryKey: -temporaryKeys.lowerBound)
  }

  // MARK: - Failures

  /// Notes a failure of an access that can not throw.
  final func report(_ error: ContextError) { keepFailure(error) }

  /// Keeps the first thousand failures. A context whose failures nobody takes must not grow without
  /// bound.
  final func keepFailure(_ error: any Error) {
    if failures.count < 1000 { failures.append(error) }
  }

  /// Throws the failures behind the first `count`. In a service's block they also stay, and fail
  /// the block even if it catches them here.
  package final func throwFailures(after count: Int) throws {
    guard failures.count > count else { return }
    guard case .parent = saving.place else { throw failures[count] }
    let failed = Array(failures[count...])
    failures.removeSubrange(count...)
    throw failed.count == 1 ? failed[0] : ContextError.several(failed)
  }

  package final func takeFailures() -> [any Error] {
    defer { failures = [] }
    return failures
  }

  /// Puts back the failures of an outer block, after an inner block has ended.
  package final func restoreFailures(_ earlier: [any Error]) { failures = earlier + failures }

  /// Checks that the caller runs on the context's queue or thread. A debug build traps if not, and names `object`, which the caller
  /// uses.
  package final func checkQueue(_ object: @autoclosure () -> String? = nil) {
    requireOpenBlock()
    guard checksQueue else { return }
    trap(
      unless: access.isHeldByCurrentThread, Self.usedElsewhere(object(), ofThread: thread != nil))
  }

  private static func usedElsewhere(_ object: String?, ofThread: Bool) -> String {
    let subject = object ?? "A context"
    guard !ofThread else {
      return
        "\(subject) was used on another thread than the one that holds its context. There find the object again: try "
        + "object.inContext(context). Carry values over, or `objectID`."
    }
    return
      "\(subject) was used outside of the block of its context. In another block find the object again: try "
      + "object.inContext(context). What you need after the block, return from it: values, or `objectID`."
  }

  /// Forgets all changes.
  final func clearChanges() {
    changes.clear()
    pendingIndex = nil
    hasLinksToFaults = false
    saving.owesImmediate = false
    hearing.known.ofChildren = .max
    if !assignments.isEmpty { assignments = [:] }
    for home in homes { home?.closePages() }
  }

  // MARK: - The end

  /// Forgets all objects and changes, so that the context is like new.
  final func dropObjects(atEndOfBlock: Bool = false) {
    detachObjects(atEndOfBlock: atEndOfBlock)
    unsafe maps = stack.initialMaps
    assignments = [:]
    changes = ContextChanges()
    pendingIndex = nil
    hasLinksToFaults = false
    saving.owesImmediate = false
    hearing.known.ofChildren = .max
    hearing.known.hasGaps = false
    faults = []
    watched = [:]
    unsafe homes = stack.initialHomes
    lastHome = nil
  }

  /// Ends the context of a block of a service, or of a stage of a migration. Objects and contexts that the program carried
  /// out of the block trap when they are used.
  package final func retire() {
    dropObjects(atEndOfBlock: true)
    hasEnded = true
  }

  final func requireOpenBlock() {
    trap(
      unless: !hasEnded,
      """
      A context was used after the block of the service or stage that it was made for. Use it inside the block, and call read or writeSync again for more.
      """)
  }

  /// Detaches the objects from the context. Others may still hold them.
  private final func detachObjects(atEndOfBlock: Bool = false) {
    for case let home? in homes { home.detachFromContext(atEndOfBlock: atEndOfBlock) }
    for object in changes.listed {
      object.extras?.dropLinks()
      object.state.insert(.gone)
      // A row that is not open can not change without the context.
      if atEndOfBlock { object.state.remove(.open) }
    }
    unregistered.forEachHeld { $0.extras?.dropLinks() }
    unregistered = []
    for map in maps { map?.dropLinks() }
  }
}

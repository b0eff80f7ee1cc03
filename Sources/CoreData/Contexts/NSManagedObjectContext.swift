// SPDX-License-Identifier: MIT
import Dispatch
public import Foundation
import SporadesContainers
import SporadesGraph
public import SporadesMissingFoundation
public import SporadesModel

/// The place where a context's work is done.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// The thread that made the context, which takes care itself.
  case confinementConcurrencyType = 0
  /// A queue of the context's own.
  case privateQueueConcurrencyType = 1
  /// The main queue.
  case mainQueueConcurrencyType = 2
}

/// A scratchpad over a coordinator or another context.
///
/// It holds a context of the library, which is made when the coordinator or the parent is known.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
  // @unchecked: as on Apple's platforms, programs use a context on its queue.

  /// The place where a context's work is done, by the name of newer code.
  public struct ConcurrencyType: Hashable, Sendable {
    let type: NSManagedObjectContextConcurrencyType
    /// A queue of the context's own.
    public static let privateQueue = Self(type: .privateQueueConcurrencyType)
    /// The main queue.
    public static let mainQueue = Self(type: .mainQueueConcurrencyType)
  }

  /// The place where the context's work is done.
  public let concurrencyType: NSManagedObjectContextConcurrencyType
  /// Notes of the program.
  public let userInfo = NSMutableDictionary()
  /// The context of objects that the program made without one.
  var isDetached = false

  private var coordinator: NSPersistentStoreCoordinator?
  private var parentContext: NSManagedObjectContext?
  private var made: ContextQueue?
  private let dispatchQueue: DispatchQueue
  var observation: ContextObservation?
  /// The entity of the last new object, and its number in the model.
  private var lastMade: (entity: NSEntityDescription, number: Int)?

  /// Makes a context, which gets a coordinator or a parent before its first use.
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    self.concurrencyType = concurrencyType
    dispatchQueue =
      concurrencyType == .mainQueueConcurrencyType
      ? .main : DispatchQueue(label: "NSManagedObjectContext")
  }

  /// Makes a context, which gets a coordinator or a parent before its first use.
  public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.type) }

  public override convenience init() { self.init(concurrencyType: .confinementConcurrencyType) }

  /// Holds a context that the library has made for a migration.
  init(holding queue: ContextQueue, _ model: NSManagedObjectModel) {
    concurrencyType = .privateQueueConcurrencyType
    dispatchQueue = DispatchQueue(label: "NSManagedObjectContext")
    super.init()
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model, isListed: false)
    made = queue
    queue.heldContext.holder = self
  }

  // MARK: - Where it reads and writes

  /// The coordinator of the stores, also of a context over another one.
  public var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { coordinator ?? parentContext?.persistentStoreCoordinator }
    set {
      refuseParent(newValue != nil && parentContext != nil)
      guard newValue !== coordinator else { return }
      end()
      coordinator = newValue
    }
  }

  /// The context that this one reads from and saves into.
  public var parent: NSManagedObjectContext? {
    get { parentContext }
    set {
      refuseParent(newValue != nil && coordinator != nil)
      guard newValue !== parentContext else { return }
      end()
      parentContext = newValue
    }
  }

  private func refuseParent(_ hasBoth: Bool) {
    trap(
      unless: !hasBoth,
      "A context has a coordinator or a parent, and this one was given both. Set one of them, and the other to nil before."
    )
  }

  private func end() {
    observation = nil
    // The next context registers its changes, and no action may concern this one any more.
    made?.heldContext.undoManager = nil
    undoManager?.removeAllActions(withTarget: self)
    (made, lastMade) = (nil, nil)
  }

  /// The permanent ids of new objects that children have saved into the context, by the temporary ones that programs may hold
  /// until the context saves. Children add theirs on their own threads.
  let adopted = Guarded<[NSManagedObjectID: NSManagedObjectID]>([:])

  // MARK: - Settings

  /// A name for logs and debugging.
  public var name: String? { didSet { made?.heldContext.name = name } }
  /// The author of the context's changes, for the history.
  public var transactionAuthor: String? {
    didSet { made?.heldContext.transactionAuthor = transactionAuthor }
  }
  /// The way in which a save resolves conflicts: one of the policies, or an object of a subclass.
  public var mergePolicy: Any = NSMergePolicy.error {
    didSet { made?.heldContext.mergePolicy = policy.mergePolicy(of: self) }
  }
  /// Whether the context merges what others save into its parent by itself.
  public var automaticallyMergesChangesFromParent = false {
    didSet {
      guard let made else { return }
      made.setWoken(automaticallyMergesChangesFromParent)
      made.heldContext.automaticallyMergesChangesFromParent = automaticallyMergesChangesFromParent
    }
  }
  /// Whether an object whose row is gone shows empty values.
  public var shouldDeleteInaccessibleFaults = true {
    didSet { made?.heldContext.shouldDeleteInaccessibleFaults = shouldDeleteInaccessibleFaults }
  }
  /// Whether the context keeps unchanged objects alive.
  public var retainsRegisteredObjects = false {
    didSet { made?.heldContext.retainsRegisteredObjects = retainsRegisteredObjects }
  }
  /// The undo manager with which the context registers its changes; nil if it registers none.
  public var undoManager: UndoManager? {
    didSet {
      guard undoManager !== oldValue else { return }
      registeredUndo = undoManager.map { RegisteredUndo($0, of: self) }
      made?.heldContext.undoManager = registeredUndo?.changes
      // The former manager has heard of the last changes meanwhile.
      oldValue?.removeAllActions(withTarget: self)
    }
  }
  private var registeredUndo: RegisteredUndo?
  /// The lock of code that was written before contexts had queues.
  let formerLock = NSRecursiveLock()
  /// Has no effect: deletions reach others at once.
  public var propagatesDeletesAtEndOfEvent = true
  /// Has no effect: the library keeps no rows beside the objects.
  public var stalenessInterval: TimeInterval = -1

  /// Decides whether an object whose row is gone shows empty values. If it returns false, the next work of the context that can
  /// throw throws.
  open func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for oid: NSManagedObjectID,
    triggeredByProperty property: NSPropertyDescription?
  ) -> Bool { shouldDeleteInaccessibleFaults }

  private func handles(_ fault: ManagedObject, _ id: NSManagedObjectID, _ property: String?) -> Bool
  {
    let object = own(fault)
    return shouldHandleInaccessibleFault(
      object, for: id,
      triggeredByProperty: property.flatMap { object.entity.propertiesByName[$0] })
  }

  private var policy: NSMergePolicy {
    guard let policy = mergePolicy as? NSMergePolicy else {
      trap("A context's mergePolicy is \(mergePolicy), which is no NSMergePolicy.")
    }
    return policy
  }

  // MARK: - The context of the library

  /// The library's context and its queue.
  var queue: ContextQueue {
    if let made { return made }
    guard let coordinator = persistentStoreCoordinator else {
      trap(
        "A context has neither a coordinator nor a parent. Set persistentStoreCoordinator or parent, or take a context of a container."
      )
    }
    let queue = coordinator.stack.newHeldContext(over: parentContext?.queue, on: dispatchQueue)
    let context = queue.heldContext
    made = queue
    context.holder = self
    context.durability = .immediate
    context.name = name
    context.transactionAuthor = transactionAuthor
    context.mergePolicy = policy.mergePolicy(of: self)
    context.automaticallyMergesChangesFromParent = automaticallyMergesChangesFromParent
    context.shouldDeleteInaccessibleFaults = shouldDeleteInaccessibleFaults
    context.retainsRegisteredObjects = retainsRegisteredObjects
    context.shouldHandleInaccessibleFault = { [weak self] in self?.handles($0, $1, $2) ?? true }
    context.undoManager = registeredUndo?.changes
    if automaticallyMergesChangesFromParent { queue.setWoken(true) }
    observation = notifications(of: context)
    return queue
  }

  /// The library's context.
  var held: ManagedObjectContext { queue.heldContext }

  /// Runs a piece of work on the calling thread, and tells its failure as Core Data does.
  func work<Output>(_ body: (ManagedObjectContext) throws -> Output) throws -> Output {
    do {
      return try queue.performHere(body)
    } catch {
      throw NSError.coreData(error, in: self)
    }
  }

  /// The entity of the class in the model of the context.
  func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
    guard let coordinator = persistentStoreCoordinator else {
      trap(
        "\(type) was made in a context that has neither a coordinator nor a parent. Set one of them."
      )
    }
    return coordinator.entity(of: type)
  }

  /// The parts of a new object of an entity.
  func seed(for entity: NSEntityDescription, class type: NSManagedObject.Type) -> ObjectSeed {
    held.seed(entityNumbered: number(of: entity, type))
  }

  /// The parts of a new object of an entity that another context may adopt.
  func adoptableSeed(for entity: NSEntityDescription, class type: NSManagedObject.Type)
    -> ObjectSeed
  {
    held.adoptableSeed(entityNumbered: number(of: entity, type))
  }

  private func number(of entity: NSEntityDescription, _ type: NSManagedObject.Type) -> Int {
    if let lastMade, lastMade.entity === entity { return lastMade.number }
    guard let shape = held.model.shape(named: entity.requiredName) else {
      trap(
        "The model of the context has no entity \(entity.requiredName), of which \(type) was to be made."
      )
    }
    trap(
      unless: !shape.isAbstract,
      "\(entity.requiredName) is abstract, so it has no objects of its own. Make an object of one of its subentities."
    )
    lastMade = (entity, shape.number)
    return shape.number
  }

  // MARK: - Blocks

  /// Runs a block on the context's queue, later.
  public func perform(_ block: @escaping () -> Void) {
    let block = UncheckedBlock(run: block)
    guard persistentStoreCoordinator != nil else { return dispatchQueue.async { block.run() } }
    queue.performLater { _ in block.run() }
  }

  /// Runs a block on the context's queue, and returns its result.
  public func performAndWait<T, Failure: Error>(
    _ block: () throws(Failure) -> T
  ) throws(Failure) -> T {
    guard persistentStoreCoordinator != nil else { return try block() }
    return try queue.performAndWait { _ throws(Failure) in try block() }
  }

  /// The moment at which an awaited block runs.
  public enum ScheduledTaskType: Sendable {
    /// At once, if the caller is on the queue already.
    case immediate
    /// Behind the blocks that are waiting.
    case enqueued
  }

  /// Runs a block on the context's queue, and returns its result.
  public func perform<T, Failure: Error>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws(Failure) -> T
  ) async throws(Failure) -> T {
    let block = UncheckedBlock(run: block)
    let result: UncheckedResult<T> = try await queue.perform(
      schedule: schedule == .immediate ? .immediate : .enqueued
    ) { _ throws(Failure) in UncheckedResult(value: try block.run()) }
    return result.value
  }

  /// The context whose block the calling thread runs.
  static func current(for request: String) throws -> NSManagedObjectContext {
    guard let context = ManagedObjectContext.ofCurrentBlock?.holder as? NSManagedObjectContext
    else {
      throw NSError.coreData(
        .general,
        "A \(request) was executed outside the block of a context. Call it in a block, or call fetch(_:) of a context."
      )
    }
    return context
  }
}

/// A block that Core Data's signatures do not mark as one that may change threads.
struct UncheckedBlock<Output, Failure: Error>: @unchecked Sendable {
  // @unchecked: one other thread runs the block, and the caller waits for it or never sees it again.
  let run: () throws(Failure) -> Output
}

/// A result that Core Data's signatures do not mark as one that may change threads.
struct UncheckedResult<Value>: @unchecked Sendable {
  // @unchecked: the caller alone gets it.
  let value: Value
}

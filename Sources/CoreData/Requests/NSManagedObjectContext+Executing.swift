// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesStore

/// A request that a context executes.
protocol ExecutableRequest: NSPersistentStoreRequest {
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

/// A request that changes many rows of the stores.
protocol BatchRequest: ExecutableRequest {
  /// Executes the batch in a context that nobody else has. `policy` decides about unique values that are taken.
  func run(in context: ManagedObjectContext, as policy: NSMergePolicyType) throws -> BatchResult
  func result(of batch: BatchResult) -> NSPersistentStoreResult
}

extension BatchRequest {
  /// The stores execute a batch, past all contexts. Its author is that of the context over the stores.
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    guard let coordinator = context.persistentStoreCoordinator else {
      trap("A \(self) was executed in a context without a coordinator.")
    }
    let root = sequence(first: context, next: \.parent).reduce(context) { $1 }
    let policy = (context.mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType
    let queue = coordinator.stack.newHeldContext()
    let held = queue.heldContext
    held.durability = .immediate
    held.transactionAuthor = root.transactionAuthor
    held.name = root.name
    let result = try queue.performHere { try run(in: $0, as: policy) }
    coordinator.announce(result.changes)
    return self.result(of: result)
  }
}

extension NSManagedObjectContext {
  /// Has the stores execute a request. A batch shows in no context by itself: `mergeChanges(fromRemoteContextSave:into:)` brings
  /// its changes to contexts.
  @discardableResult
  public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    guard let executable = request as? any ExecutableRequest else {
      throw NSError.coreData(
        .unsupportedRequest,
        "A \(type(of: request)) was executed, which no context executes. Execute fetches, batches and requests for the history; to save, call save() of the context."
      )
    }
    guard persistentStoreCoordinator != nil else {
      throw NSError.coreData(
        .general,
        "\(request) was executed in a context without a coordinator and a parent. Set one of them.")
    }
    do { return try executable.execute(in: self) } catch { throw NSError.coreData(error, in: self) }
  }
}

extension NSPersistentStoreCoordinator {
  /// Has the stores execute a request for a context. A fetch answers its results, and other requests an object for their result.
  @discardableResult
  public func execute(
    _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
  ) throws -> Any {
    trap(
      unless: context.persistentStoreCoordinator === self,
      "A coordinator executed \(request) with a context of another coordinator. Pass one of its own contexts."
    )
    if let fetch = request as? any UntypedFetchRequest { return try context.results(of: fetch) }
    return try context.execute(request)
  }
}

/// The saving of a context, as an order to stores. No store here takes it: contexts save their changes themselves.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// The objects to insert.
  public let insertedObjects: Set<NSManagedObject>?
  /// The objects to change.
  public let updatedObjects: Set<NSManagedObject>?
  /// The objects to delete.
  public let deletedObjects: Set<NSManagedObject>?
  /// The objects that others must not have changed.
  public let lockedObjects: Set<NSManagedObject>?

  /// Collects the changes of a save.
  public init(
    inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
    deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
  ) {
    self.insertedObjects = insertedObjects
    self.updatedObjects = updatedObjects
    self.deletedObjects = deletedObjects
    self.lockedObjects = lockedObjects
    super.init()
  }

  public override var requestType: NSPersistentStoreRequestType { .saveRequestType }
}

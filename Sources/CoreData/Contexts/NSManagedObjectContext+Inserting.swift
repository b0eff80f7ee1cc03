// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel

extension NSManagedObjectContext {
  /// Inserts an object that was made without a context, with all such objects that its relationships lead to, and calls their
  /// `awakeFromInsert`. An object of this context stays as it is.
  public func insert(_ object: NSManagedObject) {
    let former = object.formerContext
    guard let holder = former?.holder as? NSManagedObjectContext, holder !== self else {
      trap(
        unless: former != nil && !object.isDeleted,
        "\(object.objectID) was inserted after it was deleted, or after its context had ended. Make a new object."
      )
      return
    }
    guard let former, holder.isDetached else {
      trap(
        "\(object.objectID) was inserted into another context than its own. Find it there by its id: object(with:)."
      )
    }
    DetachedContexts.whileAlone { held.adopt(object, from: former) }
  }

  // MARK: - Locks

  /// Waits until no other thread has locked the context.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func lock() { formerLock.lock() }
  /// Lets other threads lock the context again.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func unlock() { formerLock.unlock() }
  /// Locks the context, or returns false if another thread has locked it.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func tryLock() -> Bool { formerLock.try() }
}

/// The contexts of objects that programs make without one, one for each model.
enum DetachedContexts {
  private static let known = Guarded<[ObjectIdentifier: NSManagedObjectContext]>([:])
  /// Recursive, because hooks of objects that a context adopts may make others.
  private static let lock = NSRecursiveLock()

  /// Runs code that nobody else runs. The threads of a program share these contexts.
  static func whileAlone<Output>(_ body: () -> Output) -> Output {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// The parts of a new object that a context may adopt later.
  static func seed(for entity: NSEntityDescription, class type: NSManagedObject.Type) -> ObjectSeed
  {
    whileAlone { context(for: entity).adoptableSeed(for: entity, class: type) }
  }

  private static func context(for entity: NSEntityDescription) -> NSManagedObjectContext {
    guard let model = entity.owner else {
      trap("An object of \(entity.requiredName) was made, and the entity belongs to no model.")
    }
    return known.withLock { known in
      if let context = known[ObjectIdentifier(model)] { return context }
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = NSPersistentStoreCoordinator(
        managedObjectModel: model, isListed: false)
      context.isDetached = true
      // An object awakes when a context adopts it.
      context.held.saving.callsHooks = false
      known[ObjectIdentifier(model)] = context
      return context
    }
  }
}

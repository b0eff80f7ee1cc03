// SPDX-License-Identifier: MIT
public import CoreData

/// Reads and writes on a stack of contexts. Subclass it, and override ``handleError(_:)``.
///
/// When ``writeSync(_:)`` returns, its changes are in the store.
open class DALService {
  let coreDataStack: any CoreDataStackProtocol
  let allowsMultipleScratchContexts: Bool
  private let shared = NSLock()
  private var sharedScratch: NSManagedObjectContext?
  private var observation: (any NSObjectProtocol)?

  /// Makes a service on a stack. Without concurrent writings, one context serves all writes, one after the other.
  public init(coreDataStack cds: any CoreDataStackProtocol, allowsConcurrentWritings: Bool = true) {
    coreDataStack = cds
    allowsMultipleScratchContexts = allowsConcurrentWritings
    // nonisolated(unsafe): errors are told on the threads of the writes that failed, where overrides expect them.
    nonisolated(unsafe) weak let service = self
    observation = ServiceErrors.observe { error in unsafe service?.handleError(error) }
  }

  deinit { if let observation { NotificationCenter.default.removeObserver(observation) } }

  /// Hears of failures: of saves, finders and stores. Override it.
  open func handleError(_ error: NSError) {}

  private func scratchContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.parent = coreDataStack.mainContext
    return context
  }

  /// The context of a write. The shared one is made anew after the store was nuked.
  private func contextForWriting() -> NSManagedObjectContext {
    guard !allowsMultipleScratchContexts else { return scratchContext() }
    return shared.withLock {
      if let known = sharedScratch, known.parent === coreDataStack.mainContext { return known }
      let new = scratchContext()
      sharedScratch = new
      return new
    }
  }

  // MARK: - Reads and writes

  /// Runs a block on the main queue, with the context for reads, and waits for it.
  @discardableResult
  public func read(_ statements: @escaping (NSManagedObjectContext) -> Void) -> Self {
    let context = coreDataStack.mainContext
    context.performAndWait { statements(context) }
    return self
  }

  /// Runs a block in a context for writing, and saves it up to the store.
  @discardableResult
  public func writeSync(_ changes: @escaping (NSManagedObjectContext) -> Void) -> Self {
    writeSync(changes, completion: nil)
  }

  /// Runs a block in a context for writing, saves it up to the store, and calls the completion on the main queue, once.
  @discardableResult
  public func writeSync(
    _ changes: @escaping (NSManagedObjectContext) -> Void, completion: ((NSError?) -> Void)?
  ) -> Self {
    let context = contextForWriting()
    context.performAndWait { write(changes, in: context, completion) }
    return self
  }

  /// Runs a block in a context for writing, later, and saves it up to the store.
  public func writeAsync(_ changes: @escaping (NSManagedObjectContext) -> Void) {
    writeAsync(changes, completion: nil)
  }

  /// Runs a block in a context for writing, later, saves it up to the store, and calls the completion on the main queue, once.
  public func writeAsync(
    _ changes: @escaping (NSManagedObjectContext) -> Void, completion: ((NSError?) -> Void)?
  ) {
    let context = contextForWriting()
    context.perform { self.write(changes, in: context, completion) }
  }

  private func write(
    _ changes: (NSManagedObjectContext) -> Void, in context: NSManagedObjectContext,
    _ completion: ((NSError?) -> Void)?
  ) {
    changes(context)
    do {
      try context.save()
      guard let stack = coreDataStack as? CoreDataStack else {
        return coreDataStack.save(completion)
      }
      try stack.saveAndWait()
      MainHandler(completion).call(nil)
    } catch {
      // The next write of the same context begins without the changes that failed.
      context.rollback()
      handleError(error as NSError)
      MainHandler(completion).call(error as NSError)
    }
  }
}

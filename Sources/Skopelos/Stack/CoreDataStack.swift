// SPDX-License-Identifier: MIT
public import CoreData

/// A kind of store.
public enum StoreType {
  /// A file of SQLite.
  case sqlite
  /// A store that ends with its stack.
  case inMemory
}

/// The contexts of a service: root ← main ← those of writes.
public protocol CoreDataStackProtocol {
  /// The context of the main queue, for reads.
  var mainContext: NSManagedObjectContext { get set }
  /// The context over the store.
  var rootContext: NSManagedObjectContext { get set }

  /// Saves main and root, and calls the handler once, on the main queue.
  func save(_ handler: ((NSError?) -> Void)?)
  /// Removes the store, and begins anew with an empty one.
  func nukeStore()
}

/// A store and the contexts over it.
///
/// A store that cannot be opened stays as it is: the services hear the error, and writes fail until it is gone.
public final class CoreDataStack: CoreDataStackProtocol, @unchecked Sendable {
  // @unchecked: as on Apple's platforms, nobody nukes a store that others use at the time.

  public var mainContext: NSManagedObjectContext
  public var rootContext: NSManagedObjectContext
  private let place: StorePlace
  private let model: NSManagedObjectModel
  private let reactor = AppStateReactor()

  /// Makes the contexts and opens the store. With `shouldAddStoreAsynchronously` it is opened on another thread, and the handler runs
  /// on the main queue; else the handler runs before the initializer returns.
  public init(
    storeType: StoreType, modelURL: URL, securityApplicationGroupIdentifier: String?,
    shouldAddStoreAsynchronously: Bool, handler: (() -> Void)? = nil
  ) {
    guard let model = NSManagedObjectModel(contentsOf: modelURL) else {
      fatalError(
        "Skopelos: there is no model at \(modelURL.path). Pass the URL of a .momd or .xcdatamodeld."
      )
    }
    self.model = model
    place = StorePlace(
      type: storeType, name: modelURL.deletingPathExtension().lastPathComponent,
      group: securityApplicationGroupIdentifier)
    (rootContext, mainContext) = Self.contexts(
      over: NSPersistentStoreCoordinator(managedObjectModel: model))
    reactor.delegate = self
    guard shouldAddStoreAsynchronously else {
      addStore()
      handler?()
      return
    }
    let told = MainHandler(handler.map { handler in { _ in handler() } })
    DispatchQueue.global(qos: .userInitiated).async {
      self.addStore()
      told.call(nil)
    }
  }

  private static func contexts(
    over coordinator: NSPersistentStoreCoordinator
  ) -> (root: NSManagedObjectContext, main: NSManagedObjectContext) {
    let root = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    root.persistentStoreCoordinator = coordinator
    let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    main.parent = root
    return (root, main)
  }

  private func addStore() {
    do {
      try rootContext.persistentStoreCoordinator.map { try place.addStore(to: $0) }
    } catch {
      ServiceErrors.post(error, from: self)
    }
  }

  // MARK: - Saving

  public func save(_ handler: ((NSError?) -> Void)?) {
    let answer = MainHandler(handler)
    let (main, root) = (mainContext, rootContext)
    main.perform {
      do { try main.save() } catch { return answer.call(error as NSError) }
      root.perform {
        do {
          try root.save()
          answer.call(nil)
        } catch {
          answer.call(error as NSError)
        }
      }
    }
  }

  /// Saves main and root before it returns.
  func saveAndWait() throws {
    let (main, root) = (mainContext, rootContext)
    try main.performAndWait { try main.save() }
    try root.performAndWait { try root.save() }
  }

  public func nukeStore() {
    mainContext.performAndWait { mainContext.reset() }
    rootContext.performAndWait { rootContext.reset() }
    do {
      if let coordinator = rootContext.persistentStoreCoordinator {
        try place.removeStores(of: coordinator)
      }
    } catch {
      return ServiceErrors.post(error, from: self)
    }
    (rootContext, mainContext) = Self.contexts(
      over: NSPersistentStoreCoordinator(managedObjectModel: model))
    addStore()
  }
}

extension CoreDataStack: AppStateReactorDelegate {
  /// Saves what main and root have not saved yet.
  public func didReceiveStateChange(_ appStateReactor: AppStateReactor) {
    // Main is not asked: its thread may be ending the process.
    rootContext.performAndWait {
      do { try rootContext.save() } catch { ServiceErrors.post(error, from: self) }
    }
  }
}

/// The handler of an opening or a save, which the main queue calls.
struct MainHandler: @unchecked Sendable {
  // @unchecked: the main queue alone calls the handler.
  private let handler: ((NSError?) -> Void)?

  init(_ handler: ((NSError?) -> Void)?) { self.handler = handler }

  func call(_ error: NSError?) {
    guard handler != nil else { return }
    DispatchQueue.main.async { handler?(error) }
  }
}

// SPDX-License-Identifier: MIT
public import Foundation
import SporadesModel

/// A model, its stores, and the contexts over them.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
  // @unchecked: as on Apple's platforms, programs set the descriptions before they load the stores.

  /// The name of the container, of its model and of its usual store.
  public let name: String
  /// The model of the stores.
  public let managedObjectModel: NSManagedObjectModel
  /// The stores.
  public let persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// The context of the main queue.
  public let viewContext: NSManagedObjectContext
  /// The descriptions of the stores, which programs change before the stores are loaded.
  public var persistentStoreDescriptions: [NSPersistentStoreDescription]

  /// Makes a container for the model of its name, among the files of the program.
  public convenience init(name: String) {
    guard let model = NSManagedObjectModel.named(name, in: [Bundle.main]) else {
      trap(
        "No model \(name) lies among the program's files. Add \(name).xcdatamodeld to the resources of the target, or pass the model."
      )
    }
    self.init(name: name, managedObjectModel: model)
  }

  /// Makes a container for a model.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    self.name = name
    managedObjectModel = model
    persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    viewContext.persistentStoreCoordinator = persistentStoreCoordinator
    let folder = Self.defaultDirectoryURL()
    persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: folder.appendingPathComponent("\(name).sqlite"))
    ]
    super.init()
  }

  /// The folder of the usual store.
  open class func defaultDirectoryURL() -> URL {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    guard let folder = folders.first else {
      trap("The system names no folder for the program's files. Set persistentStoreDescriptions.")
    }
    return folder.appendingPathComponent(ProcessInfo.processInfo.processName)
  }

  /// Opens the stores, and tells the outcome of each.
  public func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    let usual = Self.defaultDirectoryURL()
    for description in persistentStoreDescriptions {
      guard isNew(description) else { continue }
      if description.url?.deletingLastPathComponent() == usual,
        description.type != NSInMemoryStoreType
      {
        do {
          try FileManager.default.createDirectory(at: usual, withIntermediateDirectories: true)
        } catch {
          block(description, error)
          continue
        }
      }
      persistentStoreCoordinator.addPersistentStore(
        with: description, completionHandler: block)
    }
  }

  private func isNew(_ description: NSPersistentStoreDescription) -> Bool {
    guard let url = description.url, description.type != NSInMemoryStoreType,
      url.path != "/dev/null"
    else { return true }
    return persistentStoreCoordinator.persistentStore(for: url) == nil
  }

  /// Makes a context with a new private queue.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs a block in a new context, later.
  open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs a block in a new context, and returns its result.
  public func performBackgroundTask<T, Failure: Error>(
    _ block: @escaping (NSManagedObjectContext) throws(Failure) -> T
  ) async throws(Failure) -> T {
    let context = newBackgroundContext()
    let body: () throws(Failure) -> T = { () throws(Failure) in try block(context) }
    return try await context.perform(body)
  }
}

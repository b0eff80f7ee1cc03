// SPDX-License-Identifier: MIT
import Dispatch
public import Foundation
public import SporadesModel
import SporadesStore

// Metadata, by functions of the store and its class.
extension NSPersistentStore {
  /// The entries of the property list of a store that is not open.
  public class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: url)
  }

  /// Replaces the entries of the property list of a store that is not open.
  public class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreAt url: URL
  ) throws {
    try NSPersistentStoreCoordinator.setMetadata(
      metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: url)
  }

  /// Reads the entries of the store's property list. Throws if the store cannot be read.
  public func loadMetadata() throws {
    do { _ = try opened.metadata() } catch { throw NSError.coreData(error) }
  }

  /// The class that migrates stores of this kind.
  public class func migrationManagerClass() -> AnyClass { NSMigrationManager.self }
}

extension NSPersistentStoreCoordinator {
  /// Replaces the entries of the property list of a store that is not open.
  public class func setMetadata(
    _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(
      metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
  }

  /// The model that the store in a file carries. Throws for a store of a time when stores carried none.
  public class func cachedModelForPersistentStore(
    at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> NSManagedObjectModel {
    let model = try NSManagedObjectModel.cachedModelForPersistentStore(at: url, options: options)
    guard let model else {
      throw NSError.coreData(
        .missingModel,
        "The store \(url.path) carries no model. Read the model of its version from a file of the program."
      )
    }
    return model
  }

  /// The id that the text of a URI stands for; nil if no store of the coordinator has it.
  public func managedObjectID(for string: String) -> NSManagedObjectID? {
    URL(string: string).flatMap(managedObjectID(forURIRepresentation:))
  }

  /// Runs a block on another thread, and returns its result.
  public func perform<T, Failure: Error>(
    _ block: @escaping () throws(Failure) -> T
  ) async throws(Failure) -> T {
    let block = UncheckedBlock(run: block)
    let outcome = await withCheckedContinuation { waiting in
      DispatchQueue.global().async {
        waiting.resume(
          returning: UncheckedResult(value: Result { () throws(Failure) in try block.run() }))
      }
    }
    return try outcome.value.get()
  }
}

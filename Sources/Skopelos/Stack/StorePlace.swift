// SPDX-License-Identifier: MIT
import CoreData

/// The kind and the file of a stack's store.
struct StorePlace {
  let type: StoreType
  /// The name of the model, which is that of the file.
  let name: String
  /// The group of programs that share the file.
  let group: String?

  private var url: URL {
    get throws {
      let files = FileManager.default
      let folder: URL?
      if let group {
        folder = files.containerURL(forSecurityApplicationGroupIdentifier: group)
      } else {
        folder = files.urls(for: .documentDirectory, in: .userDomainMask).last
      }
      guard let folder else {
        throw NSError(
          domain: NSCocoaErrorDomain, code: NSPersistentStoreOpenError,
          userInfo: [
            NSLocalizedDescriptionKey:
              "There is no folder for the store \(name)\(group.map { " of the group \($0)" } ?? "")."
          ])
      }
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      return folder.appendingPathComponent("\(name).sqlite")
    }
  }

  func addStore(to coordinator: NSPersistentStoreCoordinator) throws {
    switch type {
    case .sqlite:
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url,
        options: [
          NSMigratePersistentStoresAutomaticallyOption: true,
          NSInferMappingModelAutomaticallyOption: true,
        ])
    case .inMemory:
      try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    }
  }

  /// Closes the stores, and removes the file of a stack that has one.
  func removeStores(of coordinator: NSPersistentStoreCoordinator) throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    guard case .sqlite = type else { return }
    try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
  }
}

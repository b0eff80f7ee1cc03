// SPDX-License-Identifier: MIT
import CoreData

/// The container of the app, over the model that lies beside this file.
enum Stack {
  /// Opens a store in a new folder, so that each run begins with nothing.
  static func open(in folder: URL) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Shopping")
    let store = folder.appendingPathComponent("Shopping.sqlite")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: store)]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    container.viewContext.automaticallyMergesChangesFromParent = true
    container.viewContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    return container
  }
}

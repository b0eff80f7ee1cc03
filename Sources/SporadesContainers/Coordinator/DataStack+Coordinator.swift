// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesStore

extension DataStack {
  /// The coordinator of the stack's stores; nil if the stack has a single store.
  public var persistentStoreCoordinator: PersistentStoreCoordinator? {
    store as? PersistentStoreCoordinator
  }
}

extension ManagedObjectContext {
  /// The coordinator of the stack's stores; nil if the stack has a single store.
  public var persistentStoreCoordinator: PersistentStoreCoordinator? {
    stackStore as? PersistentStoreCoordinator
  }
}

// SPDX-License-Identifier: MIT
public import Foundation

/// A service with a stack of its own. Subclass it as the application's singleton.
open class Skopelos: DALService {
  /// Makes a service whose store lies in the documents folder of the user, under the name of the model.
  public convenience init(
    sqliteStack modelURL: URL, allowsConcurrentWritings: Bool = true,
    shouldAddStoreAsynchronously: Bool = false, completion: (() -> Void)? = nil
  ) {
    self.init(
      sqliteStack: modelURL, securityApplicationGroupIdentifier: nil,
      allowsConcurrentWritings: allowsConcurrentWritings,
      shouldAddStoreAsynchronously: shouldAddStoreAsynchronously, completion: completion)
  }

  /// Makes a service whose store lies in the folder of a group of programs.
  public convenience init(
    sqliteStack modelURL: URL, securityApplicationGroupIdentifier: String?,
    allowsConcurrentWritings: Bool = true, shouldAddStoreAsynchronously: Bool = false,
    completion: (() -> Void)? = nil
  ) {
    let stack = CoreDataStack(
      storeType: .sqlite, modelURL: modelURL,
      securityApplicationGroupIdentifier: securityApplicationGroupIdentifier,
      shouldAddStoreAsynchronously: shouldAddStoreAsynchronously, handler: completion)
    self.init(coreDataStack: stack, allowsConcurrentWritings: allowsConcurrentWritings)
  }

  /// Makes a service whose store ends with it.
  public convenience init(
    inMemoryStack modelURL: URL, allowsConcurrentWritings: Bool = true,
    shouldAddStoreAsynchronously: Bool = false, completion: (() -> Void)? = nil
  ) {
    let stack = CoreDataStack(
      storeType: .inMemory, modelURL: modelURL, securityApplicationGroupIdentifier: nil,
      shouldAddStoreAsynchronously: shouldAddStoreAsynchronously, handler: completion)
    self.init(coreDataStack: stack, allowsConcurrentWritings: allowsConcurrentWritings)
  }

  /// Removes the store, and begins anew with an empty one.
  public func nuke() { coreDataStack.nukeStore() }
}

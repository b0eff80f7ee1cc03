// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesStore

extension ManagedObjectContext {
  /// Merges the changes of a transaction, which another process or context saved. The values come from the store.
  public func mergeChanges(from transaction: PersistentHistoryTransaction) throws {
    checkQueue()
    try mergeChanges(fromRemote: transaction.objectIDNotification())
  }
}

// SPDX-License-Identifier: MIT
public import SporadesChain
public import SporadesStore

extension PersistentHistoryTransaction {
  /// The ids of the objects that the transaction inserted, updated and deleted, which contexts can merge. They are empty
  /// if the transaction was fetched without its changes.
  public func objectIDNotification() -> ObjectIDChanges {
    var ids = ObjectIDChanges()
    for change in changes ?? [] {
      switch change.changeType {
      case .insert: ids.insertedObjectIDs.insert(change.changedObjectID)
      case .update: ids.updatedObjectIDs.insert(change.changedObjectID)
      case .delete: ids.deletedObjectIDs.insert(change.changedObjectID)
      }
    }
    return ids
  }
}

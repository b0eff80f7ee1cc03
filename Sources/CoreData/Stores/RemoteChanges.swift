// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import SporadesChain
import SporadesGraph
import SporadesHistory
import SporadesModel
import SporadesStore

// Notifications that somebody has saved into a store.
//
// Rules:
// 1. A store whose options ask for it posts one for each save: of a context of the coordinator, of a batch, of another coordinator
//    and of another process.
// 2. They are posted on a queue of their own, after the save has returned or soon before that, as on Apple's platforms.
extension NSPersistentStoreCoordinator {
  /// Begins to listen to others who save into the store, if its options ask for notifications.
  func hearOthers(in store: NSPersistentStore) {
    guard store.postsRemoteChanges else { return }
    store.others = (store.opened as? any SharedStore)?.observeOthers { [weak self, weak store] _ in
      if let self, let store { self.postRemoteChange(of: store) }
    }
  }

  /// Tells of the changes of a save or of a batch of this coordinator.
  func announce(_ changes: ObjectIDChanges) {
    let posting = persistentStores.filter(\.postsRemoteChanges)
    guard !posting.isEmpty else { return }
    let ids = [changes.insertedObjectIDs, changes.updatedObjectIDs, changes.deletedObjectIDs]
    // One id of each store tells which store it is.
    let byStore = Dictionary(ids.joined().map { ($0.key.store, $0) }) { first, _ in first }
    let changed = Set(byStore.values.map(\.storeIdentifier))
    for store in posting where changed.contains(store.identifier) { postRemoteChange(of: store) }
  }

  private func postRemoteChange(of store: NSPersistentStore) {
    Self.remoteChanges.async { [weak self, weak store] in
      guard let self, let store, store.persistentStoreCoordinator === self else { return }
      var info: [String: Any] = [NSStoreUUIDKey: store.identifier as Any]
      info[NSPersistentStoreURLKey] = store.url
      info[NSPersistentHistoryTokenKey] = currentPersistentHistoryToken(fromStores: [store])
      NotificationCenter.default.post(
        name: .NSPersistentStoreRemoteChange, object: self, userInfo: info)
    }
  }

  private static let remoteChanges = DispatchQueue(label: "NSPersistentStoreRemoteChange")

  /// The place behind the last transaction of all stores, or of some. It is nil if none of them keeps a history.
  public func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken?
  {
    let opened = (stores ?? persistentStores).map { store in
      guard let store = store as? NSPersistentStore else {
        trap("The token of a history was asked of \(store), which is no NSPersistentStore.")
      }
      return store.opened
    }
    // `try?`: Core Data's function answers nil for a history that cannot be read.
    let token = try? stack.currentPersistentHistoryToken(fromStores: opened)
    return token.flatMap { $0 }.map { NSPersistentHistoryToken($0) }
  }
}

// SPDX-License-Identifier: MIT
import SporadesModel
public import SporadesStore

// The histories of the coordinator's stores. Numbers of transactions belong to one store, so the requests of the store
// contract go to each store by itself.
extension PersistentStoreCoordinator {
  /// One of the stores keeps a history.
  public var keepsHistory: Bool { persistentStores.contains(where: \.keepsHistory) }

  /// Returns the place behind the last transaction of each store; of all stores, or of some.
  ///
  /// The token names the stores that keep a history. It is nil if none does.
  public func currentPersistentHistoryToken(
    fromStores stores: [any PersistentStore]? = nil
  ) throws(StoreError) -> PersistentHistoryToken? {
    var token = PersistentHistoryToken()
    for store in stores ?? persistentStores {
      let store = try member(store).store
      if store.keepsHistory { token[store.identifier] = try store.historyEnds().last }
    }
    return token.numbers.isEmpty ? nil : token
  }
}

extension PersistentStoreCoordinator {
  /// Commits all stores, and runs `body` before any of them accepts another change set.
  fileprivate func settling(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    try writing.withLock { divided throws(StoreError) in
      if !divided.isEmpty { try commit(.eventual, &divided) }
      try body()
    }
  }
}

extension PersistentStoreCoordinator {
  package var memberHistories: [HistorySource] {
    stores.withLock(\.added).map { member in
      HistorySource(
        member.store, shared: member.shared,
        settling: { body throws(StoreError) in try self.settling(body) })
    }
  }
}

// SPDX-License-Identifier: MIT
package import SporadesModel

/// A store that a request for histories asks, and the ids that its objects have in the answer.
package struct HistorySource: Sendable {
  package let store: any PersistentStore
  /// The id in the answer for an id of the store; nil if they are the same.
  package let shared: (@Sendable (ManagedObjectID) -> ManagedObjectID)?
  /// Runs its argument after all stores of a coordinator have committed; nil if the store has no coordinator.
  package let settling: Settling?

  package typealias Settling =
    @Sendable (_ body: () throws(StoreError) -> Void) throws(StoreError) -> Void

  package init(
    _ store: any PersistentStore, shared: (@Sendable (ManagedObjectID) -> ManagedObjectID)? = nil,
    settling: Settling? = nil
  ) {
    self.store = store
    self.shared = shared
    self.settling = settling
  }
}

extension HistorySource {
  /// The changes that other processes committed behind a transaction, with the ids of the answer.
  package func changesOfOthers(after number: Int64) throws(StoreError) -> OthersChanges? {
    guard let store = store as? any SharedStore,
      var changes = try store.changesOfOthers(after: number)
    else { return nil }
    if let shared {
      changes.ids = Set(changes.ids.map(shared))
      changes.inserted = Set(changes.inserted.map(shared))
    }
    return changes
  }
}

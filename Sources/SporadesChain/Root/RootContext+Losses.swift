// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Synchronization

/// A save is based on rows of a lost save. It is in conflict even if the versions agree.
package struct LostBases: Error {
  /// The number of the loss in the order of saves.
  package let number: Int
}

// Published saves that the store cannot keep.
extension RootContext {
  func ids(of keys: [RowKey]) -> [ManagedObjectID] {
    keys.map { ManagedObjectID(key: $0, scope: scope) }
  }

  /// Has every context read the rows of lost saves again, and records the losses in the ledger.
  func publishLosses(_ losses: [LostChanges], _ order: inout SaveOrder) -> [LostWrite] {
    let writes = losses.map {
      LostWrite(objects: ids(of: $0.changes.keys), reason: $0.reason)
    }
    let keys = losses.flatMap { $0.changes.keys + $0.changes.linkedKeys }
    order.last += 1
    order.lastLoss = order.last
    // The rows that a lost save inserted are gone, and other saves may refer to them.
    order.lastWithDeletions = order.last
    order.lostRows.add(keys)
    deliver(.lost(keys, number: order.last))
    published.store(order.last, ordering: .releasing)
    // The ledger comes last, so a caller that gets the loss finds contexts that know of it.
    ledger.recordLosses(zip(losses, writes).map { ($0.changes, $1) })
    return writes
  }

  /// Publishes the saves that the store lost before it refused this one. Returns false if there are none.
  func reportLosses(after refusal: StoreError, _ order: inout SaveOrder) -> Bool {
    // `try?`, because the next commit asks again if the store cannot answer now.
    guard refusal.refusesChanges, let losses = try? capabilities.restoreAccepted(), !losses.isEmpty
    else { return false }
    _ = publishLosses(losses, &order)
    return true
  }

  /// Refuses changes of lost rows. The context may have read such a row before the loss. Its version does not
  /// show that, because another writer may have given the row the same version.
  func checkLostRows(_ changes: ChangeSet, _ order: SaveOrder) throws(StoreError) {
    let met = ids(of: order.lostRows.met(by: changes))
    guard !met.isEmpty else { return }
    let error = StoreError.buildsOnLost(met)
    throw StoreError(error.code, error.detail, underlying: LostBases(number: order.lastLoss))
  }

  /// Makes the last commit. No retry follows, so it settles every receipt.
  func endLedger() {
    guard ledger.hasUncommitted else { return }
    let outcome = commitStore(.eventual)
    ledger.recordLosses(
      outcome.losses.map {
        ($0.changes, LostWrite(objects: ids(of: $0.changes.keys), reason: $0.reason))
      })
    guard outcome.failure != nil else {
      // The changes are freed with the root.
      _ = ledger.recordCommit(took: outcome.duration)
      return
    }
    ledger.loseUncommitted(
      StoreError(
        .closed,
        "The last reference to the service or stack was dropped before a commit succeeded. Keep it until the "
          + "write's receipt says committed."),
      ids(of:))
  }
}

// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Synchronization

/// A save is based on rows of a lost save. It is a conflict even where the versions agree.
package struct LostBases: Error {
  /// The number under which the context hears of the loss.
  package let number: Int
}

// Saves that were published and cannot be kept.
extension RootContext {
  func ids(of keys: [RowKey]) -> [ManagedObjectID] {
    keys.map { ManagedObjectID(key: $0, scope: scope) }
  }

  /// Has every context read the rows of lost saves anew, and answers those who wait for the saves.
  func lose(_ losses: [LostChanges], _ order: inout SaveOrder) -> [LostWrite] {
    let writes = losses.map {
      LostWrite(objects: ids(of: $0.changes.keys), reason: $0.reason)
    }
    let keys = losses.flatMap { $0.changes.keys + $0.changes.linkedKeys }
    order.last += 1
    order.lastLoss = order.last
    // The rows that lost saves inserted are gone, and others may refer to them.
    order.lastWithDeletions = order.last
    order.lostRows.add(keys)
    deliver(.lost(keys, number: order.last))
    published.store(order.last, ordering: .releasing)
    // The ledger comes last: a caller that hears of the loss then finds contexts that know of it.
    ledger.lose(zip(losses, writes).map { ($0.changes, $1) })
    return writes
  }

  /// Asks a store that refused a save for losses, which may be the reason, and reports them. Returns false
  /// where the store has lost nothing.
  func reportLosses(after refusal: StoreError, _ order: inout SaveOrder) -> Bool {
    // The next commit asks again where the store cannot answer now.
    guard refusal.refusesChanges, let losses = try? store.restoreAccepted(), !losses.isEmpty else {
      return false
    }
    _ = lose(losses, &order)
    return true
  }

  /// Refuses changes of rows that a context may have read before they were lost. Versions cannot tell,
  /// because others may have given such a row the version that it had here.
  func checkLost(_ changes: ChangeSet, _ order: SaveOrder) throws(StoreError) {
    let met = ids(of: order.lostRows.met(by: changes))
    guard !met.isEmpty else { return }
    let error = StoreError.buildsOnLost(met)
    throw StoreError(error.code, error.detail, underlying: LostBases(number: order.lastLoss))
  }

  /// Commits for the last time. Nobody will try again, so whoever asks a receipt must get an answer.
  func endLedger() {
    guard ledger.hasUncommitted else { return }
    let outcome = commitStore(.eventual)
    ledger.lose(
      outcome.losses.map {
        ($0.changes, LostWrite(objects: ids(of: $0.changes.keys), reason: $0.reason))
      })
    guard outcome.failure != nil else {
      _ = ledger.committed(took: outcome.duration)
      return
    }
    ledger.end(StoreError(.closed, "The stack was let go of before a commit succeeded."), ids(of:))
  }
}

// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Synchronization

/// A save is based on rows of a save that is lost: a conflict, whatever the versions say.
struct LostBases: Error {
  /// The number under which the context hears of the loss.
  let number: Int
}

// What becomes of saves that were published and can not be kept.
extension RootContext {
  func ids(of keys: [RowKey]) -> [ManagedObjectID] {
    keys.map { ManagedObjectID(key: $0, scope: stack.scope) }
  }

  /// Tells those who wait for lost saves, and has every context read their rows anew.
  func lose(_ losses: [LostChanges], _ saves: inout LastSaves) -> [LostWrite] {
    let writes = losses.map {
      LostWrite(objects: ids(of: $0.changes.keys), reason: $0.reason)
    }
    let keys = losses.flatMap { $0.changes.keys + $0.changes.linkedKeys }
    saves.last += 1
    saves.lastLoss = saves.last
    // What the lost saves inserted is gone, and others may lead to it.
    saves.lastWithDeletions = saves.last
    saves.lostRows.add(keys)
    deliver(.lost(keys, number: saves.last))
    published.store(saves.last, ordering: .releasing)
    // Last, so that who is told of the loss finds contexts that know of it.
    ledger.lose(zip(losses, writes).map { ($0.changes, $1) })
    return writes
  }

  /// Tells what the store has lost where it refuses a save, which may be why; false where that is nothing.
  func tellLosses(after refusal: StoreError, _ saves: inout LastSaves) -> Bool {
    // A store that can not be asked now is asked by the next commit.
    guard refusal.refusesChanges, let losses = try? store.restoreAccepted(), !losses.isEmpty else {
      return false
    }
    _ = lose(losses, &saves)
    return true
  }

  /// Refuses changes of rows that a context may have read before they were lost. Versions need not tell:
  /// others may have given such a row the version that it had here.
  func checkLost(_ changes: ChangeSet, _ saves: LastSaves) throws(StoreError) {
    let met = ids(of: saves.lostRows.met(by: changes))
    guard !met.isEmpty else { return }
    let error = StoreError.buildsOnLost(met)
    throw StoreError(error.code, error.detail, underlying: LostBases(number: saves.lastLoss))
  }
}

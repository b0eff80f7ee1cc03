// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesStore
import Synchronization

// Batches, which the store carries out by itself.
extension RootContext {
  /// Executes, commits and publishes a batch. Returns nil if the store does not carry out this batch itself.
  ///
  /// A batch does not share its commit: the earlier saves are committed first, and a batch whose commit fails
  /// is undone. Its caller gets the error, so there is nothing to keep and to try again. If the batch must be on the
  /// disk and the sync fails, the batch stays, and the receipt carries the failure.
  package func execute(
    _ batch: StoreBatch, sender: ObjectIdentifier
  ) throws(StoreError) -> (effects: BatchEffects, receipt: SaveReceipt)? {
    let (answer, spent) = try saves.withLock { order throws(StoreError) in
      let attempt = commitHoldingLock(.eventual, &order)
      if let failure = attempt.failure { throw failure }
      let start = ContinuousClock.now
      guard let effects = try capabilities.batches?.execute(batch) else {
        return (nil as (BatchEffects, SaveReceipt)?, order.spent.replace(by: attempt.committed))
      }
      var outcome = CommitOutcome()
      outcome.duration = ContinuousClock.now - start
      let receipt = publish(effects.changes, batch.durability, outcome, except: sender, &order)
      return ((effects, receipt), order.spent.replace(by: attempt.committed))
    }
    // The memory is freed outside of the lock, so no writer waits for it.
    _ = consume spent
    return answer
  }

  /// Delivers a committed batch to the other contexts, and records its commit.
  private func publish(
    _ changes: ChangeSet, _ durability: Durability, _ committed: CommitOutcome,
    except sender: ObjectIdentifier, _ order: inout SaveOrder
  ) -> SaveReceipt {
    var receipt = SaveReceipt()
    guard changes.count > 0 else { return receipt }
    receipt.number = ledger.recordExecution(of: changes)
    order.last += 1
    if !changes.deleted.isEmpty { order.lastWithDeletions = order.last }
    deliver(.saved(changes, number: order.last), except: sender)
    feed.publish(changes, scope)
    published.store(order.last, ordering: .releasing)
    receipt.order = order.last
    let isAwaited = durability == .immediate
    // The rows are committed. Only the sync of the log is left.
    let outcome = isAwaited ? commitStore(.immediate) : committed
    _ = recordOutcome(outcome, durability, isAwaited: isAwaited, &order)
    if isAwaited { receipt.commitFailure = outcome.failure }
    return receipt
  }
}

// SPDX-License-Identifier: MIT
import Dispatch
package import SporadesModel
public import SporadesStore
import Synchronization

/// The context next to the store: it executes the saves of all others, and commits them.
///
/// The commit is deferred, not the work. The root executes a save in the store's open transaction before
/// the save returns, so a refusal reaches its caller and every later fetch sees the save. Many small saves
/// then share one commit. The root knows rows and no objects.
///
/// Rules:
/// 1. Saves are executed, published and committed in one order.
/// 2. The root commits a large save, and one that must be on the disk before it returns, before it publishes
///    it. Readers never wait for such a commit.
/// 3. A failed commit loses nothing: it is reported and tried again. Only a save whose rows others changed
///    meanwhile is lost, and every context then shows those rows as the store has them.
/// 4. A save of a context that has not heard of all others refers to no row that is gone.
public final class RootContext: StoreSource {
  /// The store that the root executes saves in.
  public let store: any PersistentStore
  /// The store, where it is made of several.
  let coordinator: PersistentStoreCoordinator?
  let scope: StoreScope
  /// Derived values are computed of rows of several objects, so a save may miss a change of any row.
  let derivesAcrossObjects: Bool
  private let listeners = Guarded<[WeakListener]>([])
  /// The consumers of accepted saves.
  package let feed = SaveFeed()
  private let storeFeed = Guarded(Mailboxes<StoresChange>())
  let saves: Guarded<SaveOrder>
  let published = Atomic(0)
  let ledger = CommitLedger()
  private let commits = DispatchQueue(label: "sporades.commits", qos: .userInitiated)
  /// The root commits a save with more rows at once and alone.
  private static let largeSave = 1000

  package init(store: any PersistentStore, derivesAcrossObjects: Bool = false) {
    self.store = store
    self.derivesAcrossObjects = derivesAcrossObjects
    coordinator = store.coordinator
    scope = StoreScope(
      identifier: store.identifier, entityNames: store.model.shapes.map(\.name))
    saves = Guarded(SaveOrder(lostRows: LostRows(store.model)))
    coordinator?.observe { [weak self] in self?.storesDidChange($0) }
  }

  deinit {
    storeFeed.withLock { $0.finish() }
    endLedger()
  }

  // MARK: - Listeners

  private struct WeakListener: Sendable {
    weak let listener: (any SaveListener)?
    let sender: ObjectIdentifier
  }

  /// Tells the listener of every accepted save from now on, but for saves with its sender.
  package func subscribe(_ listener: any SaveListener, _ sender: ObjectIdentifier) {
    listeners.withLock {
      $0.removeAll { $0.listener == nil }
      $0.append(WeakListener(listener: listener, sender: sender))
    }
  }

  /// Tells every listener but the sender.
  func deliver(_ arrival: Arrival, except sender: ObjectIdentifier? = nil) {
    for listener in listeners.withLock({ $0 }) where listener.sender != sender {
      listener.listener?.deliver(arrival)
    }
  }

  /// The number of the last published save. A context that has merged every arrival is at least this new.
  package var lastPublished: Int { published.load(ordering: .acquiring) }

  /// The root holds no rows that could be old.
  package var basis: Int { .max }

  // MARK: - Saving

  package func accept(_ save: SaveRequest) throws(StoreError) -> SaveReceipt {
    guard save.changes.hasWrites else {
      try saves.withLock { _ throws(StoreError) in try store.execute(save.changes) }
      return SaveReceipt()
    }
    let accepted = try saves.withLock { order throws(StoreError) in
      let isAlone = save.changes.count > Self.largeSave || save.durability == .immediate
      // Before the checks, because the commit may find saves that are lost.
      if isAlone && ledger.hasUncommitted { _ = commitHoldingLock(.eventual, &order) }
      try check(save, order)
      let receipt = try execute(save, isAlone: isAlone, &order)
      return (receipt: receipt, spent: order.spent.take())
    }
    // The block holds the root until then, so an accepted save is not lost with the root's last owner.
    if let next = ledger.nextCommit() { schedule(next) { self.commitIfDue(next) } }
    return accepted.receipt
  }

  /// Refuses a save that missed another one which bears upon it.
  private func check(_ save: SaveRequest, _ order: SaveOrder) throws(StoreError) {
    if derivesAcrossObjects && max(save.basis, save.derivationBasis) < order.last {
      throw StoreError(
        .conflict([]), "Derived values were computed of rows that others changed; save again.",
        underlying: OutdatedDerivations())
    }
    if max(save.basis, save.lossBasis) < order.lastLoss { try checkLost(save.changes, order) }
    let check = ReferenceCheck(store: store, scope: scope)
    if save.basis < order.lastWithDeletions || save.hasLinksToFaults {
      try check.checkTargets(of: save.changes)
    }
    if save.basis < order.last && !save.changes.deleted.isEmpty {
      try check.checkReferrers(of: save.changes)
    }
  }

  /// Executes a save and publishes it. Where the save had to be committed at once and could not be, it is
  /// accepted all the same, and the receipt has the failure.
  private func execute(
    _ save: SaveRequest, isAlone: Bool, _ order: inout SaveOrder
  ) throws(StoreError) -> SaveReceipt {
    do throws(StoreError) { try store.execute(save.changes) } catch {
      guard reportLosses(after: error, &order) else { throw error }
      try check(save, order)
      try store.execute(save.changes)
    }
    var receipt = SaveReceipt()
    receipt.changedByTriggers = store.takeKeysChangedByTriggers()
    guard isAlone else {
      publish(save, &receipt, &order)
      receipt.number = ledger.executed(save.changes)
      return receipt
    }
    // The ledger learns of the save after its commit. Until then readers keep to the committed state,
    // for which they need not wait while the commit goes on.
    let outcome = commitStore(save.durability)
    receipt.number = ledger.executed(save.changes)
    publish(save, &receipt, &order)
    let isAwaited = save.durability == .immediate
    _ = settle(outcome, save.durability, isAwaited: isAwaited, &order)
    if isAwaited { receipt.commitFailure = outcome.failure }
    return receipt
  }

  /// Delivers an executed save to the other contexts, and the rows that the application's triggers changed
  /// with it to the same.
  private func publish(
    _ save: SaveRequest, _ receipt: inout SaveReceipt, _ order: inout SaveOrder
  ) {
    let triggered = receipt.changedByTriggers
    order.last += 1
    // A trigger that changed rows may have deleted them.
    if !save.changes.deleted.isEmpty || !triggered.isEmpty { order.lastWithDeletions = order.last }
    deliver(.saved(save.changes, number: order.last), except: save.sender)
    if !triggered.isEmpty { deliver(.shown(triggered), except: save.sender) }
    feed.publish(save.changes, scope)
    published.store(order.last, ordering: .releasing)
    receipt.order = order.last
  }

  // MARK: - Commits that are due

  func schedule(_ next: CommitLedger.DueCommit, _ run: @escaping @Sendable () -> Void) {
    if next.delay == .zero { return commits.async(execute: run) }
    let nanoseconds = Int(next.delay / .nanoseconds(1))
    commits.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: run)
  }

  func commitIfDue(_ next: CommitLedger.DueCommit) {
    if ledger.begins(next.number) { commit(ledger.owedDurability) }
  }

  // MARK: - Stores that come and go

  /// Stores that are added to and removed from the coordinator from now on.
  package var storeChanges: NotificationSequence<StoresChange> {
    let box = Mailbox<StoresChange>()
    storeFeed.withLock { $0.add(box) }
    return NotificationSequence(box)
  }

  private func storesDidChange(_ change: StoresChange) {
    for number in change.removedNumbers { deliver(.storeRemoved(number)) }
    storeFeed.withLock { $0.post(change) }
  }

  // MARK: - Reading

  /// Readers see accepted saves. Where all are committed, they need not wait for a writer.
  package var view: StoreView { ledger.hasUncommitted ? .accepted : .committed }

  package func reserveKeys(
    _ count: Int, for entity: EntityShape, inStore number: Int
  ) throws(StoreError) -> Range<Int64> {
    guard let coordinator else { return try store.reserveKeys(count, for: entity) }
    return try coordinator.reserveKeys(count, for: entity, inStore: number)
  }
}

/// The order of saves, as far as a save must know it to find out whether it missed one.
struct SaveOrder {
  /// The number of the last save.
  var last = 0
  var lastWithDeletions = 0
  var spent = SpentSaves()
  /// The number under which contexts heard of the last loss.
  var lastLoss = 0
  /// The rows of lost saves.
  var lostRows: LostRows
}

/// A save computed derived values of rows that others have changed since.
package struct OutdatedDerivations: Error {}

extension StoresChange: Posted {}

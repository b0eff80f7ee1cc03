// SPDX-License-Identifier: MIT
import Dispatch
package import SporadesModel
public import SporadesStore
import Synchronization

/// The context next to the store. It executes and commits the saves of all other contexts.
///
/// The root defers the commit and not the work. It executes a save in the store's open transaction before the
/// save returns, so the caller gets a refusal and every later fetch sees the save. Many small saves then share
/// one commit. The root knows rows and no objects.
///
/// Rules:
/// 1. The root executes, publishes and commits saves in one order.
/// 2. The root commits a large save before it publishes the save. The same holds for a save that must be on the
///    disk before it returns. Readers never wait for such a commit. A save whose maker waits elsewhere shares its commit.
/// 3. A failed commit loses nothing: the root reports it and tries it again. A save is lost only if another
///    writer changed its rows before the next attempt. Every context then shows the rows of the store.
/// 4. A save never refers to a deleted row, even if its context has not merged the deletion.
public final class RootContext: StoreSource {
  /// The store that the root executes saves in.
  public let store: any PersistentStore
  package let capabilities: StoreCapabilities
  /// The store if it is a coordinator; else nil.
  let coordinator: (any CoordinatingStore)?
  package let scope: StoreScope
  /// The model derives values from the rows of several objects. A save is then outdated by a change of any row.
  let derivesAcrossObjects: Bool
  private let listeners = Guarded<[WeakListener]>([])
  /// Posts every accepted save to its consumers.
  package let feed = SaveFeed()
  /// Counts the commits for tasks that wait for the next one.
  package let commitSignal = CommitSignal()
  private let storeFeed = Guarded(StoreFeed())
  let others = Guarded(OtherProcesses())
  /// Nil for contexts that merge all that other processes commit.
  package let mergeFilter = Guarded<(any MergeFilter)?>(nil)
  /// A struct, so that the runtime makes the type of its mailboxes only for a consumer, and not at each start.
  private struct StoreFeed {
    var mailboxes = Mailboxes<StoresChange>()
  }
  let saves: Guarded<SaveOrder>
  let published = Atomic(0)
  /// The exit of the process commits what the root has accepted.
  let isExitWatched = Atomic(false)
  let ledger = CommitLedger()
  private let commits = DispatchQueue(label: "sporades.commits", qos: .userInitiated)
  /// The largest number of rows in a save that shares its commit.
  private static let largeSave = 1000

  package init(store: any PersistentStore, derivesAcrossObjects: Bool = false) {
    self.store = store
    self.derivesAcrossObjects = derivesAcrossObjects
    capabilities = StoreCapabilities(store)
    coordinator = store.coordinator
    scope = StoreScope(
      identifier: store.identifier, entityNames: store.model.shapes.map(\.name))
    saves = Guarded(SaveOrder(lostRows: LostRows(store.model)))
    coordinator?.observe { [weak self] in self?.publishStoresChange($0) }
    observeOthers()
  }

  deinit {
    storeFeed.withLock { $0.mailboxes.finish() }
    others.withLock { $0.finish() }
    commitSignal.finish()
    endLedger()
  }

  // MARK: - Listeners

  private struct WeakListener: Sendable {
    weak let listener: (any SaveListener)?
    let sender: ObjectIdentifier
  }

  /// Delivers every later accepted save to the listener, except the saves with its sender.
  package func subscribe(_ listener: any SaveListener, _ sender: ObjectIdentifier) {
    listeners.withLock {
      $0.removeAll { $0.listener == nil }
      $0.append(WeakListener(listener: listener, sender: sender))
    }
  }

  /// Delivers the arrival to every listener except the sender.
  func deliver(_ arrival: Arrival, except sender: ObjectIdentifier? = nil) {
    for listener in listeners.withLock({ $0 }) where listener.sender != sender {
      listener.listener?.deliver(arrival)
    }
  }

  /// The number of the last published save. A context that has merged every arrival is at least this new.
  package var lastPublished: Int { published.load(ordering: .acquiring) }

  /// The root keeps no rows, so none of them is old.
  package var basis: Int { .max }

  // MARK: - Saving

  package func accept(_ save: SaveRequest) throws(StoreError) -> SaveReceipt {
    guard save.changes.hasWrites else {
      try saves.withLock { _ throws(StoreError) in try store.execute(save.changes) }
      return SaveReceipt()
    }
    let accepted = try saves.withLock { order throws(StoreError) in
      let isAlone =
        save.changes.count > Self.largeSave || save.durability == .immediate && !save.sharesCommit
      // The commit comes before the checks because it may find lost saves.
      if isAlone && ledger.hasUncommitted { _ = commitHoldingLock(.eventual, &order) }
      try checkSave(save, order)
      let receipt = try execute(save, isAlone: isAlone, &order)
      return (receipt: receipt, spent: order.spent.take())
    }
    // The block keeps the root alive until the commit, so the last owner can not take an accepted save with it.
    if let next = ledger.planCommit() {
      watchExit()
      schedule(next) { self.commitIfDue(next) }
    }
    return accepted.receipt
  }

  /// Refuses a save whose context has not merged an earlier save that affects it.
  private func checkSave(_ save: SaveRequest, _ order: SaveOrder) throws(StoreError) {
    if derivesAcrossObjects && max(save.basis, save.derivationBasis) < order.last {
      throw StoreError(
        .conflict([]),
        "The save computed derived values from rows that other saves have changed. Save again.",
        underlying: OutdatedDerivations())
    }
    if max(save.basis, save.lossBasis) < order.lastLoss { try checkLostRows(save.changes, order) }
    let check = ReferenceCheck(store.model, scope)
    var rows = AcceptedRows(store: store)
    if save.basis < order.lastWithDeletions || save.hasLinksToFaults {
      try check.checkTargets(of: save.changes, in: &rows)
    }
    if save.basis < order.last && !save.changes.deleted.isEmpty {
      try check.checkReferrers(of: save.changes, in: &rows)
    }
  }

  /// Executes and publishes a save. If the save asks for an immediate commit and the commit fails, the save
  /// stays accepted and the receipt carries the failure.
  private func execute(
    _ save: SaveRequest, isAlone: Bool, _ order: inout SaveOrder
  ) throws(StoreError) -> SaveReceipt {
    // Nil for a save that shares its commit.
    var outcome: CommitOutcome?
    func attempt() throws(StoreError) {
      if isAlone {
        outcome = try commitStore(save.durability, executing: save.changes)
      } else {
        try store.execute(save.changes)
      }
    }
    do throws(StoreError) { try attempt() } catch {
      guard reportLosses(after: error, &order) else { throw error }
      try checkSave(save, order)
      try attempt()
    }
    var receipt = SaveReceipt()
    receipt.changedByTriggers = capabilities.takeKeysChangedByTriggers()
    // The ledger comes before the contexts: one that hears of the save may read at once, and must see it. It records a save
    // with a commit of its own after that commit. Until then readers use the committed state and need not wait for it.
    receipt.number = ledger.recordExecution(
      of: save.changes, owesSync: outcome == nil && save.durability == .immediate)
    publish(save, &receipt, &order)
    guard let outcome else { return receipt }
    let isAwaited = save.durability == .immediate
    // The receipt carries the failure, and the ledger has reported the losses.
    _ = recordOutcome(outcome, save.durability, isAwaited: isAwaited, &order)
    if isAwaited { receipt.commitFailure = outcome.failure }
    return receipt
  }

  /// Delivers an executed save to the other contexts, with the rows that the application's triggers changed.
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
    if ledger.takeDueCommit(next.number) { commit(ledger.owedDurability) }
  }

  // MARK: - Changes of the coordinator's stores

  /// The later additions and removals of stores at the coordinator.
  package var storeChanges: NotificationSequence<StoresChange> {
    let box = Mailbox<StoresChange>()
    storeFeed.withLock { $0.mailboxes.add(box) }
    return NotificationSequence(box)
  }

  private func publishStoresChange(_ change: StoresChange) {
    for number in change.removedNumbers { deliver(.storeRemoved(number)) }
    if !change.added.isEmpty { deliver(.storesAdded) }
    storeFeed.withLock { $0.mailboxes.post(change) }
  }

  // MARK: - Reading

  /// Readers see accepted saves. They wait for no writer if all saves are committed.
  package var view: StoreView { ledger.hasUncommitted ? .accepted : .committed }

  package func reserveKeys(
    _ count: Int, for entity: EntityShape, inStore number: Int
  ) throws(StoreError) -> Range<Int64> {
    guard let coordinator else { return try store.reserveKeys(count, for: entity) }
    return try coordinator.reserveKeys(count, for: entity, inStore: number)
  }
}

/// The numbers that tell whether a save has missed an earlier one.
struct SaveOrder {
  /// The number of the last save.
  var last = 0
  /// The number of the last save that deleted rows.
  var lastWithDeletions = 0
  var spent = SpentSaves()
  /// The number of the last loss in the order of saves.
  var lastLoss = 0
  /// The rows of lost saves.
  var lostRows: LostRows
}

/// A save computed derived values from rows that other saves have changed since.
package struct OutdatedDerivations: Error {}

extension StoresChange: Posted {}

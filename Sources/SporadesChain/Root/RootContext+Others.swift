// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel
public import SporadesStore
import Synchronization

/// A commit of another process to a store of the stack, or the loss of the store's file.
public struct RemoteChange: Sendable {
  /// The identifier of the store.
  public let storeIdentifier: String
  /// The place of the store's file; nil for a store that lies in none.
  public let storeURL: URL?
  /// The place in the store's history that the contexts have come to; nil if the store keeps none.
  public let historyToken: PersistentHistoryToken?
  /// Nil for a commit. Else the error of the kind `moved` that every save to the store throws from now on, because somebody
  /// removed, moved or replaced its file: no further commit of others is heard of until the file is back, or the store
  /// is opened anew.
  public let failure: StoreError?
  /// The number of changes right before this one that a slow consumer did not receive.
  public package(set) var missed = 0

  init(_ store: any PersistentStore, transaction: Int64?, failure: StoreError?) {
    storeIdentifier = store.identifier
    storeURL = store.path.map { URL(filePath: $0, directoryHint: .notDirectory) }
    historyToken = transaction.map { [storeIdentifier] in
      PersistentHistoryToken([storeIdentifier: $0])
    }
    self.failure = failure
  }
}

/// The observation of other processes, and the consumers of their commits.
struct OtherProcesses {
  var observation: StoreObservation?
  /// The last transaction of each store's history that the contexts know.
  var known: [String: Int64] = [:]
  private var mailboxes = Mailboxes<RemoteChange>()

  mutating func add(_ box: Mailbox<RemoteChange>) { mailboxes.add(box) }
  mutating func post(_ change: RemoteChange) { mailboxes.post(change) }

  mutating func finish() {
    observation = nil
    mailboxes.finish()
  }
}

// The commits of other processes.
extension RootContext {
  func observeOthers() {
    for source in store.historySources where source.store.keepsHistory {
      // `try?`, because the first news then has the contexts read all their objects again.
      let last = try? source.store.historyEnds().last
      others.withLock { $0.known[source.store.identifier] = last }
    }
    let observation = capabilities.sharing?.observeOthers { [weak self] store in
      self?.noteOthers(in: store)
    }
    others.withLock { $0.observation = observation }
  }

  /// Has every context read the rows that other processes changed. Without a history, a context reads all its objects
  /// again.
  private func noteOthers(in storeIdentifier: String) {
    // Readers of the history wait for these commits, too, also for a transaction without changes.
    defer { commitSignal.raise() }
    guard let source = store.historySources.first(where: { $0.store.identifier == storeIdentifier })
    else { return }
    if let failure = (source.store as? any SharedStore)?.lostPlace {
      return tell(of: source.store, failure)
    }
    var changes = changesOfOthers(in: source)
    // The other process may have reserved keys, and no more.
    if let found = changes, found.ids.isEmpty { return }
    if let found = changes, let filter = mergeFilter.withLock(\.self) {
      changes = filter.merged(found, from: source)
    }
    saves.withLock { order in
      order.last += 1
      // The other process may have deleted rows that a save refers to.
      order.lastWithDeletions = order.last
      if let changes {
        deliver(
          .others(
            changes.ids.map(\.key), inserted: changes.inserted.map(\.key), number: order.last))
      } else {
        deliver(.outdated(number: order.last))
      }
      published.store(order.last, ordering: .releasing)
    }
    tell(of: source.store)
  }

  private func tell(of store: any PersistentStore, _ failure: StoreError? = nil) {
    others.withLock {
      let known = $0.known[store.identifier]
      $0.post(RemoteChange(store, transaction: known, failure: failure))
    }
  }

  /// The commits of other processes since the last such news; nil if the store does not tell.
  private func changesOfOthers(in source: HistorySource) -> OthersChanges? {
    guard source.store.keepsHistory else { return nil }
    let storeIdentifier = source.store.identifier
    let known = others.withLock { $0.known[storeIdentifier] }
    do throws(StoreError) {
      if let known, let changes = try source.changesOfOthers(after: known) {
        others.withLock { $0.known[storeIdentifier] = changes.last }
        return changes
      }
      let last = try source.store.historyEnds().last
      others.withLock { $0.known[storeIdentifier] = last }
      return nil
    } catch {
      // The contexts then read all their objects again, and the next news begins where the history can be read.
      others.withLock { $0.known[storeIdentifier] = nil }
      return nil
    }
  }

  /// The commits of other processes from now on. The contexts of the stack show the new rows when a change is posted.
  package var remoteChanges: NotificationSequence<RemoteChange> {
    let box = Mailbox<RemoteChange>()
    others.withLock { $0.add(box) }
    return NotificationSequence(box)
  }
}

extension RemoteChange: Posted {}

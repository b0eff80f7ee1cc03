// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel
public import SporadesStore
import Synchronization

/// A commit of another process to a store of the stack.
public struct RemoteChange: Hashable, Sendable {
  /// The identifier of the store.
  public let storeIdentifier: String
  /// The place of the store's file; nil for a store that lies in none.
  public let storeURL: URL?
  /// The place in the store's history that the contexts have come to; nil if the store keeps none.
  public let historyToken: PersistentHistoryToken?
  /// The number of changes right before this one that a slow consumer did not receive.
  public package(set) var missed = 0

  init(_ storeIdentifier: String, path: String?, transaction: Int64?) {
    self.storeIdentifier = storeIdentifier
    storeURL = path.map { URL(filePath: $0, directoryHint: .notDirectory) }
    historyToken = transaction.map { PersistentHistoryToken([storeIdentifier: $0]) }
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
    let observation = store.observeOthers { [weak self] in self?.noteOthers(in: $0) }
    others.withLock { $0.observation = observation }
  }

  /// Has every context read the rows that other processes changed. Without a history, a context reads all its objects
  /// again.
  private func noteOthers(in storeIdentifier: String) {
    // Readers of the history wait for these commits, too, also for a transaction without changes.
    defer { commitSignal.raise() }
    let changes = changesOfOthers(in: storeIdentifier)
    // The other process may have reserved keys, and no more.
    if let changes, changes.ids.isEmpty { return }
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
    let path = store.historySources.first { $0.store.identifier == storeIdentifier }?.store.path
    others.withLock {
      $0.post(
        RemoteChange(storeIdentifier, path: path, transaction: $0.known[storeIdentifier]))
    }
  }

  /// What other processes committed since the last such news; nil if the store does not tell.
  private func changesOfOthers(in storeIdentifier: String) -> OthersChanges? {
    let source = store.historySources.first { $0.store.identifier == storeIdentifier }
    guard let source, source.store.keepsHistory else { return nil }
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

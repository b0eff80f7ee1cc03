// SPDX-License-Identifier: MIT
import SporadesModel
public import SporadesStore

// Commits over several stores that a process began and did not finish.
//
// Rules:
// 1. A part is executed in a transaction that no other process can overtake. A process that is about to commit its part
//    holds the store's lock all the while, so who gets the lock finds the part, or its process is dead.
// 2. The parts of one store are executed in their order. While one cannot be finished, later ones wait.
// 3. An intent goes when all its parts are on the disk, and not before.
extension PersistentStoreCoordinator {
  /// The commits that could not be finished when the coordinator last tried. It tries when a store is added, when another
  /// process has left one unfinished, and in ``finishCommits()``.
  public var unfinishedCommits: [UnfinishedCommit] { unfinished.withLock(\.self) }

  /// Finishes commits over several stores in whose middle another process has died, and returns those that cannot be
  /// finished now.
  ///
  /// The coordinator does this by itself when a store is added, and that of a stack soon after another process has committed
  /// a part and died. Call the function when the reason of an unfinished commit has gone. Contexts show the finished
  /// rows at their next fetch, or after a refresh.
  @discardableResult
  public func finishCommits() throws(StoreError) -> [UnfinishedCommit] {
    try writing.withLock { divided throws(StoreError) in
      try checkOpen(stores.withLock(\.self))
      finishAllCommits(&divided)
    }
    return unfinishedCommits
  }

  /// Removes the part that a store lacks, so that the commit stays in the other stores alone. The part cannot be
  /// recovered.
  public func discard(_ commit: UnfinishedCommit) throws(StoreError) {
    try writing.withLock { _ throws(StoreError) in
      let all = stores.withLock { $0 }
      try checkOpen(all)
      guard let keeper = all.member(identifiedBy: commit.holder)?.keeper else {
        throw StoreError(
          .noStore,
          "The coordinator has no store \(commit.holder), which keeps the commit; add it first.")
      }
      let others = try keeper.intents().filter {
        $0.commit == commit.id && $0.store != commit.store
      }
      var notes = CommitNotes()
      notes.intents = others
      if others.isEmpty { notes.settled = [commit.id] }
      try keeper.commit(.immediate, noting: notes)
      unfinished.withLock { list in
        list.removeAll { $0.id == commit.id && $0.store == commit.store }
      }
    }
  }

  // MARK: - All intents

  /// Finishes what can be finished. The list of unfinished commits names the rest. Returns the identifiers of the stores that
  /// got a part.
  @discardableResult
  func finishAllCommits(_ divided: inout DividedChanges) -> Set<String> {
    let all = stores.withLock { $0 }
    var finisher = CommitFinisher(all, model, own: divided.shared.ids)
    for holder in all.numbered { finisher.look(into: holder) }
    if finisher.hasWork {
      // An open transaction of this process would be in the way.
      do throws(StoreError) {
        if !divided.isEmpty { try commit(.eventual, &divided) }
        finisher.finish()
      } catch {
        finisher.postpone(error)
      }
    }
    unfinished.withLock { $0 = finisher.unfinished }
    return finisher.finished
  }
}

// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
public import SporadesStore

// Commits of all stores.
//
// Rules:
// 1. Stores commit one after the other. A failure of one does not stop those that share no change set with it.
// 2. Where a change set has parts in several stores that last, the first of these keeps an intent of the others' parts
//    with its own, and is on the disk before the others commit; see `SharedCommits`.
extension PersistentStoreCoordinator {
  /// Commits every store, and throws the first failure. A failure of one store does not stop stores that share no
  /// uncommitted change set with it.
  ///
  /// A change set of several stores in files is kept by all of them or by none, whenever the process or the computer
  /// stops. For that, one of the files is synced before the others commit, whatever `durability` says.
  public func commit(_ durability: Durability) throws(StoreError) {
    try writing.withLock { divided throws(StoreError) in try commit(durability, &divided) }
  }

  func commit(_ durability: Durability, _ divided: inout DividedChanges) throws(StoreError) {
    if divided.mayHaveLosses { try restore(&divided) }
    guard divided.losses.isEmpty else {
      let keys = divided.losses.flatMap(\.changes.keys)
      throw .unreportedLosses(keys.map { ManagedObjectID(key: $0, scope: scope) })
    }
    let all = stores.withLock { $0 }
    try checkOpen(all)
    // If a store fails now, the next commit must first look for losses.
    divided.mayHaveLosses = true
    try committing.withLock { _ throws(StoreError) in try commit(all, durability, &divided) }
    divided.clear()
  }

  private func commit(
    _ all: CoordinatedStores, _ durability: Durability, _ divided: inout DividedChanges
  ) throws(StoreError) {
    var failure: StoreError?
    var committed: [(number: Int, notes: CommitNotes)] = []
    var left = all.numbered
    do throws(StoreError) {
      if let holder = try commitHolder(all, &divided) { left.removeAll { $0.number == holder } }
    } catch {
      failure = error
      let waiting = divided.shared.draft.map { $0.stores.union([$0.holder]) } ?? []
      left.removeAll { waiting.contains($0.number) }
    }
    for member in left {
      do throws(StoreError) {
        committed.append((member.number, try commitPart(of: member, durability, divided)))
      } catch {
        failure = failure ?? error
      }
    }
    guard let failure else {
      for (number, notes) in committed where !notes.isEmpty {
        divided.shared.record(notes, of: number)
      }
      return
    }
    for (number, notes) in committed { divided.recordCommit(of: number, notes) }
    throw failure
  }

  /// Commits one store, with what it has to note.
  private func commitPart(
    of member: CoordinatedStore, _ durability: Durability, _ divided: DividedChanges
  ) throws(StoreError) -> CommitNotes {
    let notes = divided.shared.isEmpty ? CommitNotes() : divided.shared.notes(for: member.number)
    if let keeper = member.keeper, !notes.isEmpty {
      try keeper.commit(durability, noting: notes)
    } else {
      try member.store.commit(durability)
    }
    return notes
  }

  // MARK: - Intents

  /// Commits the store that keeps an intent for others, if one is needed, and returns its number. While it fails, the
  /// other stores of the draft must not commit.
  private func commitHolder(
    _ all: CoordinatedStores, _ divided: inout DividedChanges
  ) throws(StoreError) -> Int? {
    let intent = divided.intent()
    if let draft = divided.shared.draft, draft.holder != intent?.holder.number {
      try dropDraft(all, &divided)
    }
    guard let intent, let keeper = intent.holder.keeper else { return nil }
    let number = intent.holder.number
    divided.shared.begin(
      divided.shared.draft?.id ?? UUID().uuidString, holder: number,
      stores: Set(intent.parts.map(\.member.number)))
    guard let draft = divided.shared.draft else { return nil }
    for store in draft.stores.union(divided.shared.storesToSync(before: number)).sorted() {
      try all[store]?.keeper?.syncCommits(ofOthers: false)
    }
    var notes = divided.shared.notes(for: number, settling: true)
    let now = Date()
    for (member, changes) in intent.parts {
      notes.intents.append(
        CommitIntent(
          commit: draft.id, store: member.store.identifier, madeAt: now,
          changes: try StoredChanges.bytes(of: changes, model)))
    }
    try keeper.commit(.immediate, noting: notes)
    divided.shared.keepDraft()
    divided.cover(intent)
    divided.recordCommit(of: number, notes)
    return number
  }

  /// Removes the intent of a commit that failed and whose change sets are divided no more, since a part was lost.
  private func dropDraft(
    _ all: CoordinatedStores, _ divided: inout DividedChanges
  ) throws(StoreError) {
    guard let draft = divided.shared.draft else { return }
    var notes = divided.shared.notes(for: draft.holder)
    notes.settled.append(draft.id)
    if let keeper = all[draft.holder]?.keeper { try keeper.commit(.immediate, noting: notes) }
    divided.recordCommit(of: draft.holder, notes)
    divided.shared.dropDraft()
  }

  /// Commits what several stores share, if there is any, so that one of them can go.
  func commitShared(_ divided: inout DividedChanges) throws(StoreError) {
    guard divided.intent() != nil || !divided.shared.isEmpty else { return }
    do throws(StoreError) {
      try commit(.eventual, &divided)
    } catch  where error.code == .closed {
      // The program has closed a store itself, which committed its part.
    }
    do throws(StoreError) { try settle(&divided) } catch {
      // The intents stay. The next coordinator that opens the stores finds that all parts are
      // there, and
      // removes them.
    }
  }

  /// Withdraws what several stores share and none could commit, because the coordinator goes. A store that goes commits
  /// what it has accepted, and would be the only one to have its part.
  func abandonShared(_ divided: inout DividedChanges) {
    guard divided.intent() != nil else { return }
    do throws(StoreError) { return try commit(.eventual, &divided) } catch {
      for (member, changes) in divided.sharedParts {
        do throws(StoreError) { try member.capabilities.revocable().withdraw(changes) } catch {
          // `try?`, because a store that fails twice fails to commit, too.
          try? member.capabilities.revocable().withdraw(changes)
        }
      }
    }
  }

  /// Removes the traces of finished commits.
  private func settle(_ divided: inout DividedChanges) throws(StoreError) {
    let all = stores.withLock { $0 }
    for holder in divided.shared.holdersToSettle {
      for store in divided.shared.storesToSync(before: holder) {
        try all[store]?.keeper?.syncCommits(ofOthers: false)
      }
      let notes = divided.shared.notes(for: holder, settling: true)
      try all[holder]?.keeper?.commit(.immediate, noting: notes)
      divided.recordCommit(of: holder, notes)
    }
    for store in divided.shared.forgetters {
      let notes = divided.shared.notes(for: store)
      try all[store]?.keeper?.commit(.eventual, noting: notes)
      divided.recordCommit(of: store, notes)
    }
  }
}

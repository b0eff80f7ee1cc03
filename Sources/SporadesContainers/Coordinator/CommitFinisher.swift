// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// Gives stores the parts of commits that they lack.
struct CommitFinisher {
  /// A commit of which a store keeps the parts.
  private struct Kept {
    let holder: CoordinatedStore
    let id: String
    var parts: [CommitIntent]
  }

  private let all: CoordinatedStores
  private let model: ManagedObjectModel
  /// The commits of this process, which it finishes itself.
  private let own: Set<String>
  private var kept: [Kept] = []
  private(set) var unfinished: [UnfinishedCommit] = []
  /// The identifiers of the stores that got a part.
  private(set) var finished: Set<String> = []
  /// By the identifier of a store, the reason why its next part must wait.
  private var stops: [String: StoreError] = [:]

  init(_ all: CoordinatedStores, _ model: ManagedObjectModel, own: Set<String>) {
    self.all = all
    self.model = model
    self.own = own
  }

  var hasWork: Bool { !kept.isEmpty }

  /// Reads the intents that a store keeps.
  mutating func look(into holder: CoordinatedStore) {
    guard let keeper = holder.keeper else { return }
    do throws(StoreError) {
      for intent in try keeper.intents() where !own.contains(intent.commit) {
        if let last = kept.indices.last, kept[last].id == intent.commit,
          kept[last].holder.number == holder.number
        {
          kept[last].parts.append(intent)
        } else {
          kept.append(Kept(holder: holder, id: intent.commit, parts: [intent]))
        }
      }
    } catch {
      let identifier = holder.store.identifier
      unfinished.append(
        UnfinishedCommit(
          id: "", madeAt: .distantPast, holder: identifier, store: identifier, reason: error))
    }
  }

  /// Finishes all commits that can be finished.
  mutating func finish() {
    for commit in kept {
      var isWhole = true
      for part in commit.parts {
        do throws(StoreError) {
          if try !finish(part) { isWhole = false }
        } catch {
          stops[part.store] = error
          add(part, of: commit, error)
          isWhole = false
        }
      }
      if isWhole { remove(commit) }
    }
  }

  /// Records all commits as unfinished, for one reason.
  mutating func postpone(_ reason: StoreError) {
    for commit in kept {
      for part in commit.parts { add(part, of: commit, reason) }
    }
  }

  private mutating func add(_ part: CommitIntent, of commit: Kept, _ reason: StoreError) {
    unfinished.append(
      UnfinishedCommit(
        id: part.commit, madeAt: part.madeAt, holder: commit.holder.store.identifier,
        store: part.store, reason: reason))
  }

  /// Gives a store its part, unless it has the part already. Returns false if the part may not be on the disk yet.
  private mutating func finish(_ part: CommitIntent) throws(StoreError) -> Bool {
    guard !part.commit.isEmpty, !part.store.isEmpty else { throw ByteReader.damage }
    guard let member = all.member(identifiedBy: part.store) else {
      throw StoreError(
        .noStore,
        "A commit is missing in the store \(part.store), which the coordinator does not have; add that store."
      )
    }
    guard let keeper = member.keeper else {
      throw StoreError(
        .unsupported,
        "A commit is missing in the store \(part.store), which is of a kind that cannot take it. Open the file "
          + "in which the store was.")
    }
    if try keeper.hasFinished(part.commit) {
      guard !member.store.isReadOnly else { return false }
      try keeper.syncCommits(ofOthers: true)
      return true
    }
    if let stop = stops[part.store] {
      throw StoreError(
        stop.code, "The store lacks an earlier commit, which must be finished or discarded first.",
        underlying: stop)
    }
    guard !member.store.isReadOnly else {
      throw StoreError(
        .readOnly,
        "A commit is missing in the store \(part.store), which is read-only. Open it for writing.")
    }
    let changes = try StoredChanges.changes(in: part.changes, model)
    do throws(StoreError) {
      if try keeper.finish(part.commit, by: changes) { finished.insert(part.store) }
      return true
    } catch {
      throw member.shared(error)
    }
  }

  /// Removes the intent of a commit that all stores have. If this fails, whoever looks next finds that it is finished.
  private func remove(_ commit: Kept) {
    guard !commit.holder.store.isReadOnly else { return }
    var notes = CommitNotes()
    notes.settled = [commit.id]
    // `try?`, because of the sentence above.
    try? commit.holder.keeper?.commit(.immediate, noting: notes)
  }
}

// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The commits over several stores of this process, from the first attempt until nobody keeps an intent of them.
///
/// Rules, which hold at a loss of power, too:
/// 1. The holder's commit with the intent is on the disk before another store commits its part. The
///    earlier commits of the other stores are on the disk before the holder commits.
/// 2. The holder removes the intent when the parts are on the disk. That is in its next commit over several stores, or when
///    the coordinator closes.
/// 3. A store forgets that it finished a commit when the removal of the intent is on the disk.
struct SharedCommits: Sendable {
  struct Commit: Sendable {
    let id: String
    /// The number of the store that keeps the intent.
    let holder: Int
    /// The numbers of the stores that have a part in the intent.
    let stores: Set<Int>
    /// The stores that have not committed their part.
    var remaining: Set<Int>
  }

  /// The commit that the holder was asked for, and perhaps has made. The next attempt has the same identifier, so that the
  /// intent replaces one that is there already.
  private(set) var draft: (id: String, holder: Int, stores: Set<Int>)?
  /// The commits whose intents are kept.
  private(set) var kept: [Commit] = []
  /// By store, the finished commits of which nobody keeps an intent.
  private var forgettable: [Int: [String]] = [:]

  /// A commit still has a trace in a store.
  var isEmpty: Bool { draft == nil && kept.isEmpty && forgettable.isEmpty }
  var ids: Set<String> { Set(kept.map(\.id) + [draft?.id].compactMap(\.self)) }
  /// The stores that keep intents of which all parts are committed.
  var holdersToSettle: [Int] { Set(kept.filter(\.remaining.isEmpty).map(\.holder)).inOrder() }
  /// The stores that have notes to forget.
  var forgetters: [Int] { forgettable.keys.inOrder() }

  mutating func begin(_ id: String, holder: Int, stores: Set<Int>) {
    draft = (id, holder, stores.union(draft?.stores ?? []))
  }

  /// The holder has committed the draft.
  mutating func keepDraft() {
    guard let draft else { return }
    kept.append(
      Commit(id: draft.id, holder: draft.holder, stores: draft.stores, remaining: draft.stores))
    self.draft = nil
  }

  /// The draft has no parts any more, and its intent, if there is one, is removed.
  mutating func dropDraft() { draft = nil }

  /// The notes that a store has to make in its next commit. With `settling`, the parts of finished
  /// commits are on the disk.
  func notes(for number: Int, settling: Bool = false) -> CommitNotes {
    var notes = CommitNotes()
    for commit in kept {
      if commit.remaining.contains(number) { notes.finished.append(commit.id) }
      if settling, commit.holder == number, commit.remaining.isEmpty {
        notes.settled.append(commit.id)
      }
    }
    notes.forgotten = forgettable[number] ?? []
    return notes
  }

  /// The stores that must be on the disk before a holder removes its finished intents.
  func storesToSync(before holder: Int) -> Set<Int> {
    kept.filter { $0.holder == holder && $0.remaining.isEmpty }.reduce(into: []) {
      $0.formUnion($1.stores)
    }
  }

  /// A store has committed its notes. Where it settled commits, it has synced, too.
  mutating func record(_ notes: CommitNotes, of number: Int) {
    for place in kept.indices where notes.finished.contains(kept[place].id) {
      kept[place].remaining.remove(number)
    }
    forgettable[number]?.removeAll { notes.forgotten.contains($0) }
    if forgettable[number]?.isEmpty == true { forgettable[number] = nil }
    for commit in kept where notes.settled.contains(commit.id) {
      for store in commit.stores { forgettable[store, default: []].append(commit.id) }
    }
    kept.removeAll { notes.settled.contains($0.id) }
  }

  /// The coordinator no longer has a store.
  mutating func forget(_ number: Int) {
    kept.removeAll { $0.holder == number }
    forgettable[number] = nil
    for place in kept.indices { kept[place].remaining.remove(number) }
  }
}

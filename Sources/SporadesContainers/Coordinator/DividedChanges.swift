// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The accepted change sets that a coordinator divided between its stores, until the next commit.
///
/// A store that cannot keep its part reports that part. The coordinator then reports the whole change set, and
/// asks the other stores to withdraw their parts.
struct DividedChanges: Sendable {
  /// The part of a change set that one store executes.
  struct Part: Sendable {
    let member: CoordinatedStore
    let changes: ChangeSet
    /// Another store has committed an intent of the part.
    var isCovered = false
  }

  private struct Divided {
    let whole: ChangeSet
    /// The parts that are not committed.
    var parts: [Part]

    /// The parts of which no other store keeps an intent, of stores that could.
    var open: [Part] { parts.filter { $0.member.keeper != nil && !$0.isCovered } }
  }

  private var accepted: [Divided] = []
  /// The parts that their stores withdrew because another part of the same change set was lost.
  private var withdrawn: [ChangeSet] = []
  /// The lost change sets that the coordinator has not reported yet.
  private(set) var losses: [LostChanges] = []

  /// The commits over several stores.
  var shared = SharedCommits()
  /// Several stores that keep intents have parts of one change set.
  private var hasDivided = false
  /// The parts of lost change sets that other stores must withdraw.
  var toWithdraw: [Part] = []
  /// A request failed since the last commit, so a store may have lost its transaction.
  var mayHaveLosses = false

  /// Executes a change set and records its parts.
  mutating func record(
    _ whole: ChangeSet, _ parts: [Part], executing execute: () throws(StoreError) -> Void
  ) throws(StoreError) {
    do throws(StoreError) {
      try execute()
    } catch {
      mayHaveLosses = true
      throw error
    }
    guard whole.hasWrites, !parts.isEmpty else { return }
    let divided = Divided(whole: whole, parts: parts)
    if parts.count > 1, divided.open.count > 1 { hasDivided = true }
    accepted.append(divided)
  }

  /// Finds the parts of an accepted change set; nil if it was not divided.
  func parts(of whole: ChangeSet) -> [Part]? { accepted.first { $0.whole === whole }?.parts }

  /// Records a part that a store could not keep. The other stores must withdraw the other parts.
  mutating func recordLoss(_ loss: LostChanges, of member: CoordinatedStore) {
    let reason = member.shared(loss.reason)
    let index = accepted.firstIndex { divided in
      divided.parts.contains { $0.changes === loss.changes }
    }
    guard let index else {
      // The change set was never divided, or another part of it was lost earlier.
      if !withdrawn.contains(where: { $0 === loss.changes }) {
        losses.append(LostChanges(loss.changes, reason))
      }
      return
    }
    let divided = accepted.remove(at: index)
    losses.append(LostChanges(divided.whole, reason))
    let others = divided.parts.filter { $0.changes !== loss.changes }
    withdrawn += others.map(\.changes)
    toWithdraw += others
  }

  /// Returns the losses, which counts as reporting them.
  mutating func takeLosses() -> [LostChanges] {
    defer { losses = [] }
    return losses
  }

  /// Forgets all change sets after a commit.
  mutating func clear() {
    let shared = shared
    self = DividedChanges()
    self.shared = shared
  }

  // MARK: - Commits

  var isEmpty: Bool { accepted.isEmpty }

  /// The changes that the first of several stores keeps for the others.
  struct Intent {
    let holder: CoordinatedStore
    /// The uncommitted change sets of each other store, in their order.
    let parts: [(member: CoordinatedStore, changes: [ChangeSet])]
  }

  /// Finds the stores that must commit together. Nil if no change set is divided between stores that keep intents.
  ///
  /// All change sets of such a store belong to its part, because later ones build on earlier ones.
  func intent() -> Intent? {
    guard hasDivided else { return nil }
    var members: [Int: CoordinatedStore] = [:]
    var changes: [Int: [ChangeSet]] = [:]
    for divided in accepted {
      let open = divided.open
      for part in open {
        changes[part.member.number, default: []].append(part.changes)
        if open.count > 1 { members[part.member.number] = part.member }
      }
    }
    let first = members.keys.min().flatMap { members[$0] }
    guard let holder = shared.draft.flatMap({ members[$0.holder] }) ?? first else { return nil }
    members[holder.number] = nil
    let parts = members.values.inNumberOrder { $0.number }
    return Intent(
      holder: holder,
      parts: parts.map { (member: $0, changes: changes[$0.number] ?? []) })
  }

  /// By store, the parts of change sets that several stores share and of which none keeps an intent.
  var sharedParts: [(member: CoordinatedStore, changes: [ChangeSet])] {
    let shared = accepted.map(\.open).filter { $0.count > 1 }.flatMap(\.self)
    return Dictionary(grouping: shared, by: \.member.number).values.compactMap { parts in
      parts.first.map { ($0.member, parts.map(\.changes)) }
    }
  }

  /// The holder has committed, so the parts of the other stores need no further intent.
  mutating func cover(_ intent: Intent) {
    let numbers = Set(intent.parts.map(\.member.number))
    for index in accepted.indices {
      for place in accepted[index].parts.indices
      where numbers.contains(accepted[index].parts[place].member.number) {
        accepted[index].parts[place].isCovered = true
      }
    }
  }

  /// A store has committed its change sets.
  mutating func recordCommit(of number: Int, _ notes: CommitNotes) {
    shared.record(notes, of: number)
    for index in accepted.indices {
      accepted[index].parts.removeAll { $0.member.number == number }
    }
    accepted.removeAll(where: \.parts.isEmpty)
  }
}

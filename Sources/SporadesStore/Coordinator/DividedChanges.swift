// SPDX-License-Identifier: MIT
import SporadesModel

/// The accepted change sets that a coordinator divided between its stores, until the next commit.
///
/// A store that cannot keep its part reports that part. The coordinator then reports the whole change set, and
/// asks the other stores to withdraw their parts.
struct DividedChanges: Sendable {
  /// The part of a change set that one store executes.
  struct Part: Sendable {
    let member: CoordinatedStore
    let changes: ChangeSet
  }

  private struct Divided {
    let whole: ChangeSet
    let parts: [Part]
  }

  private var accepted: [Divided] = []
  /// The parts that their stores withdrew because another part of the same change set was lost.
  private var withdrawn: [ChangeSet] = []
  /// The lost change sets that the coordinator has not reported yet.
  private(set) var losses: [LostChanges] = []

  /// The parts of lost change sets that other stores must withdraw.
  var toWithdraw: [Part] = []
  /// A request failed since the last commit, so a store may have lost its transaction.
  var mayHaveLosses = false

  /// Executes a change set and records its parts. A change set that one store executes whole needs no record.
  mutating func record(
    _ whole: ChangeSet, _ parts: [Part], executing execute: () throws(StoreError) -> Void
  ) throws(StoreError) {
    do throws(StoreError) {
      try execute()
    } catch {
      mayHaveLosses = true
      throw error
    }
    guard whole.hasWrites, parts.contains(where: { $0.changes !== whole }) else { return }
    accepted.append(Divided(whole: whole, parts: parts))
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
  mutating func clear() { self = DividedChanges() }
}

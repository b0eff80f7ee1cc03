// SPDX-License-Identifier: MIT
import SporadesModel

/// The accepted change sets that a coordinator divided between its stores, until they are committed.
///
/// A store that cannot keep its part names that part. The coordinator names the whole, and has the other
/// stores give up theirs.
struct DividedChanges: Sendable {
  struct Part: Sendable {
    let member: CoordinatedStore
    let changes: ChangeSet
  }

  private struct Divided {
    let whole: ChangeSet
    let parts: [Part]
  }

  private var accepted: [Divided] = []
  /// Parts that were given up because another part of the same change set was lost.
  private var withdrawn: [ChangeSet] = []
  private(set) var losses: [LostChanges] = []

  /// Parts that other stores have of lost change sets, and are to give up.
  var toWithdraw: [Part] = []
  /// A request failed since the last commit, and with it a transaction may have gone.
  var mayHaveLosses = false

  /// Executes a change set and notes how it was divided. One that its only store has whole is known by
  /// itself.
  mutating func take(
    _ whole: ChangeSet, _ parts: [Part], _ execute: () throws(StoreError) -> Void
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

  func parts(of whole: ChangeSet) -> [Part]? { accepted.first { $0.whole === whole }?.parts }

  /// Notes what a store could not keep; the parts of it that others have are to be given up.
  mutating func lose(_ loss: LostChanges, _ member: CoordinatedStore) {
    let reason = member.shared(loss.reason)
    let place = accepted.firstIndex { divided in
      divided.parts.contains { $0.changes === loss.changes }
    }
    guard let place else {
      // Either it was never divided, or another part of it was lost before.
      if !withdrawn.contains(where: { $0 === loss.changes }) {
        losses.append(LostChanges(loss.changes, reason))
      }
      return
    }
    let divided = accepted.remove(at: place)
    losses.append(LostChanges(divided.whole, reason))
    let others = divided.parts.filter { $0.changes !== loss.changes }
    withdrawn += others.map(\.changes)
    toWithdraw += others
  }

  mutating func takeLosses() -> [LostChanges] {
    defer { losses = [] }
    return losses
  }

  /// Everything that was accepted is committed.
  mutating func forget() { self = DividedChanges() }
}

// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// A save is settled when it is committed or lost.
extension CommitLedger {
  /// Settled saves, and the blocks that wait for them.
  struct SettledSaves {
    var changes: [ChangeSet] = []
    var waiting: [Waiting] = []
    /// The numbers of the saves that were reported as not durable before.
    var reported: [Int] = []
    var settlers: [Int: [@Sendable (WriteReceipt.State) -> Void]] = [:]
    var observers: [@Sendable (CommitEvent) -> Void] = []
  }

  func stateOf(_ number: Int) -> WriteReceipt.State { state.withLock { $0.stateOf(number) } }

  /// Calls `body` once, after the save was committed or lost.
  func whenSettled(_ number: Int, _ body: @escaping @Sendable (WriteReceipt.State) -> Void) {
    let known = state.withLock { state -> WriteReceipt.State? in
      let known = state.stateOf(number)
      guard case .accepted = known else { return known }
      state.settlers[number, default: []].append(body)
      return nil
    }
    if let known { body(known) }
  }

  /// Calls the blocks that wait for the saves, and the observers of those that were reported as not durable.
  func reportSettlement(of saves: SettledSaves) {
    for (number, bodies) in saves.settlers {
      let state = stateOf(number)
      for body in bodies { body(state) }
    }
    for number in saves.reported {
      for observer in saves.observers {
        observer(.settled(WriteReceipt(ledger: self, number: number)))
      }
    }
  }

  /// Records lost saves, and calls the observers and the blocks that wait for the saves.
  func recordLosses(_ losses: [(changes: ChangeSet, write: LostWrite)]) {
    for loss in losses {
      let (number, settled) = state.withLock { $0.markLost(loss.changes, loss.write) }
      let receipt = number.map { WriteReceipt(ledger: self, number: $0) }
      for observer in settled.observers { observer(.lost(loss.write, receipt)) }
      // A stack without a service has no observer, and a loss must not pass in silence.
      if settled.observers.isEmpty { writeToStandardError("Sporades: \(loss.write)\n") }
      Self.notify(settled.waiting[...], .lost(loss.write))
      reportSettlement(of: settled)
    }
  }

  /// Records every uncommitted save as lost, because no further commit follows.
  func loseUncommitted(_ reason: StoreError, _ ids: ([RowKey]) -> [ManagedObjectID]) {
    let uncommitted = state.withLock(\.uncommitted)
    recordLosses(
      uncommitted.map { ($0.changes, LostWrite(objects: ids($0.changes.keys), reason: reason)) })
  }

  /// Settles all saves after another owner has closed the store. A closing store commits its accepted saves.
  /// They are lost if the file of the store was moved or removed.
  func settleAfterClose(_ ids: ([RowKey]) -> [ManagedObjectID]) {
    if let moved = state.withLock(\.moved) { return loseUncommitted(moved, ids) }
    // The caller frees the changes, which nobody else needs.
    _ = recordCommit(took: .zero)
  }
}

extension CommitLedger.State {
  func stateOf(_ number: Int) -> WriteReceipt.State {
    if let lost = lost[number] { return .lost(lost) }
    return committed < number ? .accepted : .committed
  }

  /// Marks every executed save as committed.
  mutating func markAllCommitted() -> CommitLedger.SettledSaves {
    var settled = CommitLedger.SettledSaves(changes: uncommitted.map(\.changes), waiting: waiting)
    if let first = uncommitted.first, first.number <= reported {
      settled.reported = uncommitted.map(\.number).filter { $0 <= reported }
      settled.observers = Array(observers.values)
    }
    if !settlers.isEmpty { swap(&settled.settlers, &settlers) }
    committed = executed
    owesSync = false
    moved = nil
    metrics.rowsWaiting = 0
    metrics.changeSetsWaiting = 0
    (waiting, uncommitted) = ([], [])
    return settled
  }

  /// Marks a save as lost. The number is nil if the save is not among the uncommitted ones.
  mutating func markLost(
    _ changes: ChangeSet, _ write: LostWrite
  ) -> (number: Int?, settled: CommitLedger.SettledSaves) {
    var settled = CommitLedger.SettledSaves(observers: Array(observers.values))
    metrics.changeSetsLost += 1
    metrics.rowsLost += changes.count
    guard let place = uncommitted.firstIndex(where: { $0.changes === changes }) else {
      return (nil, settled)
    }
    let number = uncommitted.remove(at: place).number
    metrics.changeSetsWaiting -= 1
    metrics.rowsWaiting -= changes.count
    lost[number] = write
    settled.waiting = waiting.filter { $0.number == number }
    waiting.removeAll { $0.number == number }
    settled.settlers[number] = settlers.removeValue(forKey: number)
    if number <= reported { settled.reported = [number] }
    return (number, settled)
  }
}

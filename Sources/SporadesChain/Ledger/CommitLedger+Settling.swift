// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// How saves come to their end: committed, or lost.
extension CommitLedger {
  /// What is to be told after saves came to their end.
  struct Settled {
    var changes: [ChangeSet] = []
    var waiting: [Waiting] = []
    /// The numbers of saves that were reported as not durable.
    var reported: [Int] = []
    var settlers: [Int: [@Sendable (WriteReceipt.State) -> Void]] = [:]
    var observers: [@Sendable (CommitEvent) -> Void] = []
  }

  func stateOf(_ number: Int) -> WriteReceipt.State { state.withLock { $0.stateOf(number) } }

  /// Calls `body` once, when the save is committed or lost.
  func whenSettled(_ number: Int, _ body: @escaping @Sendable (WriteReceipt.State) -> Void) {
    let known = state.withLock { state -> WriteReceipt.State? in
      let known = state.stateOf(number)
      guard case .accepted = known else { return known }
      state.settlers[number, default: []].append(body)
      return nil
    }
    if let known { body(known) }
  }

  func tellSettled(_ done: Settled) {
    for (number, bodies) in done.settlers {
      let state = stateOf(number)
      for body in bodies { body(state) }
    }
    for number in done.reported {
      for observer in done.observers {
        observer(.settled(WriteReceipt(ledger: self, number: number)))
      }
    }
  }

  /// Takes saves out of the account that could not be kept, and tells those who wait for them.
  func lose(_ losses: [(changes: ChangeSet, write: LostWrite)]) {
    for loss in losses {
      let (number, done) = state.withLock { $0.lose(loss.changes, loss.write) }
      let receipt = number.map { WriteReceipt(ledger: self, number: $0) }
      for observer in done.observers { observer(.lost(loss.write, receipt)) }
      // A stack without a service has nobody to tell.
      if done.observers.isEmpty { print("Sporades: \(loss.write)") }
      Self.tell(done.waiting[...], .lost(loss.write))
      tellSettled(done)
    }
  }

  /// Nobody will commit any more: what is not committed is lost.
  func end(_ reason: StoreError, _ ids: ([RowKey]) -> [ManagedObjectID]) {
    let open = state.withLock(\.uncommitted)
    lose(open.map { ($0.changes, LostWrite(objects: ids($0.changes.keys), reason: reason)) })
  }

  /// The store was closed by somebody else, and so has committed what it had accepted: to no avail where
  /// its file was gone.
  func closed(_ ids: ([RowKey]) -> [ManagedObjectID]) {
    if let moved = state.withLock(\.moved) { return end(moved, ids) }
    _ = committed(took: .zero)
  }
}

extension CommitLedger.State {
  func stateOf(_ number: Int) -> WriteReceipt.State {
    if let lost = lost[number] { return .lost(lost) }
    return committed < number ? .accepted : .committed
  }

  /// Everything executed is committed.
  mutating func settleAll() -> CommitLedger.Settled {
    var done = CommitLedger.Settled(changes: uncommitted.map(\.changes), waiting: waiting)
    if let first = uncommitted.first, first.number <= reported {
      done.reported = uncommitted.map(\.number).filter { $0 <= reported }
      done.observers = Array(observers.values)
    }
    if !settlers.isEmpty { swap(&done.settlers, &settlers) }
    committed = executed
    owesSync = false
    moved = nil
    metrics.rowsWaiting = 0
    metrics.changeSetsWaiting = 0
    (waiting, uncommitted) = ([], [])
    return done
  }

  mutating func lose(
    _ changes: ChangeSet, _ write: LostWrite
  ) -> (number: Int?, done: CommitLedger.Settled) {
    var done = CommitLedger.Settled(observers: Array(observers.values))
    metrics.changeSetsLost += 1
    metrics.rowsLost += changes.count
    guard let place = uncommitted.firstIndex(where: { $0.changes === changes }) else {
      return (nil, done)
    }
    let number = uncommitted.remove(at: place).number
    metrics.changeSetsWaiting -= 1
    metrics.rowsWaiting -= changes.count
    lost[number] = write
    done.waiting = waiting.filter { $0.number == number }
    waiting.removeAll { $0.number == number }
    done.settlers[number] = settlers.removeValue(forKey: number)
    if number <= reported { done.reported = [number] }
    return (number, done)
  }
}

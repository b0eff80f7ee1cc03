// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// How accepted change sets get into a new transaction where SQLite gave up the one they were in.
//
// Rules:
// 1. They are executed in their order, each in a savepoint of its own.
// 2. One that is refused, and one that touches rows of another that was left out, is left out.
// 3. Any other failure is of the environment: nothing is left out, and the restoration is tried again.
extension Writer {
  mutating func executeAgain(without withdrawn: [ChangeSet]) throws(StoreError) {
    forget()
    try begin()
    // The change sets that are kept drop and write their files again.
    files?.beginAgain()
    do {
      try setKeysAsideAgain()
      if let pendingMetadata { try writeMetadata(pendingMetadata) }
      var kept: [ChangeSet] = []
      var lost: [LostChanges] = []
      var lostRows = LostRows(plan.model)
      for changes in accepted {
        let isWithdrawn = withdrawn.contains { $0 === changes }
        if let reason = isWithdrawn ? withdrawal : try refusal(of: changes, lostRows) {
          lost.append(LostChanges(changes, reason))
          lostRows.add(changes)
        } else {
          kept.append(changes)
        }
      }
      // Not before, because a restoration that fails is made again from the start.
      accepted = kept
      losses += lost
      files?.giveUpUnwritten()
      connection.limit.renew()
    } catch {
      rollback()
      throw error
    }
    guard !hasAccepted else { return }
    rollback()
    dropUnprotectedKeys()
  }

  private var withdrawal: StoreError {
    StoreError(.conflict([]), "Another part of the change could not be kept.")
  }

  /// Executes a change set, or returns why it can not be kept.
  private mutating func refusal(
    of changes: ChangeSet, _ lostRows: LostRows
  ) throws(StoreError) -> StoreError? {
    let met = lostRows.met(by: changes)
    guard met.isEmpty else { return .buildsOnLost(met.map(plan.id)) }
    let mark = files?.mark
    // Each was a request of its own.
    connection.limit.renew()
    try connection.statement(StatementNumber(.savepoint), .begin(.changes)).run()
    do {
      try writeParkingIfNeeded(changes)
      // An app's triggers may have deleted rows that an earlier change set was asked about.
      if triggers.hasOwn { present.forget() }
      try checkTargets(of: changes)
      try release()
      return nil
    } catch  where error.refusesChanges && !connection.isOutsideTransaction {
      forget()
      undo(.changes)
      if let mark { files?.discard(after: mark) }
      return error
    }
  }

  /// References and links must not lead to rows that others deleted, which no version tells.
  mutating func checkTargets(of changes: ChangeSet) throws(StoreError) {
    let gone = try absent(changes.targets)
    guard gone.isEmpty else {
      let names = gone.prefix(10).map { plan.id($0).description }.joined(separator: ", ")
      throw StoreError(
        .conflict(gone.map(plan.id)), "\(names) were deleted by others; the change leads to them.")
    }
  }

  // MARK: - Losses

  /// Refuses a change set that builds on one which was left out, and of which nobody was told yet.
  func checkLosses(_ changes: ChangeSet) throws(StoreError) {
    var lostRows = LostRows(plan.model)
    for loss in losses { lostRows.add(loss.changes) }
    let met = lostRows.met(by: changes)
    guard met.isEmpty else { throw .buildsOnLost(met.map(plan.id)) }
  }

  mutating func takeLosses() throws(StoreError) -> [LostChanges] {
    try restore()
    defer { losses = [] }
    return losses
  }

  /// Gives up some of what was accepted.
  mutating func withdraw(_ changes: [ChangeSet]) throws(StoreError) {
    guard accepted.contains(where: { known in changes.contains { $0 === known } }) else { return }
    rollback()
    try executeAgain(without: changes)
  }

  var untoldLosses: StoreError {
    .untoldLosses(losses.flatMap(\.changes.keys).map(plan.id))
  }

  // MARK: - Keys

  /// Sets keys aside that were set aside in the transaction that is gone. Where others took some of
  /// them meanwhile, no more of the block is handed out.
  private mutating func setKeysAsideAgain() throws(StoreError) {
    for (place, block) in blocks.enumerated() {
      guard let block else { continue }
      if let first = block.firstUnprotected, try maximum(ofRoot: place + 1) >= first {
        blocks[place]?.next = block.end
        blocks[place]?.firstUnprotected = nil
      } else {
        try raiseMaximum(ofRoot: place + 1, to: block.end - 1)
      }
    }
  }

  private func maximum(ofRoot root: Int) throws(StoreError) -> Int64 {
    let number = Int64(plan.layout.storeNumber(root))
    return try connection.number(plan.counters.maximum(of: number)) ?? 0
  }
}

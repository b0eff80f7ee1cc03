// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// Executes accepted change sets in a new transaction, after their first one was lost.
extension ServerWriter {
  /// Executes change sets in their order. One is left out if the store refuses it, if it is withdrawn, or if it touches rows
  /// of another one that was left out. Any other failure changes nothing, and the restoration runs again later.
  mutating func executeAgain(
    _ all: [ChangeSet], without withdrawn: [ChangeSet]
  ) throws(StoreError) {
    rollback()
    var kept: [ChangeSet] = []
    var lost: [LostChanges] = []
    var lostRows = LostRows(plan.model)
    do throws(StoreError) {
      for changes in all {
        let isWithdrawn = withdrawn.contains { $0 === changes }
        if let reason = isWithdrawn ? withdrawal : try refusal(of: changes, lostRows) {
          lost.append(LostChanges(changes, reason))
          lostRows.add(changes)
        } else {
          kept.append(changes)
        }
      }
    } catch {
      rollback()
      throw error
    }
    accepted = kept
    losses += lost
  }

  private var withdrawal: StoreError {
    StoreError(.conflict([]), "The store could not keep another part of the change.")
  }

  /// Executes a change set. Returns the reason if the store refuses it.
  private mutating func refusal(
    of changes: ChangeSet, _ lostRows: LostRows
  ) throws(StoreError) -> StoreError? {
    let met = lostRows.met(by: changes)
    guard met.isEmpty else { return .buildsOnLost(met.map(plan.id)) }
    let isFirst = !connection.isInTransaction
    do throws(StoreError) {
      try write(changes, isFirst: isFirst)
      try checkTargets(of: changes)
      return nil
    } catch {
      guard !connection.isBroken else { throw error }
      try undo(isFirst: isFirst)
      let cause = try plan.explained(error, of: changes, in: reading)
      guard cause.refusesChanges else { throw cause }
      return cause
    }
  }

  /// Throws if references or links lead to rows that others deleted. Row versions do not reveal such a deletion.
  func checkTargets(of changes: ChangeSet) throws(StoreError) {
    let gone = try reading.absent(changes.targets)
    guard gone.isEmpty else {
      let names = gone.prefix(10).map { plan.id($0).description }.joined(separator: ", ")
      throw StoreError(
        .conflict(gone.map(plan.id)),
        "The change refers to objects that others deleted: \(names).")
    }
  }

  // MARK: - Losses

  /// Refuses a change set that builds on a lost one which has not been reported yet.
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

  /// Removes change sets from the accepted ones, and restores the others.
  mutating func withdraw(_ changes: [ChangeSet]) throws(StoreError) {
    try connectIfBroken()
    guard accepted.contains(where: { known in changes.contains { $0 === known } }) else { return }
    try executeAgain(accepted, without: changes)
  }

  var unreportedLosses: StoreError {
    .unreportedLosses(losses.flatMap(\.changes.keys).map(plan.id))
  }
}

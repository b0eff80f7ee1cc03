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
        if let reason = isWithdrawn ? .withdrawn : try refusal(of: changes, lostRows) {
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

  /// Executes a change set. Returns the reason if the store refuses it.
  private mutating func refusal(
    of changes: ChangeSet, _ lostRows: LostRows
  ) throws(StoreError) -> StoreError? {
    let met = lostRows.met(by: changes)
    guard met.isEmpty else { return .buildsOnLost(met.map(plan.id)) }
    let isFirst = !connection.isInTransaction
    do throws(StoreError) {
      try tables.write(changes, isFirst: isFirst, by: &self)
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
    guard gone.isEmpty else { throw .leadsToDeleted(gone.map(plan.id)) }
  }

  // MARK: - Losses

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
}

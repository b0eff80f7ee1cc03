// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// Executes accepted change sets in a new transaction, after SQLite has rolled back their first one.
//
// Rules:
// 1. The change sets run in their order, each in its own savepoint. A large one has none, because SQLite then walks through
//    all that it has changed at each row that fires triggers. If the store refuses it, the others run again without it.
// 2. A change set is left out if the store refuses it, or if it touches rows of another one that was left
//    out.
// 3. Any other failure comes from the environment. No change set is left out, and the restoration runs again
//    later.
extension Writer {
  mutating func executeAgain(without withdrawn: [ChangeSet]) throws(StoreError) {
    var refused: [ObjectIdentifier: StoreError] = [:]
    for changes in withdrawn { refused[ObjectIdentifier(changes)] = .withdrawn }
    while try !executeAgain(except: &refused) {}
  }

  /// The largest number of rows in a change set that has a savepoint.
  private static var largestWithSavepoint: Int { 1000 }

  /// Returns false if it added a large change set to the refused ones, and so has undone the others.
  private mutating func executeAgain(
    except refused: inout [ObjectIdentifier: StoreError]
  ) throws(StoreError) -> Bool {
    forget()
    do throws(StoreError) { try begin() } catch  where error.code == .modelChanged {
      try loseAccepted(error)
      return true
    }
    // The change sets drop and write their files again as they run.
    files?.beginAgain()
    do {
      try leaveOutFinished()
      try setKeysAsideAgain()
      if let pendingMetadata { try writeMetadata(pendingMetadata) }
      var kept: [ChangeSet] = []
      var lost: [LostChanges] = []
      var lostRows = LostRows(plan.model)
      for changes in accepted {
        let known = refused[ObjectIdentifier(changes)]
        if let reason = if let known { known } else { try refusal(of: changes, lostRows) } {
          guard !connection.isOutsideTransaction else {
            refused[ObjectIdentifier(changes)] = reason
            return false
          }
          lost.append(LostChanges(changes, reason))
          lostRows.add(changes)
        } else {
          kept.append(changes)
        }
      }
      // The lists change only here, because a failed restoration starts again from the beginning.
      accepted = kept
      losses += lost
      files?.giveUpUnwritten()
      connection.limit.renew()
    } catch {
      rollback()
      throw error
    }
    if hasAccepted { return true }
    rollback()
    dropUnprotectedKeys()
    return true
  }

  /// Leaves out all accepted change sets, which no longer fit the store. Throws if there are none, only metadata.
  private mutating func loseAccepted(_ reason: StoreError) throws(StoreError) {
    files?.beginAgain()
    files?.giveUpUnwritten()
    dropUnprotectedKeys()
    pendingMetadata = nil
    guard !accepted.isEmpty else { throw reason }
    losses += accepted.map { LostChanges($0, reason) }
    accepted = []
  }

  /// Executes a change set. Returns the reason if the store refuses it. The transaction has then ended if the change set
  /// is a large one.
  private mutating func refusal(
    of changes: ChangeSet, _ lostRows: LostRows
  ) throws(StoreError) -> StoreError? {
    let met = lostRows.met(by: changes)
    guard met.isEmpty else { return .buildsOnLost(met.map(plan.id)) }
    let mark = files?.mark
    // Each change set was a request with its own step limit.
    connection.limit.renew()
    let hasSavepoint = changes.count <= Self.largestWithSavepoint
    if hasSavepoint { try beginChanges() }
    do {
      try write(changes)
      // An app's triggers may have deleted rows that an earlier change set looked up.
      if triggers.hasOwn { present.forget() }
      try checkTargets(of: changes)
      if hasSavepoint { try release() }
      return nil
    } catch  where error.refusesChanges && !connection.isOutsideTransaction {
      forget()
      if hasSavepoint { undoChanges() } else { rollback() }
      if let mark { files?.discard(after: mark) }
      guard hasSavepoint else { return error }
      // Outside a transaction, the next savepoint would be one, and its release a commit.
      guard !connection.isOutsideTransaction else { throw error }
      return error
    }
  }

  /// Throws if references or links lead to rows that others deleted. Row versions do not reveal such a
  /// deletion.
  mutating func checkTargets(of changes: ChangeSet) throws(StoreError) {
    let gone = try absent(changes.targets)
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
    guard accepted.contains(where: { known in changes.contains { $0 === known } }) else { return }
    rollback()
    try executeAgain(without: changes)
  }

  // MARK: - Keys

  /// Reserves the keys of the lost transaction again. If another process took some of them, the rest of the
  /// block stays unused.
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

// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// Executes a change set and commits it in one round trip. The server takes a pipeline for one transaction.
//
// The server decides alone whether it takes place, so that each statement fails which finds another number of rows than it
// should. A failure leaves nothing behind. The change set then goes the usual way, which finds out what is wrong with it.
extension ServerWriter {
  /// Executes a change set and commits it. Returns the failure of the commit, after which the change set is accepted.
  mutating func execute(
    _ changes: ChangeSet, committing durability: Durability
  ) throws(StoreError) -> StoreError? {
    try restore()
    if fitsOneTrip(changes) {
      let number = lastWrite + 1
      do throws(StoreError) {
        if try write(changes, committing: number, durability) { return nil }
      } catch {
        guard connection.isBroken else { throw error }
        return settle(changes, number, durability)
      }
    }
    try execute(changes)
    return commitFailure(durability)
  }

  private mutating func commitFailure(_ durability: Durability) -> StoreError? {
    do throws(StoreError) { try commit(durability) } catch { return error }
    return nil
  }

  private func fitsOneTrip(_ changes: ChangeSet) -> Bool {
    accepted.isEmpty && losses.isEmpty && !connection.isInTransaction && changes.hasWrites
      && changes.expected.isEmpty && !hasMany(changes) && tables.keepsBooks
      && connection.inner == nil
  }

  /// Returns false if the server has refused the change set. Throws where the connection has ended, or where the server has
  /// left out a new row.
  private mutating func write(
    _ changes: ChangeSet, committing number: Int64, _ durability: Durability
  ) throws(StoreError) -> Bool {
    var pipe = Pipe(
      connection: connection, plan: plan, client: client, texts: updates, isGuarded: true)
    var refusal: StoreError?
    let (answers, error) = try connection.exchange { (_) throws(StoreError) in
      do throws(StoreError) {
        try pipe.sendRows(of: changes)
        for page in changes.inserted { try pipe.insert(page) }
        try pipe.sendLinks(of: changes)
        try pipe.noteTransaction(changes)
        try sendNumber(number, durability)
      } catch {
        refusal = error
      }
      // The server has the statements before a value that it cannot keep, and must not commit them.
      if refusal != nil { try connection.send(Self.refused) }
    }
    updates = pipe.texts
    guard error == nil else { return false }
    noteCommit(number, durability)
    let missing = Self.conflicts(answers, pipe.expectations)
    guard missing.isEmpty else { throw leftOut(missing) }
    return true
  }

  /// Guards would find it before the commit, and make each new row a third dearer.
  private func leftOut(_ keys: [RowKey]) -> StoreError {
    let names = keys.prefix(10).map { plan.id($0).description }.joined(separator: ", ")
    return StoreError(
      .unsupported,
      "\(connection.place): A trigger or a rule of the database left out new rows, and the others were committed: \(names). "
        + "Remove it from the tables of the store.")
  }

  /// Fails in any transaction.
  private static let refused = "SELECT 'a value was refused'::text::int"

  /// Finds out whether the server had committed a change set when the connection ended. Goes on with it if not.
  private mutating func settle(
    _ changes: ChangeSet, _ number: Int64, _ durability: Durability
  ) -> StoreError? {
    accepted.append(changes)
    unanswered = number
    do throws(StoreError) { try connectIfBroken() } catch { return error }
    // A commit without an answer may not have reached the standbys.
    guard lastWrite == number, durability == .eventual else { return commitFailure(durability) }
    return nil
  }
}

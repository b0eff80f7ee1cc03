// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// Empties the tables. The removal has a number as every commit has, so that one whose answer is lost is looked up: the rows
// that were accepted before it would come back else.
extension ServerWriter {
  /// Empties every table, and commits at once.
  mutating func removeAllRows() throws(StoreError) {
    try restore()
    let number = lastWrite + 1
    do throws(StoreError) { try sendRemoval(number) } catch {
      hasSavepoint = false
      guard connection.isBroken else {
        rollback()
        try checkMigrations(after: error)
        throw error
      }
      unanswered = number
      try connectIfBroken()
      guard lastWrite == number else { throw error }
      // A commit without an answer may not have reached the standbys.
      return try commit(.immediate)
    }
    noteCommit(number, .immediate)
  }

  private func sendRemoval(_ number: Int64) throws(StoreError) {
    let tables = plan.layout.tables.map { plan.dialect.quoted($0.name) }
    _ = try connection.pipelined { (connection) throws(StoreError) in
      if !connection.isInTransaction { try connection.send("BEGIN") }
      try connection.send("SET CONSTRAINTS ALL DEFERRED")
      // Links go with the rows on either side.
      for table in tables { try connection.send("DELETE FROM \(table)") }
      try sendEnd(number, .immediate)
    }
  }
}

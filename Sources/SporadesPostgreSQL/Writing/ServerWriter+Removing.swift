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
    try end(.immediate) { (writer, number) throws(StoreError) in try writer.sendRemoval(number) }
  }

  private func sendRemoval(_ number: Int64) throws(StoreError) {
    let tables = plan.layout.tables.map { plan.dialect.quoted($0.name) }
    _ = try connection.pipelined { (connection) throws(StoreError) in
      if !connection.isInTransaction { try connection.send("BEGIN") }
      try connection.send("SET CONSTRAINTS ALL DEFERRED")
      try sendHistoryOfRemoval()
      // Links go with the rows on either side.
      for table in tables { try connection.send("DELETE FROM \(table)") }
      try sendEnd(number, .immediate)
    }
  }
}

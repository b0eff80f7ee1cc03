// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

extension History {
  /// Writes the deletion of all rows as one transaction, before the rows are deleted. Returns its number; nil if there are
  /// no rows.
  mutating func recordRemovalOfAllRows(
    _ connection: Connection, _ plan: StorePlan
  ) throws(StoreError) -> Int64? {
    let counts = try plan.layout.tables.map { table throws(StoreError) in
      Int(try connection.number(tables.countOfRows(in: table)) ?? 0)
    }
    let total = counts.reduce(0, +)
    guard total > 0 else { return nil }
    let transaction = try addTransaction(nil, nil, connection)
    var key = try nextKey(in: .changes, total, connection)
    for (table, count) in zip(plan.layout.tables, counts) where count > 0 {
      let kept = plan.model.shapes.filter { $0.rootNumber == table.rootEntity }.map { shape in
        (Int64(plan.layout.storeNumber(shape.number)), shape.keptInHistory.compactMap(\.slot))
      }
      try connection.run(
        tables.addDeletes(of: table, keeping: kept, after: key - 1, in: transaction))
      key += Int64(count)
    }
    return transaction
  }
}

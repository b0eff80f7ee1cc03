// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesSQL
package import SporadesStore

extension SQLiteStore {
  /// The values of an object's attribute before and after each transaction that kept them, by the numbers of these.
  package func keptValues(
    of key: RowKey, named name: String
  ) throws(StoreError) -> [Int64: (old: SQLValue, new: SQLValue)] {
    let rows = try readHistory { (connection, _) throws(StoreError) -> [[SQLValue]] in
      guard try KeptValues.isKept(on: connection) else { return [] }
      return try connection.rows(
        KeptValues.statements.values(
          of: key.primaryKey, entity: plan.layout.storeNumber(key.entity), named: name))
    }
    var values: [Int64: (old: SQLValue, new: SQLValue)] = [:]
    for row in rows {
      guard let number = row[0].integer else {
        throw StoreError(
          .corrupt,
          "\(KeptValueStatements.table) has a row without a number of a transaction. Delete the row."
        )
      }
      values[number] = (values[number]?.old ?? row[1], row[2])
    }
    return values
  }
}

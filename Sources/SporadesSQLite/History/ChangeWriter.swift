// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Adds the changes of one transaction, with consecutive keys.
struct ChangeWriter {
  private let connection: Connection
  private let plan: StorePlan
  private let tables: CoreDataHistory
  private let transaction: Int64
  private var key: Int64
  private let statement: Statement

  init(
    _ connection: Connection, _ plan: StorePlan, _ tables: CoreDataHistory, transaction: Int64,
    key: Int64
  ) throws(StoreError) {
    self.connection = connection
    self.plan = plan
    self.tables = tables
    self.transaction = transaction
    self.key = key
    statement = try connection.statement(StatementNumber(.historyChange), tables.addChange)
    statement.bind(CoreDataHistory.Table.changes.entity, at: 2)
    statement.bind(transaction, at: 6)
  }

  mutating func add(
    _ kind: ChangeKind, _ row: RowKey, _ columns: [UInt8]? = nil
  ) throws(StoreError) {
    statement.bind(key, at: 1)
    statement.bind(kind.rawValue, at: 3)
    statement.bind(Int64(plan.layout.storeNumber(row.entity)), at: 4)
    statement.bind(row.primaryKey, at: 5)
    if let columns { statement.bind(.blob(columns), at: 7) } else { statement.bindNull(at: 7) }
    try statement.run()
    key += 1
  }

  /// Adds the deletion of a row, with the values that its model preserves.
  mutating func addDelete(_ row: RowKey) throws(StoreError) {
    let kept = plan.model.shape(numbered: row.entity).keptInHistory.compactMap(\.slot)
    guard !kept.isEmpty, tables.tombstones > 0 else { return try add(.delete, row) }
    let statement = try connection.statement(
      StatementNumber(.historyDelete, row.entity),
      tables.addDelete(keeping: kept, of: plan.layout.table(ofEntity: row.entity)))
    statement.bind([
      key, Int64(plan.layout.storeNumber(row.entity)), transaction, row.primaryKey,
    ])
    try statement.run()
    key += 1
  }
}

// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

extension History {
  /// The database keeps a history.
  static func isKept(on connection: Connection) throws(StoreError) -> Bool {
    let present = Set(try connection.texts(.tables))
    return [CoreDataHistory.Table.transactions, .changes].allSatisfy { present.contains($0.name) }
  }

  /// Makes the tables, with a column for each value that an entity of the model keeps of deleted objects.
  static func makeTables(
    for layout: any ModelLayout, on connection: Connection
  ) throws(StoreError) {
    try makeTables(for: layout.model.shapes.filter { layout.holds($0.number) }, on: connection)
  }

  /// Makes the tables for the entities that a store holds.
  static func makeTables(
    for shapes: [EntityShape], on connection: Connection
  ) throws(StoreError) {
    let kept = shapes.map(\.keptInHistory.count)
    let statements = CoreDataHistory.creation(tombstones: kept.max() ?? 0, SQLiteDialect())
    for statement in statements { try connection.run(statement) }
    for table in CoreDataHistory.Table.allCases {
      try connection.run(counters.add(Int(table.entity), name: table.entityName, parent: 0))
    }
  }

  /// Has the numbers of a table go on behind one.
  static func raise(
    _ table: CoreDataHistory.Table, to last: Int64, _ connection: Connection
  ) throws(StoreError) {
    let statement = try connection.statement(StatementNumber(.raiseMaximum), counters.raise)
    statement.bind([last, table.entity, last])
    try statement.run()
  }

  /// Makes the tables in a store that has none.
  static func makeTablesIfMissing(
    for layout: any ModelLayout, on connection: Connection
  ) throws(StoreError) {
    guard try !isKept(on: connection) else { return }
    try connection.transaction { () throws(StoreError) in
      // Another process may have made them while this one waited for the lock.
      if try !isKept(on: connection) { try makeTables(for: layout, on: connection) }
    }
  }
}

// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Reads references and links of stored rows. A statement is made once for many rows.
struct HistoryReferences: HistoryRows {
  private let connection: Connection
  private let plan: StorePlan
  private var statements: [StatementKey: SQLStatement] = [:]

  private struct StatementKey: Hashable {
    let entity: Int
    let slots: [Int]
  }

  init(_ connection: Connection, _ plan: StorePlan) {
    self.connection = connection
    self.plan = plan
  }

  /// The keys that the stored row holds in the slots.
  mutating func references(
    of row: RowKey, _ slots: [Int]
  ) throws(StoreError) -> [(slot: Int, owner: RowKey)] {
    guard !slots.isEmpty else { return [] }
    let table = plan.layout.table(ofEntity: row.entity)
    let statement = try connection.statement(statement(of: row.entity, slots))
    statement.bind(row.primaryKey, at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return [] }
    let values = statement.row()
    return slots.enumerated().compactMap { place, slot in
      guard let key = values[2 * place].integer else { return nil }
      let column = table.columns[slot]
      let entity =
        column.entityColumn == nil
        ? column.destination
        : plan.numbers.modelNumber(values[2 * place + 1].integer ?? 0, else: column.destination)
      return (slot, RowKey(entity: entity, primaryKey: key))
    }
  }

  func linked(
    to row: RowKey, in join: Int, isFirst: Bool
  ) throws(StoreError) -> [RowKey] {
    let shape = plan.model.joins[join]
    let entity = plan.model.shape(numbered: isFirst ? shape.second.entity : shape.first.entity)
    let statement = try connection.statement(
      StatementNumber(isFirst ? .historyLinkedToFirst : .historyLinkedToSecond, join),
      plan.joinStatements(join).linked(
        toFirst: isFirst, in: plan.layout.table(ofEntity: entity.number), plan.layout.names.row))
    statement.bind(row.primaryKey, at: 1)
    defer { statement.reset() }
    var keys: [RowKey] = []
    while try statement.step() {
      let number = plan.numbers.modelNumber(statement.integer(1), else: entity.rootNumber)
      keys.append(RowKey(entity: number, primaryKey: statement.integer(0)))
    }
    return keys
  }

  private mutating func statement(of entity: Int, _ slots: [Int]) -> SQLStatement {
    let key = StatementKey(entity: entity, slots: slots)
    if let known = statements[key] { return known }
    let statement = plan.tableStatements(ofEntity: entity).references(slots)
    statements[key] = statement
    return statement
  }
}

// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Writes the values before and after a change set, for attributes that ask for that.
struct KeptValues {
  /// The columns by the numbers of their entities; empty for most models.
  private let columns: [Int: [KeptColumn]]
  static let statements = KeptValueStatements(CoreDataLayout.names.row, SQLiteDialect())
  private var statements: KeptValueStatements { Self.statements }

  init(_ plan: StorePlan) {
    var columns: [Int: [KeptColumn]] = [:]
    for shape in plan.model.shapes where shape.attributes.contains(where: \.keepsValuesInHistory) {
      columns[shape.number] = KeptColumn.all(of: shape, plan.layout)
    }
    self.columns = columns
  }

  /// Whether the file has kept values.
  static func isKept(on connection: Connection) throws(StoreError) -> Bool {
    try !connection.columns(of: KeptValueStatements.table).isEmpty
  }

  var isEmpty: Bool { columns.isEmpty }

  /// Notes what the rows of a change set hold, before it is written. `number` is that of its transaction. Returns whether
  /// it changes a kept value.
  func note(
    _ changes: ChangeSet, _ number: Int64, _ connection: Connection, _ plan: StorePlan
  ) throws(StoreError) -> Bool {
    guard concerns(changes) else { return false }
    try prepare(connection)
    for page in changes.inserted {
      for index in 0..<page.count {
        let key = page.key(index)
        for column in columns[key.entity] ?? [] {
          let entity = plan.layout.storeNumber(key.entity)
          try connection.run(
            statements.noteInsert(column, of: key.primaryKey, entity: entity, number))
        }
      }
    }
    for rows in changes.updated {
      for index in 0..<rows.page.count {
        let key = rows.page.key(index)
        for column in columns[key.entity] ?? [] where rows.isChanged(index, slot: column.slot) {
          try note(column, key, number, connection, plan)
        }
      }
    }
    for row in changes.deleted {
      for column in columns[row.key.entity] ?? [] {
        try note(column, row.key, number, connection, plan)
      }
    }
    return true
  }

  private func concerns(_ changes: ChangeSet) -> Bool {
    guard !isEmpty else { return false }
    func isKept(_ key: RowKey) -> Bool { columns[key.entity] != nil }
    return changes.inserted.contains { page in (0..<page.count).contains { isKept(page.key($0)) } }
      || changes.deleted.contains { isKept($0.key) }
      || changes.updated.contains { rows in
        (0..<rows.page.count).contains { index in
          (columns[rows.page.key(index).entity] ?? []).contains {
            rows.isChanged(index, slot: $0.slot)
          }
        }
      }
  }

  private func note(
    _ column: KeptColumn, _ key: RowKey, _ number: Int64, _ connection: Connection,
    _ plan: StorePlan
  ) throws(StoreError) {
    let statement = statements.note(
      column, of: key.primaryKey, entity: plan.layout.storeNumber(key.entity),
      in: plan.layout.table(ofEntity: key.entity), number)
    try connection.run(statement)
  }

  /// Notes what all rows hold, before they are deleted.
  func noteAll(
    _ number: Int64, _ connection: Connection, _ plan: StorePlan
  ) throws(StoreError) {
    guard !isEmpty else { return }
    try prepare(connection)
    for (entity, columns) in columns.inOrder {
      for column in columns {
        try connection.run(
          statements.noteAll(
            column, entity: plan.layout.storeNumber(entity),
            in: plan.layout.table(ofEntity: entity), number))
      }
    }
  }

  /// Adds what the rows hold now.
  func fill(
    _ number: Int64, _ connection: Connection, _ plan: StorePlan
  ) throws(StoreError) {
    for (entity, columns) in columns.inOrder {
      for column in columns {
        try connection.run(
          statements.fill(
            column, entity: plan.layout.storeNumber(entity),
            in: plan.layout.table(ofEntity: entity), number))
      }
    }
  }

  private func prepare(_ connection: Connection) throws(StoreError) {
    for statement in statements.creation { try connection.run(statement) }
  }
}

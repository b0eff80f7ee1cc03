// SPDX-License-Identifier: MIT
package import SporadesModel

/// The statements of one entity, built once, with the column of each slot.
///
/// Result columns 0, 1 and 2 are the key, the number of the entity and the version, and so are the first
/// parameters of an insert. The statements contain only columns that the entity and its subentities use.
/// first parameters of an insert. Only columns that rows of the entity's family can use take part.
package final class EntityStatements: Sendable {
  package let entity: Int
  package let hasSubentities: Bool
  package let table: Int
  package let tableName: String
  package let transfers: [SlotTransfer]
  /// `t0.id, t0.entity, t0.version, t0.name …`
  package let selectList: String
  /// The columns for rows of exactly this entity.
  package let insertTransfers: [SlotTransfer]
  private let insertedTable: String
  package let insertedColumns: [String]
  /// `t0.id`
  package let key: String
  /// `t0.entity`
  package let entityColumn: String
  /// `t0.entity = 3`; empty if all rows of the table belong to the entity or its subentities.
  package let familyCondition: String
  package let familyConditionOfOne: String
  /// The version column, for error texts.
  package let versionName: String
  let dialect: any SQLDialect

  package init(
    _ shape: EntityShape, _ layout: StoreLayout, _ model: ManagedObjectModel,
    _ dialect: any SQLDialect
  ) {
    entity = shape.number
    hasSubentities = shape.hasSubentities
    self.dialect = dialect
    table = layout.tablesByEntity[shape.number - 1]
    let table = layout.tables[table]
    tableName = dialect.quoted(table.name)
    let line = Set(Self.lineage(shape, model))
    let own = shape.layout.slots.indices.filter { line.contains(shape.layout.slots[$0].entity) }
    let family = shape.layout.slots.indices.filter {
      let entity = shape.layout.slots[$0].entity
      return line.contains(entity) || shape.family.contains(entity)
    }
    let row = layout.names.row
    versionName = row.version
    transfers = Self.transfers(family, shape.layout, table, from: row.all.count)
    insertTransfers = Self.transfers(own, shape.layout, table, from: row.all.count)
    // A loop, because the runtime looks long for what `joined` needs, at the start of each program.
    var list = ""
    for name in row.all { list += "\(list.isEmpty ? "" : ", ")t0.\(dialect.quoted(name))" }
    for column in family.lazy.map({ table.columns[$0] }) {
      let name = "t0.\(dialect.quoted(column.name))"
      list += ", \(dialect.read(name, isDecimal: column.type == .decimal))"
      if let entity = column.entityColumn { list += ", t0.\(dialect.quoted(entity))" }
    }
    selectList = list
    insertedTable = table.name
    insertedColumns = row.all + Self.names(own, table)
    key = "t0.\(dialect.quoted(row.key))"
    entityColumn = "t0.\(dialect.quoted(row.entity))"
    let root = model.shape(numbered: shape.rootNumber)
    familyCondition =
      shape.family == root.family
      ? "" : Self.condition(entityColumn, shape.family.map(layout.entityMark))
    familyConditionOfOne =
      root.hasSubentities ? Self.condition(entityColumn, [layout.entityMark(shape.number)]) : ""
  }

  private static func condition(_ column: String, _ marks: [String]) -> String {
    marks.count == 1
      ? "\(column) = \(marks[0])" : "\(column) IN (\(marks.joined(separator: ", ")))"
  }

  private static func lineage(_ shape: EntityShape, _ model: ManagedObjectModel) -> [Int] {
    shape.superNumber == 0
      ? [shape.number]
      : [shape.number] + lineage(model.shape(numbered: shape.superNumber), model)
  }

  /// The columns of slots in a table.
  package static func names(_ slots: [Int], _ table: StoreLayout.Table) -> [String] {
    slots.flatMap { slot -> [String] in
      let column = table.columns[slot]
      return [column.name] + (column.entityColumn.map { [$0] } ?? [])
    }
  }

  /// The places of slots in a statement whose columns or parameters begin at `place`.
  static func transfers(
    _ slots: [Int], _ layout: RowLayout, _ table: StoreLayout.Table, from place: Int
  ) -> [SlotTransfer] {
    var place = place
    return slots.map { slot in
      let column = table.columns[slot]
      defer { place += column.entityColumn == nil ? 1 : 2 }
      return SlotTransfer(slot, place: place, layout, column)
    }
  }

  /// `INSERT INTO pet (id, entity, version, name …) VALUES (?, ?, ?, ? …)`
  package var insert: SQLStatement {
    SQLFragment.insert(into: insertedTable, insertedColumns).rendered(in: dialect)
  }

  // MARK: - Reading

  /// `SELECT … FROM pet t0`
  package var selectAll: SQLStatement { selection.rendered(in: dialect) }

  /// `SELECT … FROM pet t0 WHERE t0.id = ?`
  package var selectByKey: SQLStatement {
    let statement: SQLFragment = "\(selection) WHERE \(sql: key) = \(.parameter)"
    return statement.rendered(in: dialect)
  }

  /// `SELECT … FROM pet t0 WHERE t0.id IN (?, …) ORDER BY t0.id`
  package func select(_ keys: KeyGroups.Group) -> SQLStatement {
    let statement: SQLFragment = """
      \(selection) WHERE \(keys.condition(key)) ORDER BY \(sql: key)
      """
    return statement.rendered(in: dialect)
  }

  /// `SELECT … FROM pet t0`
  var selection: SQLFragment { "SELECT \(sql: selectList) FROM \(sql: tableName) t0" }

  /// Limits the rows to the entity and its subentities. The plus stops SQLite from choosing the index of
  /// entities over a better one.
  var familyFilter: String {
    familyCondition.isEmpty ? "" : "\(dialect.unindexed(familyCondition)) AND "
  }
}

// SPDX-License-Identifier: MIT
package import SporadesModel

/// The statements about rows of one table, regardless of their entities.
package struct TableStatements {
  private let table: StoreLayout.Table
  private let row: LayoutNames.Row
  private let dialect: any SQLDialect

  package init(_ table: StoreLayout.Table, _ names: LayoutNames, _ dialect: any SQLDialect) {
    self.table = table
    row = names.row
    self.dialect = dialect
  }

  private func rendered(_ fragment: SQLFragment) -> SQLStatement { fragment.rendered(in: dialect) }

  private var isRow: SQLFragment { "\(name: row.key) = \(.parameter)" }

  // MARK: - One row

  /// `SELECT 1 FROM pet WHERE id = ?`
  package var isPresent: SQLStatement {
    rendered("SELECT 1 FROM \(name: table.name) WHERE \(isRow)")
  }

  /// `SELECT version FROM pet WHERE id = ?`
  package var version: SQLStatement {
    rendered("SELECT \(name: row.version) FROM \(name: table.name) WHERE \(isRow)")
  }

  /// `SELECT entity FROM pet WHERE id = ?`
  package var entity: SQLStatement {
    rendered("SELECT \(name: row.entity) FROM \(name: table.name) WHERE \(isRow)")
  }

  /// `SELECT owner, owner_entity FROM pet WHERE id = ?`. A reference without a column for its entity is
  /// selected twice, so that each reference has two columns.
  package func references(_ slots: [Int]) -> SQLStatement {
    let columns = slots.flatMap { slot in
      [table.columns[slot].name, table.columns[slot].entityColumn ?? table.columns[slot].name]
    }
    return rendered("SELECT \(names: columns) FROM \(name: table.name) WHERE \(isRow)")
  }

  /// `SELECT photo FROM pet WHERE id = ? AND LENGTH(photo) = 38`
  package func value(_ slot: Int, ofLength length: Int) -> SQLStatement {
    let column = table.columns[slot].name
    return rendered(
      """
      SELECT \(name: column) FROM \(name: table.name) WHERE \(isRow) \
      AND LENGTH(\(name: column)) = \(sql: String(length))
      """)
  }

  /// `SELECT COUNT(*) FROM pet WHERE id = ? AND photo = ?`
  package func holds(_ value: SQLValue, _ slot: Int, _ key: Int64) -> SQLStatement {
    let column = table.columns[slot].name
    return rendered(
      """
      SELECT COUNT(*) FROM \(name: table.name) WHERE \(name: row.key) = \(.integer(key)) \
      AND \(name: column) = \(value)
      """)
  }

  /// `UPDATE pet SET name = NULL WHERE id = ?`
  package func clear(_ slot: Int) -> SQLStatement {
    rendered(
      "UPDATE \(name: table.name) SET \(name: table.columns[slot].name) = NULL WHERE \(isRow)")
  }

  /// `UPDATE pet SET name = ? WHERE id = ?`
  package func set(_ slot: Int) -> SQLStatement {
    rendered(
      """
      UPDATE \(name: table.name) SET \(name: table.columns[slot].name) = \(.parameter) \
      WHERE \(isRow)
      """)
  }

  /// `UPDATE pet SET name = ?, version = ? WHERE id = ? AND version = ?`, with the places of the changed
  /// slots. The version, the key and the former version are the last parameters.
  package func update(_ slots: [Int], _ layout: RowLayout) -> UpdateText {
    let columns = EntityStatements.names(slots, table) + [row.version]
    let assignments = columns.map { "\(name: $0) = \(.parameter)" as SQLFragment }
    let statement = rendered(
      """
      UPDATE \(name: table.name) SET \(assignments.joined(by: ", ")) WHERE \(isRow) \
      AND \(name: row.version) = \(.parameter)
      """)
    return UpdateText(
      statement: statement,
      transfers: EntityStatements.transfers(slots, layout, table, from: 0),
      parameters: columns.count + 2)
  }

  /// An update of certain slots, with the places of its parameters.
  package struct UpdateText {
    package let statement: SQLStatement
    package let transfers: [SlotTransfer]
    package let parameters: Int
  }

  /// `DELETE FROM pet WHERE id = ? AND version = ?`
  package var delete: SQLStatement {
    rendered(
      "DELETE FROM \(name: table.name) WHERE \(isRow) AND \(name: row.version) = \(.parameter)")
  }

  // MARK: - All rows

  /// `DELETE FROM pet`
  package var deleteAll: SQLStatement { rendered("DELETE FROM \(name: table.name)") }

  /// `SELECT MIN(id) FROM pet`
  package var smallestKey: SQLStatement {
    rendered("SELECT MIN(\(name: row.key)) FROM \(name: table.name)")
  }

  /// `SELECT MAX(id) FROM pet`
  package var largestKey: SQLStatement {
    rendered("SELECT MAX(\(name: row.key)) FROM \(name: table.name)")
  }
}

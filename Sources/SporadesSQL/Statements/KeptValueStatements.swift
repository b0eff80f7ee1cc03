// SPDX-License-Identifier: MIT
package import SporadesModel

/// A column whose former values the history keeps.
package struct KeptColumn: Sendable {
  /// The name of the attribute.
  package let name: String
  package let slot: Int
  fileprivate let column: String

  /// The kept columns of an entity's rows.
  package static func all(of shape: EntityShape, _ layout: StoreLayout) -> [KeptColumn] {
    let table = layout.table(ofEntity: shape.number)
    return shape.attributes.compactMap { attribute in
      guard attribute.keepsValuesInHistory, let slot = attribute.slot else { return nil }
      return KeptColumn(name: attribute.name, slot: slot, column: table.columns[slot].name)
    }
  }
}

/// The statements about the table of former values, which lies beside Core Data's tables. Core Data leaves it alone.
///
/// A row is one attribute in one change of one object, with the value before and the one after, as the column held them.
package struct KeptValueStatements: Sendable {
  /// The name of the table.
  package static let table = "SPORADES_VALUE"
  private let dialect: any SQLDialect
  private let row: LayoutNames.Row

  package init(_ row: LayoutNames.Row, _ dialect: any SQLDialect) {
    self.row = row
    self.dialect = dialect
  }

  func rendered(_ fragment: SQLFragment) -> SQLStatement { fragment.rendered(in: dialect) }

  /// Creates the table if it is missing.
  package var creation: [SQLStatement] {
    [
      """
      CREATE TABLE IF NOT EXISTS \(name: Self.table) ( TRANSACTIONNUMBER INTEGER, ENTITY INTEGER, \
      PRIMARYKEY INTEGER, NAME VARCHAR, OLDVALUE, NEWVALUE )
      """,
      """
      CREATE INDEX IF NOT EXISTS \(name: Self.table + "_OBJECT") \
      ON \(name: Self.table) (ENTITY, PRIMARYKEY)
      """,
      """
      CREATE INDEX IF NOT EXISTS \(name: Self.table + "_TRANSACTION") \
      ON \(name: Self.table) (TRANSACTIONNUMBER)
      """,
    ].map(rendered)
  }

  // MARK: - Writing

  /// Notes the value of a row that is going to change or to be deleted.
  package func note(
    _ column: KeptColumn, of key: Int64, entity: Int, in table: StoreLayout.Table, _ number: Int64
  ) -> SQLStatement {
    rendered(
      """
      INSERT INTO \(name: Self.table) SELECT \(.integer(number)), \(.integer(Int64(entity))), \
      \(name: row.key), \(.text(column.name)), \(name: column.column), NULL \
      FROM \(name: table.name) WHERE \(name: row.key) = \(.integer(key))
      """)
  }

  /// Notes the values of all rows of an entity, which are going to be deleted.
  package func noteAll(
    _ column: KeptColumn, entity: Int, in table: StoreLayout.Table, _ number: Int64
  ) -> SQLStatement {
    rendered(
      """
      INSERT INTO \(name: Self.table) SELECT \(.integer(number)), \(name: row.entity), \
      \(name: row.key), \(.text(column.name)), \(name: column.column), NULL \
      FROM \(name: table.name) WHERE \(name: row.entity) = \(.integer(Int64(entity)))
      """)
  }

  /// Notes that a row is going to be inserted.
  package func noteInsert(
    _ column: KeptColumn, of key: Int64, entity: Int, _ number: Int64
  ) -> SQLStatement {
    rendered(
      """
      INSERT INTO \(name: Self.table) VALUES (\(.integer(number)), \(.integer(Int64(entity))), \
      \(.integer(key)), \(.text(column.name)), NULL, NULL)
      """)
  }

  /// Adds the new values to what was noted of a transaction. A deleted row has none.
  package func fill(
    _ column: KeptColumn, entity: Int, in table: StoreLayout.Table, _ number: Int64
  ) -> SQLStatement {
    rendered(
      """
      UPDATE \(name: Self.table) SET NEWVALUE = (SELECT o.\(name: column.column) \
      FROM \(name: table.name) o WHERE o.\(name: row.key) = PRIMARYKEY) \
      WHERE TRANSACTIONNUMBER = \(.integer(number)) AND ENTITY = \(.integer(Int64(entity))) \
      AND NAME = \(.text(column.name))
      """)
  }

  // MARK: - Reading

  /// Selects the numbers of transactions with the values of an object's attribute before and after each.
  package func values(of key: Int64, entity: Int, named name: String) -> SQLStatement {
    rendered(
      """
      SELECT TRANSACTIONNUMBER, OLDVALUE, NEWVALUE FROM \(name: Self.table) \
      WHERE ENTITY = \(.integer(Int64(entity))) AND PRIMARYKEY = \(.integer(key)) \
      AND NAME = \(.text(name)) ORDER BY ROWID
      """)
  }

  // MARK: - Shortening

  /// Removes the values of the transactions before a number.
  package func removal(before number: Int64) -> SQLStatement {
    rendered("DELETE FROM \(name: Self.table) WHERE TRANSACTIONNUMBER < \(.integer(number))")
  }
}

// SPDX-License-Identifier: MIT
import SporadesModel

/// The statements that change tables from one version of a model to another.
package struct MigrationStatements {
  private let succession: RowSuccession
  private let dialect: any SQLDialect
  private var row: LayoutNames.Row { succession.old.layout.names.row }
  private var main: String { succession.old.main }

  package init(_ succession: RowSuccession, _ dialect: any SQLDialect) {
    self.succession = succession
    self.dialect = dialect
  }

  private func rendered(_ fragment: SQLFragment) -> SQLStatement { fragment.rendered(in: dialect) }

  // MARK: - Names

  package func rename(_ table: String, to name: String) -> SQLStatement {
    rendered("ALTER TABLE \(sql: main)\(name: table) RENAME TO \(name: name)")
  }

  package func rename(_ column: String, of table: String, to name: String) -> SQLStatement {
    rendered(
      "ALTER TABLE \(sql: main)\(name: table) RENAME COLUMN \(name: column) TO \(name: name)")
  }

  package func add(_ column: MigratedColumn, to table: String) -> SQLStatement {
    rendered(
      """
      ALTER TABLE \(sql: main)\(name: table) ADD COLUMN \(name: column.name) \(sql: column.declaration)
      """)
  }

  package static func drop(
    column: String, of table: String, schema: String = "main.", _ dialect: any SQLDialect
  ) -> SQLStatement {
    let statement: SQLFragment =
      "ALTER TABLE \(sql: schema)\(name: table) DROP COLUMN \(name: column)"
    return statement.rendered(in: dialect)
  }

  package func drop(_ kind: SchemaKind, _ name: String) -> SQLStatement {
    rendered("DROP \(sql: kind.rawValue) IF EXISTS main.\(name: name)")
  }

  package enum SchemaKind: String {
    case table = "TABLE"
    case index = "INDEX"
    case trigger = "TRIGGER"
    case view = "VIEW"
  }

  // MARK: - Rows

  /// Deletes the rows of entities that are gone: `DELETE FROM pet WHERE entity IN (4)`
  package func removeGone(_ alteration: TableChange.Alteration, from table: String) -> SQLStatement?
  {
    guard !alteration.gone.isEmpty else { return nil }
    return rendered(
      """
      DELETE FROM \(sql: main)\(name: table) WHERE \(name: row.entity) \
      IN (\(succession.numbers(alteration.gone)))
      """)
  }

  /// Writes the new values of a table whose columns have their new names; nil if there are none.
  package func update(
    _ change: TableChange, _ alteration: TableChange.Alteration, in table: String
  ) -> SQLStatement? {
    guard let piece = change.pieces.first else { return nil }
    var assignments = alteration.computed.map { index -> SQLFragment in
      let column = change.columns[index]
      let value = column.content(piece).value.renaming(alteration.renamed)
      return "\(name: column.name) = \(value)"
    }
    if let number = succession.entityNumber(of: piece) {
      assignments.append("\(name: row.entity) = \(number)")
    }
    guard !assignments.isEmpty else { return nil }
    return rendered("UPDATE \(sql: main)\(name: table) AS o SET \(assignments.joined(by: ", "))")
  }

  /// Copies the rows of one piece into the new table. `names` are the present names of the old table and its columns,
  /// and `others` the columns of other programs.
  package func copy(
    _ piece: RowSuccession.Piece, _ change: TableChange, from table: String,
    _ names: [String: String], others: [String]
  ) -> SQLStatement {
    let entity: SQLFragment = succession.entityNumber(of: piece) ?? "o.\(name: row.entity)"
    let values =
      [succession.key(of: piece), entity, "o.\(name: row.version)"]
      + change.columns.map { $0.content(piece).value.renaming(names) }
      + others.map { "o.\(name: $0)" as SQLFragment }
    let condition = succession.condition(of: piece).map { " WHERE \($0)" as SQLFragment } ?? ""
    return rendered(
      """
      INSERT INTO \(sql: main)\(name: change.name) \
      (\(names: row.all + change.columns.map(\.name) + others)) \
      SELECT \(values.joined(by: ", ")) FROM \(sql: main)\(name: table) o\(condition)
      """)
  }

  /// Creates the table of a change, with the columns of other programs as they were declared.
  package func create(
    _ change: TableChange, others: [(name: String, declaration: String)]
  ) -> SQLStatement {
    let own = change.columns.map { "\(name: $0.name) \(sql: $0.declaration)" as SQLFragment }
    let foreign = others.map { "\(name: $0.name) \(sql: $0.declaration)" as SQLFragment }
    let all: [SQLFragment] =
      [
        "\(name: row.key) INTEGER PRIMARY KEY", "\(name: row.entity) INTEGER",
        "\(name: row.version) INTEGER",
      ] + own + foreign
    return rendered("CREATE TABLE main.\(name: change.name) ( \(all.joined(by: ", ")) )")
  }

  package func count(ofTable table: String) -> SQLStatement {
    rendered("SELECT COUNT(*) FROM \(name: table)")
  }

  // MARK: - Counters

  /// Removes the numbers of the older version from the table of counters.
  package func removeCounters() -> SQLStatement {
    let names = succession.old.layout.names.counters
    let numbers = succession.old.layout.storeNumbers.filter { $0 > 0 }.map(String.init)
    return rendered(
      """
      DELETE FROM \(name: names.table) \
      WHERE \(name: names.entity) IN (\(sql: numbers.joined(separator: ", ")))
      """)
  }

  /// Whether keys of two pieces of a new table collide.
  package func collision(_ piece: RowSuccession.Piece, _ other: RowSuccession.Piece) -> SQLStatement
  {
    let tables = [piece, other].map { piece -> SQLFragment in
      let condition = succession.condition(of: piece).map { " WHERE \($0)" as SQLFragment } ?? ""
      let table = succession.old.table(piece.old).name
      return "SELECT o.\(name: row.key) AS k FROM \(name: table) o\(condition)"
    }
    return rendered(
      """
      SELECT COUNT(*) FROM (SELECT a.k FROM (\(tables[0])) a JOIN (\(tables[1])) b ON a.k = b.k LIMIT 1) c
      """)
  }
}

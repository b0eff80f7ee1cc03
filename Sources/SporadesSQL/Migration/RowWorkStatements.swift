// SPDX-License-Identifier: MIT
package import SporadesModel

/// The statements about rows that the program's code computes during a migration.
package struct RowWorkStatements {
  private let side: MigrationSide
  private let dialect: any SQLDialect
  private var row: LayoutNames.Row { side.layout.names.row }

  /// `side` is the newer version.
  package init(_ side: MigrationSide, _ dialect: any SQLDialect) {
    self.side = side
    self.dialect = dialect
  }

  /// Reads the keys of an entity's rows, their old columns and their new ones. The old columns come from the old table,
  /// whose keys are smaller by the offset, or without one from the same row.
  package func read(
    _ entity: Int, in table: String, oldTable: (name: String, offset: Int64)?, old: [String],
    new: [String]
  ) -> SQLStatement {
    let former = oldTable == nil ? "n" : "o"
    let columns =
      ["n.\(name: row.key)"] + old.map { "\(sql: former).\(name: $0)" as SQLFragment }
      + new.map { "n.\(name: $0)" as SQLFragment }
    let join = oldTable.map { oldTable -> SQLFragment in
      let offset = String(oldTable.offset)
      return """
         JOIN main.\(name: oldTable.name) o ON o.\(name: row.key) = n.\(name: row.key) - \(sql: offset)
        """
    }
    // The sign keeps SQLite from an index over the entities, whose order is another one.
    let statement: SQLFragment = """
      SELECT \(columns.joined(by: ", ")) FROM main.\(name: table) n\(join ?? "") \
      WHERE +n.\(name: row.entity) = \(number(of: entity)) ORDER BY n.\(name: row.key)
      """
    return statement.rendered(in: dialect)
  }

  /// `UPDATE pet SET name = ?, age = ? WHERE id = ?`
  package func write(_ columns: [String], in table: String) -> SQLStatement {
    let assignments = columns.map { "\(name: $0) = \(.parameter)" as SQLFragment }
    let statement: SQLFragment = """
      UPDATE main.\(name: table) SET \(assignments.joined(by: ", ")) \
      WHERE \(name: row.key) = \(.parameter)
      """
    return statement.rendered(in: dialect)
  }

  /// Finds rows of an entity without the required value or link of a column.
  package func missing(
    _ path: String, in column: String, of entity: Int, _ kind: MigrationProblem.Kind
  ) -> MigrationCheck {
    let table = side.table(side.place(ofEntity: entity))
    let name = side.model.shape(numbered: entity).name
    return MigrationCheck(
      kind: kind, entity: name, property: path,
      rows: """
        SELECT \(name: row.key) AS k FROM main.\(name: table.name) \
        WHERE \(name: column) IS NULL AND \(name: row.entity) = \(number(of: entity))
        """,
      sentence: CountedSentence(
        "object of \(name) has", "objects of \(name) have",
        " no \(path), which is required, after the migration's code ran. Set it there, or make it optional."
      ))
  }

  /// Finds rows that share the values of a uniqueness constraint with others.
  package func duplicates(_ names: [String], of entity: Int) -> MigrationCheck? {
    let shape = side.model.shape(numbered: entity)
    let table = side.layout.table(ofEntity: entity)
    let slots = names.compactMap { shape.slot(named: $0) }
    guard slots.count == names.count, !slots.isEmpty else { return nil }
    let columns = slots.map { "\(name: table.columns[$0].name)" as SQLFragment }
    let isSet = columns.map { "\($0) IS NOT NULL" as SQLFragment }
    return MigrationCheck(
      kind: .duplicates, entity: shape.name,
      property: names.joined(separator: ", "),
      rows: """
        SELECT k FROM (SELECT \(name: row.key) AS k, \
        COUNT(*) OVER (PARTITION BY \(columns.joined(by: ", "))) AS n \
        FROM main.\(name: table.name) WHERE \(isSet.joined(by: " AND "))) WHERE n > 1
        """,
      sentence: CountedSentence(
        "object of \(shape.name) shares its", "objects of \(shape.name) share their",
        " \(names.joined(separator: ", ")) with another after the migration's code ran, and it is unique. Change it there."
      ))
  }

  private func number(of entity: Int) -> SQLFragment { "\(sql: String(side.number(entity)))" }
}

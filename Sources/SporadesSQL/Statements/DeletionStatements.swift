// SPDX-License-Identifier: MIT
package import SporadesModel

/// The statements of a batch that deletes rows and carries out the delete rules.
///
/// The batch first collects the keys of all rows to delete in one temporary table per inheritance tree. Every
/// later statement reads these keys, and so the predicate of the batch is evaluated once.
package struct DeletionStatements {
  private let layout: StoreLayout
  private let model: ManagedObjectModel
  private let dialect: any SQLDialect

  package init(_ layout: StoreLayout, _ model: ManagedObjectModel, _ dialect: any SQLDialect) {
    self.layout = layout
    self.model = model
    self.dialect = dialect
  }

  private var row: LayoutNames.Row { layout.names.row }
  private func rendered(_ fragment: SQLFragment) -> SQLStatement { fragment.rendered(in: dialect) }
  private func place(_ entity: Int) -> Int { layout.tablesByEntity[entity - 1] }
  private func tableName(_ place: Int) -> String { layout.tables[place].name }

  /// The name of the temporary table with the keys of a table's rows.
  private func doomed(_ place: Int) -> SQLFragment { "\(sql: dialect.doomed(place))" }

  // MARK: - The rows to delete

  package func makeKeys(_ place: Int) -> SQLStatement {
    rendered(
      """
      CREATE TEMP TABLE IF NOT EXISTS SPORADES_DOOMED_\(sql: String(place)) \
      (ID INTEGER PRIMARY KEY, ENTITY INTEGER, VERSION INTEGER)
      """)
  }

  package func forgetKeys(_ place: Int) -> SQLStatement {
    rendered("DELETE FROM \(doomed(place)) WHERE 1")
  }

  /// Adds the rows of a selection.
  package func add(_ rows: SQLFragment, to place: Int) -> SQLStatement {
    rendered("INSERT OR IGNORE INTO \(doomed(place)) \(rows)")
  }

  /// Adds the rows that a cascade reaches.
  package func cascade(_ rule: DeletionRule) -> SQLStatement {
    add(reached(rule), to: rule.otherPlace)
  }

  /// Keys, entities and versions of the rows that a cascade reaches.
  package func reached(_ rule: DeletionRule) -> SQLFragment {
    let columns = row.all.map { "t0.\(name: $0)" as SQLFragment }
    return
      "SELECT \(columns.joined(by: ", ")) FROM \(name: tableName(rule.otherPlace)) t0 WHERE \(isMember(rule))"
  }

  /// `SELECT 1 …`: a row that stays, and to which the rule's relationship leads.
  package func remaining(_ rule: DeletionRule) -> SQLStatement {
    rendered(
      """
      SELECT 1 FROM \(name: tableName(rule.otherPlace)) t0 \
      WHERE \(isMember(rule)) AND \(stays(rule.otherPlace)) LIMIT 1
      """)
  }

  /// Keys, entities and versions of the rows to delete.
  package func keys(_ place: Int) -> SQLStatement {
    rendered("SELECT ID, ENTITY, VERSION FROM \(doomed(place)) ORDER BY ID")
  }

  // MARK: - The rows that stay

  /// Key and entity of the rows that lose a member. They do not change.
  package func owners(_ rule: DeletionRule) -> SQLStatement {
    rendered(
      """
      SELECT t0.\(name: row.key), t0.\(name: row.entity) \
      FROM \(name: tableName(rule.otherPlace)) t0 WHERE \(isMember(rule)) AND \(stays(rule.otherPlace))
      """)
  }

  /// Sets the references of a table to rows that the batch deletes to nil, and returns key and entity of each
  /// changed row.
  package func nullify(_ rules: [DeletionRule], in place: Int) -> SQLStatement {
    var settings: [SQLFragment] = []
    for rule in rules {
      let condition = isMember(rule)
      for column in rule.cleared(in: layout.tables[place]) {
        settings.append(
          rules.count == 1
            ? "\(name: column) = NULL"
            : "\(name: column) = CASE WHEN \(condition) THEN NULL ELSE t0.\(name: column) END")
      }
    }
    return rendered(
      """
      UPDATE \(name: tableName(place)) AS t0 SET \(settings.joined(by: ", ")), \
      \(name: row.version) = t0.\(name: row.version) + 1 \
      WHERE (\(rules.map(isMember).joined(by: " OR "))) AND \(stays(place)) \
      RETURNING \(name: row.key), \(name: row.entity)
      """)
  }

  // MARK: - Deletions

  package func unlink(_ join: Int, isFirst: Bool, _ place: Int) -> SQLStatement {
    let table = layout.joins[join]
    return rendered(
      """
      DELETE FROM \(name: table.name) \
      WHERE \(name: isFirst ? table.first : table.second) IN (SELECT ID FROM \(doomed(place)))
      """)
  }

  package func delete(_ place: Int) -> SQLStatement {
    rendered(
      """
      DELETE FROM \(name: tableName(place)) \
      WHERE \(name: row.key) IN (SELECT ID FROM \(doomed(place)))
      """)
  }

  // MARK: - Conditions on the row t0

  private func stays(_ place: Int) -> SQLFragment {
    "NOT EXISTS (SELECT 1 FROM \(doomed(place)) WHERE ID = t0.\(name: row.key))"
  }

  /// The rule's relationship leads from a row to delete to the row t0.
  private func isMember(_ rule: DeletionRule) -> SQLFragment {
    let key: SQLFragment = "t0.\(name: row.key)"
    switch rule.link {
    case .own(let slot):
      let column = layout.tables[rule.place].columns[slot].name
      return """
        \(key) IN (SELECT o.\(name: column) FROM \(name: tableName(rule.place)) o \
        WHERE o.\(name: row.key) IN (\(sources(rule))))
        """
    case .others(let slot, _):
      let column = layout.tables[rule.otherPlace].columns[slot].name
      return "t0.\(name: column) IN (\(sources(rule)))"
    case .join(let index, let isFirst):
      let join = layout.joins[index]
      let (near, far) = isFirst ? (join.first, join.second) : (join.second, join.first)
      return """
        \(key) IN (SELECT j.\(name: far) FROM \(name: join.name) j \
        WHERE j.\(name: near) IN (\(sources(rule))))
        """
    }
  }

  /// The keys of the rows to delete whose entity has the relationship.
  private func sources(_ rule: DeletionRule) -> SQLFragment {
    guard let entities = rule.entities else { return "SELECT ID FROM \(doomed(rule.place))" }
    let marks = entities.map(layout.entityMark).joined(separator: ", ")
    return "SELECT ID FROM \(doomed(rule.place)) WHERE ENTITY IN (\(sql: marks))"
  }
}

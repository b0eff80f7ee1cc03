// SPDX-License-Identifier: MIT

/// The statements about the table with the largest reserved keys.
package struct CounterStatements: Sendable {
  private let names: LayoutNames.Counters
  private let dialect: any SQLDialect

  package init(_ names: LayoutNames, _ dialect: any SQLDialect) {
    self.names = names.counters
    self.dialect = dialect
  }

  private func rendered(_ fragment: SQLFragment) -> SQLStatement { fragment.rendered(in: dialect) }

  /// `SELECT name, entity FROM counters LIMIT 65536`
  package func numbers(limit: Int) -> SQLStatement {
    rendered(
      """
      SELECT \(name: names.name), \(name: names.entity) FROM \(name: names.table) \
      LIMIT \(sql: String(limit))
      """)
  }

  /// `SELECT entity, name, parent FROM counters WHERE entity < 16001 ORDER BY entity LIMIT 65536`
  package func entities(below bound: Int, limit: Int) -> SQLStatement {
    rendered(
      """
      SELECT \(name: names.entity), \(name: names.name), \(name: names.parent) \
      FROM \(name: names.table) WHERE \(name: names.entity) < \(.integer(Int64(bound))) \
      ORDER BY \(name: names.entity) LIMIT \(sql: String(limit))
      """)
  }

  /// `SELECT COUNT(*) FROM counters WHERE entity = 3`
  package func count(_ entity: Int64) -> SQLStatement {
    rendered(
      "SELECT COUNT(*) FROM \(name: names.table) WHERE \(name: names.entity) = \(.integer(entity))")
  }

  /// `SELECT maximum FROM counters WHERE entity = 3`
  package func maximum(of entity: Int64) -> SQLStatement {
    rendered(
      """
      SELECT \(name: names.maximum) FROM \(name: names.table) \
      WHERE \(name: names.entity) = \(.integer(entity))
      """)
  }

  /// `INSERT INTO counters (entity, name, parent, maximum) VALUES (3, 'Pet', 0, 0)`
  package func add(_ entity: Int, name: String, parent: Int) -> SQLStatement {
    let columns = [names.entity, names.name, names.parent, names.maximum]
    return rendered(
      """
      INSERT INTO \(name: names.table) (\(names: columns)) VALUES (\(.integer(Int64(entity))), \
      \(.text(name)), \(.integer(Int64(parent))), \(.integer(0)))
      """)
  }

  /// `UPDATE counters SET maximum = ? WHERE entity = ? AND (maximum IS NULL OR maximum < ?)`
  ///
  /// The first parameter and the last are the new maximum.
  package var raise: SQLStatement {
    rendered(
      """
      UPDATE \(name: names.table) SET \(name: names.maximum) = \(.parameter) \
      WHERE \(name: names.entity) = \(.parameter) \
      AND (\(name: names.maximum) IS NULL OR \(name: names.maximum) < \(.parameter))
      """)
  }

  /// `UPDATE counters SET maximum = 9 WHERE entity = 3`. A given `former` is the required present maximum.
  package func set(
    _ maximum: Int64, of entity: Int64, from former: Int64? = nil
  ) -> SQLStatement {
    let condition: SQLFragment =
      former.map { " AND \(name: names.maximum) = \(.integer($0))" } ?? ""
    return rendered(
      """
      UPDATE \(name: names.table) SET \(name: names.maximum) = \(.integer(maximum)) \
      WHERE \(name: names.entity) = \(.integer(entity))\(condition)
      """)
  }
}

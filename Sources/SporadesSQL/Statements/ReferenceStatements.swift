// SPDX-License-Identifier: MIT

/// The statements that select rows by the key in one of their references.
package struct ReferenceStatements {
  private let entity: EntityStatements
  private let reference: String
  private let order: String

  /// `position` is the slot with the places that order the rows of one owner.
  package init(
    _ entity: EntityStatements, slot: Int, position: Int?, _ layout: StoreLayout
  ) {
    let columns = layout.tables[entity.table].columns
    func name(_ slot: Int) -> String { "t0.\(entity.dialect.quoted(columns[slot].name))" }
    self.entity = entity
    reference = name(slot)
    let ofEntity = entity.hasSubentities ? entity.entityColumn : nil
    order = [reference, position.map(name), ofEntity, entity.key].compactMap(\.self)
      .joined(separator: ", ")
  }

  private func rendered(_ fragment: SQLFragment) -> SQLStatement {
    fragment.rendered(in: entity.dialect)
  }

  /// `SELECT … FROM pet t0 WHERE t0.owner IN (…) ORDER BY t0.owner, t0.owner_order, t0.id`
  package func select(_ owners: KeyGroups.Group) -> SQLStatement {
    rendered(
      """
      \(entity.selection) WHERE \(sql: entity.familyFilter)\(owners.condition(reference)) \
      ORDER BY \(sql: order)
      """)
  }

  /// Selects the rows of a range of owners, in the order of the table.
  package var scan: SQLStatement { rendered(scanned) }

  /// Selects the same rows, limited to a range of their keys. Its bounds follow those of the owners.
  package var scanOfStretch: SQLStatement {
    rendered("\(scanned) AND \(sql: entity.key) BETWEEN \(.parameter) AND \(.parameter)")
  }

  /// The plus keeps the database from the index, so that it reads the table in its own order.
  private var scanned: SQLFragment {
    """
    \(entity.selection) WHERE \(sql: entity.familyFilter)+\(sql: reference) \
    BETWEEN \(.parameter) AND \(.parameter)
    """
  }

  /// `SELECT COUNT(*) FROM pet t0 WHERE t0.owner = ?`
  package var count: SQLStatement {
    rendered(
      "SELECT COUNT(*) FROM \(sql: entity.tableName) t0 WHERE \(sql: reference) = \(.parameter)")
  }
}

// SPDX-License-Identifier: MIT

/// The statements that read rows by the key they refer to in one slot.
package struct ReferenceStatements {
  private let entity: EntityStatements
  private let reference: SQLFragment
  private let order: SQLFragment

  /// `position` is the slot of the places in which the rows of one owner are ordered.
  package init(
    _ entity: EntityStatements, slot: Int, position: Int?, _ layout: StoreLayout
  ) {
    let columns = layout.tables[entity.table].columns
    self.entity = entity
    reference = "t0.\(name: columns[slot].name)"
    let place = position.map { "t0.\(name: columns[$0].name)" as SQLFragment }
    let ofEntity = entity.hasSubentities ? "\(sql: entity.entityColumn)" as SQLFragment : nil
    order = [reference, place, ofEntity, "\(sql: entity.key)"].compactMap(\.self).joined(by: ", ")
  }

  private func rendered(_ fragment: SQLFragment) -> SQLStatement {
    fragment.rendered(in: entity.dialect)
  }

  /// `SELECT … FROM pet t0 WHERE t0.owner IN (…) ORDER BY t0.owner, t0.owner_order, t0.id`
  package func select(_ owners: KeyGroups.Group) -> SQLStatement {
    rendered(
      """
      \(entity.selection) WHERE \(entity.familyFilter)\(owners.condition(reference)) \
      ORDER BY \(order)
      """)
  }

  /// The rows of a range of owners, in the order of the table.
  package var scan: SQLStatement { rendered(scanned) }

  /// The same, of rows whose keys are in a range: its bounds follow those of the owners.
  package var scanOfStretch: SQLStatement {
    rendered("\(scanned) AND \(sql: entity.key) BETWEEN \(.parameter) AND \(.parameter)")
  }

  /// The plus keeps a database from the index, and it reads the table in its own order.
  private var scanned: SQLFragment {
    """
    \(entity.selection) WHERE \(entity.familyFilter)+\(reference) \
    BETWEEN \(.parameter) AND \(.parameter)
    """
  }

  /// `SELECT COUNT(*) FROM pet t0 WHERE t0.owner = ?`
  package var count: SQLStatement {
    rendered(
      "SELECT COUNT(*) FROM \(sql: entity.tableName) t0 WHERE \(reference) = \(.parameter)")
  }
}

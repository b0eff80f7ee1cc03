// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// Damage between rows: both sides of links, unique values, and orders.
extension IntegrityStatements {
  /// The checks of links between one object and one other. Each of the two rows names the other one.
  package func checksOfSides(in table: StoreLayout.Table) -> [Check] {
    relationships(in: table).compactMap { shape, relationship in
      guard case .reference(let slot, _) = relationship.storage, relationship.isStored,
        !relationship.hasTransientInverse, let name = relationship.inverseName,
        case .relationship(let inverse)? = model.shape(numbered: relationship.destination)[name],
        case .reference(let back, _) = inverse.storage
      else { return nil }
      return checkOfSides(
        Sides(
          name: relationship.name, table: table, column: table.columns[slot],
          other: layout.table(ofEntity: relationship.destination), back: back))
    }
  }

  private struct Sides {
    let name: String
    let table: StoreLayout.Table
    let column: StoreLayout.Column
    let other: StoreLayout.Table
    /// The slot of the other row that leads back.
    let back: Int
  }

  private func checkOfSides(_ sides: Sides) -> Check {
    let (table, other) = (sides.table.name, sides.other.name)
    let back = sides.other.columns[sides.back]
    let reference: SQLFragment = "\(name: sides.column.name)"
    var way: SQLFragment = "\(name: back.name) = o.\(name: row.key)"
    if let entity = back.entityColumn { way = "\(way), \(name: entity) = o.\(name: row.entity)" }
    // An object that two others name belongs to neither.
    let mending: SQLFragment = """
      UPDATE \(name: other) AS d SET \(way) FROM \(name: table) o \
      WHERE o.\(reference) = d.\(name: row.key) AND d.\(name: back.name) IS NULL \
      AND NOT EXISTS (SELECT 1 FROM \(name: table) x WHERE x.\(reference) = o.\(reference) \
      AND x.\(name: row.key) <> o.\(name: row.key))
      """
    return check(
      .oneSidedLink, of: sides.table.rootEntity, sides.name,
      from: """
        \(name: table) o JOIN \(name: other) d ON d.\(name: row.key) = o.\(reference) \
        WHERE d.\(name: back.name) \(.different) o.\(name: row.key)
        """,
      "links in \(table).\(sides.column.name) do not lead back in \(other).\(back.name)",
      mending: mending)
  }

  /// The relationships that the entities of a table's tree declare.
  private func relationships(
    in table: StoreLayout.Table
  ) -> [(EntityShape, RelationshipShape)] {
    model.shape(numbered: table.rootEntity).family.flatMap { number in
      let shape = model.shape(numbered: number)
      return shape.relationships.filter { $0.entity == number }.map { (shape, $0) }
    }
  }

  // MARK: - Unique values

  /// The checks of uniqueness constraints. A file whose index for one is missing may hold equal values.
  package func checksOfConstraints(in table: StoreLayout.Table) -> [Check] {
    model.shape(numbered: table.rootEntity).family.flatMap { number in
      let shape = model.shape(numbered: number)
      return shape.description.uniquenessConstraints.compactMap {
        checkOfConstraint($0, of: shape, in: table)
      }
    }
  }

  private func checkOfConstraint(
    _ names: [String], of shape: EntityShape, in table: StoreLayout.Table
  ) -> Check? {
    let slots = names.compactMap { shape.slot(named: $0) }
    guard slots.count == names.count, !slots.isEmpty else { return nil }
    let columns = slots.map { "\(name: table.columns[$0].name)" as SQLFragment }
    let isSet = columns.map { "\($0) IS NOT NULL" as SQLFragment }.joined(by: " AND ")
    let isEqual = columns.map { "g.\($0) = o.\($0)" as SQLFragment }.joined(by: " AND ")
    let list = columns.joined(by: ", ")
    let family = "\(name: row.entity) IN (\(sql: numbers(ofFamily: shape.number)))" as SQLFragment
    let groups: SQLFragment = """
      SELECT \(list) FROM \(name: table.name) WHERE \(isSet) AND \(family) \
      GROUP BY \(list) HAVING COUNT(*) > 1
      """
    return check(
      .duplicateValue, of: table.rootEntity, names.joined(separator: ", "),
      from: "\(name: table.name) o JOIN (\(groups)) g ON \(isEqual) WHERE o.\(family)",
      "objects of \(shape.name) share their \(names.joined(separator: ", ")) with others, and it is unique"
    )
  }

  // MARK: - Orders

  /// The checks of ordered relationships whose members name their owner.
  package func checksOfOrders(in table: StoreLayout.Table) -> [Check] {
    relationships(in: table).compactMap { shape, relationship in
      guard case .inverseReference(let slot, let position?) = relationship.storage else {
        return nil
      }
      let members = layout.table(ofEntity: relationship.destination)
      return checkOfOrder(
        Order(
          table: members.name, key: row.key, owner: members.columns[slot].name,
          position: members.columns[position].name), relationship.name, of: table)
    }
  }

  /// The columns that hold the order of the members of each owner.
  struct Order {
    let table: String
    /// The column that decides between equal positions.
    let key: String
    let owner: String
    let position: String

    /// The owners that have two members with one position.
    fileprivate var owners: SQLFragment {
      """
      SELECT DISTINCT h FROM (SELECT \(name: owner) AS h, \(name: position) AS p FROM \(name: table) \
      WHERE \(name: owner) IS NOT NULL GROUP BY h, p HAVING COUNT(*) > 1)
      """
    }
  }

  func checkOfOrder(
    _ order: Order, _ property: String, of owners: StoreLayout.Table
  ) -> Check {
    // The new positions are in the order that reads show.
    let mending: SQLFragment = """
      UPDATE \(name: order.table) AS d SET \(name: order.position) = n.place FROM (\
      SELECT \(name: order.owner) AS h, \(name: order.key) AS k, 1024 * ROW_NUMBER() OVER (\
      PARTITION BY \(name: order.owner) ORDER BY \(name: order.position), \(name: order.key)) AS place \
      FROM \(name: order.table) WHERE \(name: order.owner) IN (\(order.owners))) n \
      WHERE n.k = d.\(name: order.key) AND n.h = d.\(name: order.owner)
      """
    return check(
      .sharedPosition, of: owners.rootEntity, property,
      from: "\(name: owners.name) o JOIN (\(order.owners)) g ON g.h = o.\(name: row.key)",
      "objects have members of \(property) that share a position in \(order.table).\(order.position)",
      mending: mending)
  }
}

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
        relationship.name, table, slot, layout.table(ofEntity: relationship.destination), back)
    }
  }

  /// The slots are those of a row of the first table and of the row that leads back.
  private func checkOfSides(
    _ relationship: String, _ table: StoreLayout.Table, _ slot: Int, _ others: StoreLayout.Table,
    _ backSlot: Int
  ) -> Check {
    let (column, other, back) = (table.columns[slot].name, others.name, others.columns[backSlot])
    let reference: SQLFragment = "\(name: column)"
    var way: SQLFragment = "\(name: back.name) = o.\(name: row.key)"
    if let entity = back.entityColumn { way = "\(way), \(name: entity) = o.\(name: row.entity)" }
    // An object that two others name belongs to neither.
    let mending: SQLFragment = """
      UPDATE \(name: other) AS d SET \(way) FROM \(name: table.name) o \
      WHERE o.\(reference) = d.\(name: row.key) AND d.\(name: back.name) IS NULL \
      AND NOT EXISTS (SELECT 1 FROM \(name: table.name) x WHERE x.\(reference) = o.\(reference) \
      AND x.\(name: row.key) <> o.\(name: row.key))
      """
    return check(
      .oneSidedLink, of: table.rootEntity, relationship,
      from: """
        \(name: table.name) o JOIN \(name: other) d ON d.\(name: row.key) = o.\(reference) \
        WHERE d.\(name: back.name) \(.different) o.\(name: row.key)
        """,
      "links in \(table.name).\(column) do not lead back in \(other).\(back.name)",
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
        in: members.name, key: row.key, owner: members.columns[slot].name,
        members.columns[position].name, relationship.name, of: table)
    }
  }

  /// Finds owners that have two members with one position. The key decides between equal positions.
  func checkOfOrder(
    in table: String, key: String, owner: String, _ position: String, _ property: String,
    of owners: StoreLayout.Table
  ) -> Check {
    let shared: SQLFragment = """
      SELECT DISTINCT h FROM (SELECT \(name: owner) AS h, \(name: position) AS p FROM \(name: table) \
      WHERE \(name: owner) IS NOT NULL GROUP BY h, p HAVING COUNT(*) > 1)
      """
    // The new positions are in the order that reads show.
    let mending: SQLFragment = """
      UPDATE \(name: table) AS d SET \(name: position) = n.place FROM (\
      SELECT \(name: owner) AS h, \(name: key) AS k, 1024 * ROW_NUMBER() OVER (\
      PARTITION BY \(name: owner) ORDER BY \(name: position), \(name: key)) AS place \
      FROM \(name: table) WHERE \(name: owner) IN (\(shared))) n \
      WHERE n.k = d.\(name: key) AND n.h = d.\(name: owner)
      """
    return check(
      .sharedPosition, of: owners.rootEntity, property,
      from: "\(name: owners.name) o JOIN (\(shared)) g ON g.h = o.\(name: row.key)",
      "objects have members of \(property) that share a position in \(table).\(position)",
      mending: mending)
  }
}

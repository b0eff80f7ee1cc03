// SPDX-License-Identifier: MIT
package import SporadesModel

/// Reads the keys and places, and no rows, of the objects that a to-many relationship leads to.
///
/// `SELECT j.owners, j.pets, t0.entity FROM owners_pets j JOIN pet t0 ON t0.id = j.pets WHERE … ORDER BY
/// j.owners, j.pets_order, j.pets`, or, where members hold their owner's key,
/// `SELECT t0.owner, t0.id FROM pet t0 WHERE … ORDER BY t0.owner, t0.owner_order, t0.id`
package struct MemberStatement {
  /// The table that holds the links.
  package let tableName: String
  /// The columns of results: the owner's key is the first, the member's the second.
  package let entityPlace: Int32?
  package let positionPlace: Int32?
  private let source: SQLFragment
  private let near: SQLFragment
  private let far: SQLFragment
  private let entity: SQLFragment?
  private let position: SQLFragment?
  /// Narrows the rows to those of the destination.
  private let family: SQLFragment
  private let dialect: any SQLDialect

  /// Nil where the relationship leads to one object, or lies in no store. `destination` is the entity it
  /// leads to.
  package init?(
    _ relationship: RelationshipShape, to destination: EntityStatements, _ layout: StoreLayout
  ) {
    let table = layout.tables[destination.table]
    switch relationship.storage {
    case .reference, .memory: return nil
    case .inverseReference(let slot, let position):
      near = "t0.\(name: table.columns[slot].name)"
      far = "\(sql: destination.key)"
      self.position = position.map { "t0.\(name: table.columns[$0].name)" }
      tableName = destination.tableName
      source = "\(sql: destination.tableName) t0"
      family = destination.familyFilter
    case .join(let index, let isFirst):
      let join = layout.joins[index]
      near = "j.\(name: isFirst ? join.first : join.second)"
      far = "j.\(name: isFirst ? join.second : join.first)"
      position = (isFirst ? join.secondPosition : join.firstPosition).map { "j.\(name: $0)" }
      tableName = join.name
      let rows: SQLFragment =
        destination.hasSubentities
        ? " JOIN \(sql: destination.tableName) t0 ON \(sql: destination.key) = \(far)" : ""
      source = "\(name: join.name) j\(rows)"
      family = ""
    }
    let hasEntity = destination.hasSubentities
    entity = hasEntity ? "\(sql: destination.entityColumn)" : nil
    entityPlace = hasEntity ? 2 : nil
    positionPlace = position == nil ? nil : hasEntity ? 3 : 2
    dialect = destination.dialect
  }

  package func select(_ owners: KeyGroups.Group) -> SQLStatement {
    let columns = [near, far] + [entity, position].compactMap(\.self)
    let order = [near] + [position, entity].compactMap(\.self) + [far]
    let statement: SQLFragment = """
      SELECT \(columns.joined(by: ", ")) FROM \(source) WHERE \(family)\(owners.condition(near)) \
      ORDER BY \(order.joined(by: ", "))
      """
    return statement.rendered(in: dialect)
  }

  /// The last place among the members of one owner; nil where they have no order.
  package var lastPosition: SQLStatement? {
    position.map { position in
      let statement: SQLFragment =
        "SELECT MAX(\(position)) FROM \(source) WHERE \(family)\(near) = \(.parameter)"
      return statement.rendered(in: dialect)
    }
  }
}

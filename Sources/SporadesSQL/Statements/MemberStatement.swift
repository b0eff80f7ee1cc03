// SPDX-License-Identifier: MIT
package import SporadesModel

/// Reads only the keys and places of the objects in a to-many relationship, without their rows.
///
/// `SELECT j.owners, j.pets, t0.entity FROM owners_pets j JOIN pet t0 ON t0.id = j.pets WHERE … ORDER BY
/// j.owners, j.pets_order, j.pets`. If the members hold their owner's key: `SELECT t0.owner, t0.id FROM pet
/// t0 WHERE … ORDER BY t0.owner, t0.owner_order, t0.id`
package struct MemberStatement {
  /// The table with the links.
  package let tableName: String
  /// The result columns: the owner's key first, then the member's key.
  package let entityPlace: Int32?
  package let positionPlace: Int32?
  private let source: String
  private let near: String
  private let far: String
  private let entity: String?
  private let position: String?
  /// Limits the rows to those of the destination entity.
  private let family: String
  private let dialect: any SQLDialect

  /// Nil for a to-one relationship and for a relationship that no store keeps. `destination` is the entity of
  /// the members.
  package init?(
    _ relationship: RelationshipShape, to destination: EntityStatements, _ layout: StoreLayout
  ) {
    let dialect = destination.dialect
    self.dialect = dialect
    switch relationship.storage {
    case .reference, .memory: return nil
    case .inverseReference(let slot, let position):
      let columns = layout.tables[destination.table].columns
      near = "t0.\(dialect.quoted(columns[slot].name))"
      far = destination.key
      self.position = position.map { "t0.\(dialect.quoted(columns[$0].name))" }
      tableName = destination.tableName
      source = "\(destination.tableName) t0"
      family = destination.familyFilter
    case .join(let index, let isFirst):
      let join = layout.joins[index]
      near = "j.\(dialect.quoted(isFirst ? join.first : join.second))"
      far = "j.\(dialect.quoted(isFirst ? join.second : join.first))"
      position = (isFirst ? join.secondPosition : join.firstPosition)
        .map { "j.\(dialect.quoted($0))" }
      tableName = join.name
      source =
        "\(dialect.quoted(join.name)) j"
        + (destination.hasSubentities
          ? " JOIN \(destination.tableName) t0 ON \(destination.key) = \(far)" : "")
      family = ""
    }
    let hasEntity = destination.hasSubentities
    entity = hasEntity ? destination.entityColumn : nil
    entityPlace = hasEntity ? 2 : nil
    positionPlace = position == nil ? nil : hasEntity ? 3 : 2
  }

  package func select(_ owners: KeyGroups.Group) -> SQLStatement {
    let columns = ([near, far] + [entity, position].compactMap(\.self)).joined(separator: ", ")
    let order = ([near] + [position, entity].compactMap(\.self) + [far]).joined(separator: ", ")
    let statement: SQLFragment = """
      SELECT \(sql: columns) FROM \(sql: source) WHERE \(sql: family)\(owners.condition(near)) \
      ORDER BY \(sql: order)
      """
    return statement.rendered(in: dialect)
  }

  /// The last place among one owner's members; nil for an unordered relationship.
  package var lastPosition: SQLStatement? {
    position.map { position in
      let statement: SQLFragment = """
        SELECT MAX(\(sql: position)) FROM \(sql: source) \
        WHERE \(sql: family)\(sql: near) = \(.parameter)
        """
      return statement.rendered(in: dialect)
    }
  }
}

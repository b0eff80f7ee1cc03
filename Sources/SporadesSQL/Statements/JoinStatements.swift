// SPDX-License-Identifier: MIT

/// The statements about the links in one join table.
package struct JoinStatements {
  private let join: StoreLayout.JoinTable
  private let dialect: any SQLDialect

  package init(_ join: StoreLayout.JoinTable, _ dialect: any SQLDialect) {
    self.join = join
    self.dialect = dialect
  }

  private func rendered(_ fragment: SQLFragment) -> SQLStatement { fragment.rendered(in: dialect) }

  private var isLink: SQLFragment {
    "\(name: join.first) = \(.parameter) AND \(name: join.second) = \(.parameter)"
  }

  /// `INSERT INTO owners_pets (owners, pets, pets_order) VALUES (?, ?, ?) ON CONFLICT (owners, pets) DO
  /// UPDATE SET pets_order = excluded.pets_order`
  ///
  /// An existing link stays and gets the new places.
  package var add: SQLStatement {
    let places = [join.firstPosition, join.secondPosition].compactMap(\.self)
    let assignments = places.map { "\(name: $0) = excluded.\(name: $0)" as SQLFragment }
    let action: SQLFragment =
      places.isEmpty ? "NOTHING" : "UPDATE SET \(assignments.joined(by: ", "))"
    return rendered(
      """
      \(.insert(into: join.name, join.columns)) \
      ON CONFLICT (\(names: [join.first, join.second])) DO \(action)
      """)
  }

  /// `SELECT 1 FROM owners_pets WHERE owners = ? AND pets = ?`
  package var isPresent: SQLStatement {
    rendered("SELECT 1 FROM \(name: join.name) WHERE \(isLink)")
  }

  /// `DELETE FROM owners_pets WHERE owners = ? AND pets = ?`
  package var remove: SQLStatement { rendered("DELETE FROM \(name: join.name) WHERE \(isLink)") }

  /// `DELETE FROM owners_pets WHERE owners = ?`
  package func removeAll(ofFirst isFirst: Bool) -> SQLStatement {
    let column = isFirst ? join.first : join.second
    return rendered("DELETE FROM \(name: join.name) WHERE \(name: column) = \(.parameter)")
  }

  /// The keys and entities of the rows that an object is linked to. The parameter is the object's key.
  ///
  /// `SELECT t.id, t.entity FROM owners_pets j JOIN pet t ON t.id = j.pets WHERE j.owners = ?`
  package func linked(
    toFirst isFirst: Bool, in table: StoreLayout.Table, _ row: LayoutNames.Row
  ) -> SQLStatement {
    let (own, other) = isFirst ? (join.first, join.second) : (join.second, join.first)
    return rendered(
      """
      SELECT t.\(name: row.key), t.\(name: row.entity) FROM \(name: join.name) j \
      JOIN \(name: table.name) t ON t.\(name: row.key) = j.\(name: other) \
      WHERE j.\(name: own) = \(.parameter)
      """)
  }

  /// `DELETE FROM owners_pets`
  package var deleteAll: SQLStatement { rendered("DELETE FROM \(name: join.name)") }

  /// `UPDATE owners_pets SET pets_order = ? WHERE owners = ? AND pets = ?`
  package func set(_ position: String) -> SQLStatement {
    rendered("UPDATE \(name: join.name) SET \(name: position) = \(.parameter) WHERE \(isLink)")
  }

  /// The place of a link, or a place after all other links of the same object. The parameters are the first
  /// key, the second key, and the key of that object, which is one of the two.
  ///
  /// `SELECT COALESCE((SELECT pets_order FROM owners_pets WHERE owners = ? AND pets = ?), (SELECT
  /// MAX(pets_order) + 1024 FROM owners_pets WHERE owners = ?))`
  package func place(
    in position: String, ofFirst isFirst: Bool, gap: Int
  ) -> SQLStatement {
    let owner = isFirst ? join.first : join.second
    return rendered(
      """
      SELECT COALESCE((SELECT \(name: position) FROM \(name: join.name) WHERE \(isLink)), \
      (SELECT MAX(\(name: position)) + \(sql: String(gap)) FROM \(name: join.name) \
      WHERE \(name: owner) = \(.parameter)))
      """)
  }
}

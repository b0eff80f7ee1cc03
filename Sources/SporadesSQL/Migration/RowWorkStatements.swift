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

  package typealias Column = (name: String, isDecimal: Bool)

  /// Reads the keys of an entity's rows, their old columns and their new ones. The old columns come from the old table,
  /// whose keys are smaller by the offset, or without one from the same row.
  package func read(
    _ entity: Int, in table: String, oldTable: (name: String, offset: Int64)?, old: [Column],
    new: [Column]
  ) -> SQLStatement {
    let former = oldTable == nil ? "n" : "o"
    func read(_ column: Column, of table: String) -> SQLFragment {
      let name = "\(table).\(dialect.quoted(column.name))"
      return "\(sql: dialect.read(name, isDecimal: column.isDecimal))"
    }
    let columns =
      ["n.\(name: row.key)"] + old.map { read($0, of: former) } + new.map { read($0, of: "n") }
    let join = oldTable.map { oldTable -> SQLFragment in
      let offset = String(oldTable.offset)
      return """
         JOIN \(sql: side.main)\(name: oldTable.name) o ON o.\(name: row.key) = n.\(name: row.key) - \(sql: offset)
        """
    }
    // An index over the entities has another order.
    let isOfEntity = dialect.unindexed("n.\(dialect.quoted(row.entity)) = \(side.mark(entity))")
    let statement: SQLFragment = """
      SELECT \(columns.joined(by: ", ")) FROM \(sql: side.main)\(name: table) n\(join ?? "") \
      WHERE \(sql: isOfEntity) ORDER BY n.\(name: row.key)
      """
    return statement.rendered(in: dialect)
  }

  /// `UPDATE pet SET name = ?, age = ? WHERE id = ?`
  package func write(_ columns: [String], in table: String) -> SQLStatement {
    let assignments = columns.map { "\(name: $0) = \(.parameter)" as SQLFragment }
    let statement: SQLFragment = """
      UPDATE \(sql: side.main)\(name: table) SET \(assignments.joined(by: ", ")) \
      WHERE \(name: row.key) = \(.parameter)
      """
    return statement.rendered(in: dialect)
  }

  /// Finds objects of entities without a required value, and with `links` those without a required link.
  package func lacks(_ shapes: [EntityShape], links: Bool = false) -> [MigrationCheck] {
    shapes.filter { side.scheme.holds($0.number) }.flatMap { shape in
      let table = side.table(side.place(ofEntity: shape.number))
      return shape.layout.slots.enumerated().compactMap { slot, declared -> MigrationCheck? in
        guard let kind = shape.lack(of: declared), links || kind != .missingLink else { return nil }
        return missing(declared.name, in: table.columns[slot].name, of: shape.number, kind)
      }
    }
  }

  /// Finds rows of an entity without the required value or link of a column.
  private func missing(
    _ path: String, in column: String, of entity: Int, _ kind: MigrationProblem.Kind
  ) -> MigrationCheck {
    let table = side.table(side.place(ofEntity: entity))
    let name = side.model.shape(numbered: entity).name
    return MigrationCheck(
      kind: kind, entity: name, property: path,
      rows: """
        SELECT \(name: row.key) AS k FROM \(sql: side.main)\(name: table.name) \
        WHERE \(name: column) IS NULL AND \(name: row.entity) = \(number(of: entity))
        """,
      sentence: CountedSentence(
        "object of \(name) has", "objects of \(name) have",
        " no \(path), which is required, after the migration's code ran. Set it there, or make it optional."
      ))
  }

  /// Finds rows of trees that share the values of a uniqueness constraint with others.
  package func duplicates(inTreesOf roots: Set<Int>) -> [MigrationCheck] {
    side.model.shapes
      .filter { roots.contains($0.rootNumber) && side.scheme.holds($0.number) }
      .flatMap { shape in
        shape.description.uniquenessConstraints.compactMap { duplicates($0, of: shape.number) }
      }
  }

  private func duplicates(_ names: [String], of entity: Int) -> MigrationCheck? {
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
        FROM \(sql: side.main)\(name: table.name) WHERE \(isSet.joined(by: " AND "))) d WHERE n > 1
        """,
      sentence: CountedSentence(
        "object of \(shape.name) shares its", "objects of \(shape.name) share their",
        " \(names.joined(separator: ", ")) with another after the migration's code ran, and it is unique. Change it there."
      ))
  }

  private func number(of entity: Int) -> SQLFragment { "\(sql: side.mark(entity))" }
}

extension EntityShape {
  /// The problem of an object without content in a slot of the tree; nil if the slot may be empty, or belongs neither to the entity
  /// nor to one above it.
  package func lack(of slot: RowLayout.Slot) -> MigrationProblem.Kind? {
    switch slot.role {
    case .attribute(let attribute):
      let name = slot.name.split(separator: ".").first.map(String.init)
      let isOwn = attributes.contains { $0.entity == slot.entity && $0.name == name }
      let needsValue =
        !attribute.isOptional && !attribute.isDerived && !mayBeAbsent(around: slot.name)
      return isOwn && needsValue ? .missingValue : nil
    case .toOne(let relationship):
      let isOwn = relationships.contains {
        $0.entity == slot.entity && $0.name == relationship.name && $0.isStored
      }
      return isOwn && !relationship.isOptional ? .missingLink : nil
    case .owner, .position: return nil
    }
  }
}

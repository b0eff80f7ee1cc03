// SPDX-License-Identifier: MIT
import SporadesModel

extension CoreDataLayout {
  /// The statements that make an empty store: `CREATE TABLE ZCAR ( Z_PK INTEGER PRIMARY KEY, … )`,
  /// joins, indexes, the table of primary keys and its rows, the table of metadata.
  package var createStatements: [String] {
    tableStatements + indexStatements + [
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
        + "Z_MAX INTEGER)",
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    ]
      + model.shapes.filter { holds($0.number) }.map { shape in
        let number = layout.storeNumber(shape.number)
        let above = shape.superNumber == 0 ? 0 : layout.storeNumber(shape.superNumber)
        return "INSERT INTO Z_PRIMARYKEY VALUES (\(number), '\(shape.name)', \(above), 0)"
      }
  }

  package var tableStatements: [String] {
    tables(held: true).map { statement(for: $0) } + joins(held: true).map { statement(for: $0) }
  }

  /// The statements that make empty tables, in a connection alone, of what the store does not hold: a
  /// predicate that leads there finds nothing.
  package var temporaryStatements: [String] {
    tables(held: false).map { statement(for: $0, "TEMP ") }
      + joins(held: false).map { statement(for: $0, "TEMP ") }
  }

  package var indexStatements: [String] {
    tables(held: true).flatMap(referenceIndexes(of:))
      + joins(held: true).map { join in
        "CREATE INDEX \(sqlName("\(join.name)_\(join.second)_INDEX")) ON \(sqlName(join.name)) "
          + "(\(sqlName(join.second)), \(sqlName(join.first)))"
      } + model.shapes.filter { holds($0.number) }.flatMap(entityIndexes(of:))
  }

  private func tables(held: Bool) -> [StoreLayout.Table] {
    layout.tables.filter { holds($0.rootEntity) == held }
  }

  private func joins(held: Bool) -> [StoreLayout.JoinTable] {
    zip(layout.joins, model.joins).filter { holds($0.1) == held }.map(\.0)
  }

  // MARK: - Tables

  private func statement(for table: StoreLayout.Table, _ kind: String = "") -> String {
    let columns = Self.columnOrder(of: table).flatMap { slot -> [String] in
      let column = table.columns[slot]
      return ["\(sqlName(column.name)) \(column.type.declaration)"]
        + (column.entityColumn.map { ["\(sqlName($0)) INTEGER"] } ?? [])
    }
    let all =
      ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"] + columns
    return "CREATE \(kind)TABLE \(sqlName(table.name)) ( \(all.joined(separator: ", ")) )"
  }

  /// The slots of a table in the order of its columns: by group of types, then by entity, then
  /// attributes before references before positions, then by name.
  private static func columnOrder(of table: StoreLayout.Table) -> [Int] {
    func place(_ slot: Int) -> (Int, Int, Int, String) {
      let column = table.columns[slot]
      let group = column.isPosition ? 2 : column.destination > 0 ? 1 : 0
      return (column.type.rank, column.entity, group, column.name)
    }
    return table.columns.indices.sorted { place($0) < place($1) }
  }

  private func statement(for join: StoreLayout.JoinTable, _ kind: String = "") -> String {
    let positions = [join.firstPosition, join.secondPosition].compactMap(\.self)
    let columns = ([join.first, join.second] + positions).map { "\(sqlName($0)) INTEGER" }
    return "CREATE \(kind)TABLE \(sqlName(join.name)) ( \(columns.joined(separator: ", ")), "
      + "PRIMARY KEY (\(sqlName(join.first)), \(sqlName(join.second))) )"
  }

  // MARK: - Indexes

  private func referenceIndexes(of table: StoreLayout.Table) -> [String] {
    let references = Self.columnOrder(of: table).map { table.columns[$0] }
      .filter { $0.destination > 0 }
    return (references.map(\.name) + (table.hasSubentities ? ["Z_ENT"] : [])).map {
      "CREATE INDEX \(sqlName("\(table.name)_\($0)_INDEX")) ON \(sqlName(table.name)) "
        + "(\(sqlName($0)))"
    }
  }

  private func entityIndexes(of shape: EntityShape) -> [String] {
    let table = layout.table(ofEntity: shape.number)
    let indexes = shape.description.indexes.compactMap { index in
      indexStatement(
        name: "Z_\(shape.name)_\(index.name)", isUnique: false, table: table, shape: shape,
        elements: index.elements
      ).map { $0 + condition(of: index, shape, table) }
    }
    let constraints = shape.description.uniquenessConstraints.compactMap { names in
      indexStatement(
        name: "Z_\(shape.name)_UNIQUE_\(names.joined(separator: "_"))", isUnique: true,
        table: table, shape: shape, elements: names.map { .init($0) })
    }
    return indexes + constraints
  }

  /// ` WHERE …` for an index over some of the rows.
  private func condition(
    of index: FetchIndexDescription, _ shape: EntityShape, _ table: StoreLayout.Table
  ) -> String {
    let condition = PartialIndexCondition { columnName(of: $0, shape, table) }
    return index.partialIndexPredicate.flatMap(condition.sql).map { " WHERE \($0)" } ?? ""
  }

  /// Nil where an element is no column: indexes over expressions and areas only speed things up.
  private func indexStatement(
    name: String, isUnique: Bool, table: StoreLayout.Table, shape: EntityShape,
    elements: [FetchIndexDescription.Element]
  ) -> String? {
    var terms: [String] = []
    for element in elements {
      guard element.collation == .binary,
        let column = columnName(of: element.property, shape, table)
      else { return nil }
      terms.append("\(sqlName(column)) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")")
    }
    guard !terms.isEmpty else { return nil }
    return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(sqlName(name)) ON \(sqlName(table.name)) "
      + "(\(terms.joined(separator: ", ")))"
  }

  private func columnName(
    of property: String, _ shape: EntityShape, _ table: StoreLayout.Table
  ) -> String? {
    switch shape[property] {
    case .attribute(let attribute): return attribute.slot.map { table.columns[$0].name }
    case .relationship(let relationship):
      guard case .reference(let slot, _) = relationship.storage else { return nil }
      return table.columns[slot].name
    case .fetched, nil:
      return ["self", "objectID"].contains(property) ? "Z_PK" : property == "entity" ? "Z_ENT" : nil
    }
  }
}

/// A name as SQL reads it: as it stands where it can, else in quotes.
package func sqlName(_ name: String) -> String {
  let isPlain = name.utf8.allSatisfy {
    $0 == 95 || $0 >= 128 || (65...90).contains($0) || (97...122).contains($0)
      || (48...57).contains($0)
  }
  guard !isPlain else { return name }
  return "\""
    + name.split(separator: "\"", omittingEmptySubsequences: false)
    .joined(separator: "\"\"") + "\""
}

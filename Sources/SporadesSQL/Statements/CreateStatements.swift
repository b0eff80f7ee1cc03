// SPDX-License-Identifier: MIT
import SporadesModel

/// The statements that create the tables of a model: `CREATE TABLE car ( id INTEGER PRIMARY KEY, … )`
package struct CreateStatements {
  private let scheme: any ModelLayout
  private let dialect: any SQLDialect
  private let layout: StoreLayout
  private let model: ManagedObjectModel

  package init(_ scheme: any ModelLayout, _ dialect: any SQLDialect) {
    self.scheme = scheme
    self.dialect = dialect
    layout = scheme.layout
    model = scheme.model
  }

  /// The statements that create an empty store: tables, joins, indexes, the table of counters with its rows,
  /// and the tables of metadata and of the model without their rows.
  package var all: [SQLStatement] {
    tables + indexes
      + ([counters, metadata] + (modelCache.map { [$0] } ?? [])).map { $0.rendered(in: dialect) }
      + model.shapes.filter { scheme.holds($0.number) }.map { shape in
        let parent = shape.superNumber == 0 ? 0 : layout.storeNumber(shape.superNumber)
        return CounterStatements(layout.names, dialect).add(
          layout.storeNumber(shape.number), name: shape.name, parent: parent)
      }
  }

  package var tables: [SQLStatement] {
    (tables(held: true).map { statement(for: $0) } + joins(held: true).map { statement(for: $0) })
      .map { $0.rendered(in: dialect) }
  }

  /// The statements that create empty temporary tables for the entities outside the store's configuration. A
  /// predicate that leads to them finds nothing.
  package var temporary: [SQLStatement] {
    (tables(held: false).map { statement(for: $0, "TEMP ") }
      + joins(held: false).map { statement(for: $0, "TEMP ") })
      .map { $0.rendered(in: dialect) }
  }

  package var indexes: [SQLStatement] {
    (tables(held: true).flatMap(referenceIndexes(of:)) + joins(held: true).map(index(of:))
      + model.shapes.filter { scheme.holds($0.number) }.flatMap(entityIndexes(of:)))
      .map { $0.rendered(in: dialect) }
  }

  private func tables(held: Bool) -> [StoreLayout.Table] {
    layout.tables.filter { scheme.holds($0.rootEntity) == held }
  }

  private func joins(held: Bool) -> [StoreLayout.JoinTable] {
    zip(layout.joins, model.joins).filter { scheme.holds($0.1) == held }.map(\.0)
  }

  // MARK: - Tables

  private var counters: SQLFragment {
    let names = layout.names.counters
    return """
      CREATE TABLE \(name: names.table) (\(name: names.entity) INTEGER PRIMARY KEY, \
      \(name: names.name) VARCHAR, \(name: names.parent) INTEGER, \(name: names.maximum) INTEGER)
      """
  }

  private var modelCache: SQLFragment? {
    layout.names.modelCache.map { names in
      "CREATE TABLE \(name: names.table) (\(name: names.contents) BLOB)"
    }
  }

  private var metadata: SQLFragment {
    let names = layout.names.metadata
    return """
      CREATE TABLE \(name: names.table) (\(name: names.version) INTEGER PRIMARY KEY, \
      \(name: names.identifier) VARCHAR(255), \(name: names.contents) BLOB)
      """
  }

  private func statement(for table: StoreLayout.Table, _ kind: String = "") -> SQLFragment {
    let row = layout.names.row
    let columns = Self.columnOrder(of: table).flatMap { slot -> [SQLFragment] in
      let column = table.columns[slot]
      return ["\(name: column.name) \(sql: column.type.declaration)"]
        + (column.entityColumn.map { ["\(name: $0) INTEGER"] } ?? [])
    }
    let all: [SQLFragment] =
      [
        "\(name: row.key) INTEGER PRIMARY KEY", "\(name: row.entity) INTEGER",
        "\(name: row.version) INTEGER",
      ] + columns
    return "CREATE \(sql: kind)TABLE \(name: table.name) ( \(all.joined(by: ", ")) )"
  }

  /// The slots of a table in the order of its columns: by type group, then by entity, then attributes before
  /// references before positions, then by name.
  private static func columnOrder(of table: StoreLayout.Table) -> [Int] {
    func place(_ slot: Int) -> (Int, Int, Int, String) {
      let column = table.columns[slot]
      let group = column.isPosition ? 2 : column.destination > 0 ? 1 : 0
      return (column.type.rank, column.entity, group, column.name)
    }
    return table.columns.indices.sorted { place($0) < place($1) }
  }

  private func statement(for join: StoreLayout.JoinTable, _ kind: String = "") -> SQLFragment {
    let columns = join.columns.map { "\(name: $0) INTEGER" as SQLFragment }
    return """
      CREATE \(sql: kind)TABLE \(name: join.name) ( \(columns.joined(by: ", ")), \
      PRIMARY KEY (\(names: [join.first, join.second])) )
      """
  }

  // MARK: - Indexes

  private func index(of join: StoreLayout.JoinTable) -> SQLFragment {
    let name = scheme.indexName(ofReference: join.second, in: join.name)
    return """
      CREATE INDEX \(name: name) ON \(name: join.name) (\(names: [join.second, join.first]))
      """
  }

  private func referenceIndexes(of table: StoreLayout.Table) -> [SQLFragment] {
    let references = Self.columnOrder(of: table).map { table.columns[$0] }
      .filter { $0.destination > 0 }
    let entity = table.hasSubentities ? [layout.names.row.entity] : []
    return (references.map(\.name) + entity).map {
      let name = scheme.indexName(ofReference: $0, in: table.name)
      return "CREATE INDEX \(name: name) ON \(name: table.name) (\(name: $0))"
    }
  }

  private func entityIndexes(of shape: EntityShape) -> [SQLFragment] {
    let table = layout.table(ofEntity: shape.number)
    let indexes = shape.description.indexes.compactMap { index in
      statement(
        forIndex: scheme.indexName(index.name, of: shape.name), on: table, shape, index.elements
      ).map { "\($0)\(condition(of: index, shape, table))" as SQLFragment }
    }
    let constraints = shape.description.uniquenessConstraints.compactMap { names in
      statement(
        forIndex: scheme.constraintName(names, of: shape.name), isUnique: true, on: table, shape,
        names.map { .init($0) })
    }
    return indexes + constraints
  }

  /// ` WHERE …` for a partial index.
  private func condition(
    of index: FetchIndexDescription, _ shape: EntityShape, _ table: StoreLayout.Table
  ) -> SQLFragment {
    let condition = PartialIndexCondition { columnName(of: $0, shape, table) }
    return index.partialIndexPredicate.flatMap(condition.sql).map { " WHERE \($0)" } ?? ""
  }

  /// Nil if an element is no column. Such an index only speeds up fetches, so the store can go without it.
  private func statement(
    forIndex name: String, isUnique: Bool = false, on table: StoreLayout.Table,
    _ shape: EntityShape, _ elements: [FetchIndexDescription.Element]
  ) -> SQLFragment? {
    var terms: [SQLFragment] = []
    for element in elements {
      guard element.collation == .binary,
        let column = columnName(of: element.property, shape, table)
      else { return nil }
      terms.append("\(name: column) COLLATE BINARY \(sql: element.isAscending ? "ASC" : "DESC")")
    }
    guard !terms.isEmpty else { return nil }
    let kind = isUnique ? "UNIQUE " : ""
    return """
      CREATE \(sql: kind)INDEX \(name: name) ON \(name: table.name) (\(terms.joined(by: ", ")))
      """
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
      let row = layout.names.row
      return switch property {
      case "self", "objectID": row.key
      case "entity": row.entity
      default: nil
      }
    }
  }
}

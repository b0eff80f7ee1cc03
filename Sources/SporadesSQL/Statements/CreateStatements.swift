// SPDX-License-Identifier: MIT
import SporadesModel

/// The statements that create the tables of a model: `CREATE TABLE car ( id INTEGER PRIMARY KEY, … )`
package struct CreateStatements {
  let scheme: any ModelLayout
  let dialect: any SQLDialect
  let layout: StoreLayout
  let model: ManagedObjectModel

  /// Takes the names from the layout of a new database, unless another layout is given.
  package init(
    _ scheme: any ModelLayout, _ dialect: any SQLDialect, in layout: StoreLayout? = nil
  ) {
    self.scheme = scheme
    self.dialect = dialect
    self.layout = layout ?? scheme.layout
    model = scheme.model
  }

  /// The statements that create an empty store: tables, joins, indexes, what the file maintains by itself, the
  /// table of counters with its rows, and the tables of metadata and of the model without their rows.
  package var all: [SQLStatement] {
    tables + indexes + scheme.upkeep(dialect)
      + ([counters, metadata] + (modelCache.map { [$0] } ?? [])).map { $0.rendered(in: dialect) }
      + model.shapes.filter { scheme.holds($0.number) }.map { shape in
        let parent = shape.superNumber == 0 ? 0 : layout.storeNumber(shape.superNumber)
        return CounterStatements(layout.names, dialect).add(
          layout.storeNumber(shape.number), name: shape.name, parent: parent)
      }
  }

  /// The tables, each followed by the joins to which its entities give the name.
  package var tables: [SQLStatement] {
    let joins = joins
    return tables(held: true).flatMap { table in
      [statement(for: table)] + (joins[table.rootEntity] ?? []).map { statement(for: $0) }
    }.map { $0.rendered(in: dialect) }
  }

  /// The statements that create empty temporary tables for the entities outside the store's configuration. A
  /// predicate that leads to them finds nothing.
  package var temporary: [SQLStatement] {
    let joins = zip(layout.joins, model.joins).filter { !scheme.holds($0.1) }.map(\.0)
    return
      (tables(held: false).map { statement(for: $0, "TEMP ") }
      + joins.map { statement(for: $0, "TEMP ") })
      .map { $0.rendered(in: dialect) }
  }

  func tables(held: Bool) -> [StoreLayout.Table] {
    layout.tables.filter { scheme.holds($0.rootEntity) == held }
  }

  /// The joins of the store, by the root of the entity that gives the name.
  var joins: [Int: [StoreLayout.JoinTable]] {
    let held = zip(layout.joins, model.joins).filter { scheme.holds($0.1) }
    return Dictionary(grouping: held) { model.shape(numbered: $0.1.first.entity).rootNumber }
      .mapValues { $0.map(\.0) }
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

  /// `CREATE TABLE Z_5PETS ( Z_4OWNERS INTEGER, Z_5PETS INTEGER, PRIMARY KEY (Z_4OWNERS, Z_5PETS) )`
  package func creation(of join: StoreLayout.JoinTable) -> SQLStatement {
    statement(for: join).rendered(in: dialect)
  }

  private func statement(for table: StoreLayout.Table, _ kind: String = "") -> SQLFragment {
    let row = layout.names.row
    let columns = columnOrder(of: table).flatMap { slot -> [SQLFragment] in
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

  /// The slots of a table in the order of its columns: by type group; positions last; then by entity, then
  /// attributes before references before owners; then by the names in the model, whose capitals come first.
  func columnOrder(of table: StoreLayout.Table) -> [Int] {
    let slots = model.shape(numbered: table.rootEntity).layout.slots
    let places = slots.indices.map { slot -> (Int, Int, Int, Int, String) in
      let column = table.columns[slot]
      let name = slots[slot].name.split(separator: ".").last.map(String.init) ?? ""
      return (column.type.rank, column.isPosition ? 1 : 0, column.entity, group(slots[slot]), name)
    }
    return slots.indices.sorted { places[$0] < places[$1] }
  }

  private func group(_ slot: RowLayout.Slot) -> Int {
    switch slot.role {
    case .attribute, .position: 0
    case .toOne: 1
    case .owner: 2
    }
  }

  private func statement(for join: StoreLayout.JoinTable, _ kind: String = "") -> SQLFragment {
    let columns = join.columns.map { "\(name: $0) INTEGER" as SQLFragment }
    return """
      CREATE \(sql: kind)TABLE \(name: join.name) ( \(columns.joined(by: ", ")), \
      PRIMARY KEY (\(names: [join.first, join.second])) )
      """
  }
}

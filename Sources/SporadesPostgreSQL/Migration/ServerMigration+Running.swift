// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// Runs a migration step by step. A table that gets another name, or is written again, is first parked under a name
// that no table has, so that tables can exchange their names.
extension ServerMigration {
  /// Changes the tables. The caller has asked for the problems.
  func run() throws(StoreError) {
    let parts = try PartChanges(self)
    // The triggers of a search index name columns that may go. The index is made again before the next search.
    try connection.run("DROP FUNCTION IF EXISTS \(ServerLayout.noting) CASCADE")
    // A table cannot be altered while a constraint of it waits for the end of the transaction.
    try connection.run("SET CONSTRAINTS ALL IMMEDIATE")
    for fill in changes.fills { try run(fill.collecting) }
    try run(parts.removals)
    let parked = try park()
    for (index, change) in tables.enumerated() {
      try run(change, parked)
      progress.advance(to: 0.8 * Double(index + 1) / Double(tables.count + 1))
    }
    for change in joins { try run(change, parked) }
    try code.runRework?(self, parked)
    for name in parked.gone { try run("DROP TABLE \(name: name)") }
    for fill in changes.fills { try run(fill.filling) }
    try run(LinksToNothing(succession).statements)
    try runDerivedFills()
    try code.checkRework?(self)
    try run(parts.repairs)
    try run(parts.additions)
    try renumber()
    progress.advance(to: 0.95)
  }

  private func run(_ fragments: [SQLFragment]) throws(StoreError) {
    for fragment in fragments { try run(fragment) }
  }

  func run(_ fragment: SQLFragment) throws(StoreError) {
    try connection.run(fragment.rendered(in: dialect))
  }

  private func run(_ statements: [String]) throws(StoreError) {
    for statement in statements { try connection.run(statement) }
  }

  // MARK: - Names

  /// The old tables under their passing names.
  struct Parked {
    /// The passing names by the old names.
    var tables: [String: String] = [:]
    /// The passing names of the tables that go.
    var gone: [String] = []
  }

  /// The new names of the tables that stay, by their old names, and those of their columns.
  var stayingNames: (tables: [String: String], columns: [String: [String: String]]) {
    var (tables, columns): ([String: String], [String: [String: String]]) = ([:], [:])
    for change in self.tables {
      guard case .altered(let alteration) = change.form else { continue }
      tables[alteration.oldName] = change.name
      columns[alteration.oldName] = alteration.renamed
    }
    for change in joins {
      guard case .renamed(let index, let names) = change.form else { continue }
      let name = succession.old.layout.joins[index].name
      tables[name] = change.table.name
      columns[name] = names
    }
    return (tables, columns)
  }

  private func park() throws(StoreError) -> Parked {
    let staying = stayingNames.tables
    var parked = Parked()
    for name in Self.tableNames(old) where staying[name] != name {
      let passing = "sporades_passing_\(parked.tables.count)"
      try connection.run(statements.rename(name, to: passing))
      parked.tables[name] = passing
      if staying[name] == nil { parked.gone.append(passing) }
    }
    return parked
  }

  /// Renames columns, which can exchange their names.
  private func rename(_ columns: [String: String], of table: String) throws(StoreError) {
    let order = columns.sorted { $0.key < $1.key }
    for (place, names) in order.enumerated() {
      try connection.run(
        statements.rename(names.key, of: table, to: "sporades_passing_\(place)"))
    }
    for (place, names) in order.enumerated() {
      try connection.run(
        statements.rename("sporades_passing_\(place)", of: table, to: names.value))
    }
  }

  // MARK: - Tables

  private func run(_ change: TableChange, _ parked: Parked) throws(StoreError) {
    switch change.form {
    case .made: try create(change)
    case .altered(let alteration): try alter(change, alteration, parked)
    case .rewritten:
      try create(change)
      for piece in change.pieces {
        let name = succession.old.table(piece.old).name
        try connection.run(
          statements.copy(piece, change, from: parked.tables[name] ?? name, [:], others: []))
      }
    }
  }

  private func create(_ change: TableChange) throws(StoreError) {
    try connection.run(ServerSchema(new).creation(of: succession.new.table(change.place)))
  }

  private func alter(
    _ change: TableChange, _ alteration: TableChange.Alteration, _ parked: Parked
  ) throws(StoreError) {
    if let passing = parked.tables[alteration.oldName] {
      try connection.run(statements.rename(passing, to: change.name))
    }
    try rename(alteration.renamed, of: change.name)
    var written = alteration
    for index in alteration.added {
      if try add(change.columns[index], to: change) { written.computed.removeAll { $0 == index } }
    }
    if let statement = statements.removeGone(alteration, from: change.name) {
      try connection.run(statement)
    }
    if let statement = statements.update(change, written, in: change.name) {
      try connection.run(statement)
    }
    if !isReworked(change.place) { try dropLeft(alteration, of: change.name) }
  }

  /// Drops the columns that the newer version lacks.
  func dropLeft(_ alteration: TableChange.Alteration, of table: String) throws(StoreError) {
    for column in alteration.left {
      try connection.run(
        MigrationStatements.drop(column: column, of: table, schema: "", dialect))
    }
  }

  /// Adds a column. True if all rows have their value in it then, because the server keeps a constant once for all of them.
  private func add(
    _ column: MigratedColumn, to change: TableChange
  ) throws(StoreError) -> Bool {
    let constant = constant(column, change)
    let (table, name) = (dialect.quoted(change.name), dialect.quoted(column.name))
    try connection.run(
      "ALTER TABLE \(table) ADD COLUMN \(name) \(column.declaration)"
        + (constant.map { " DEFAULT \($0)" } ?? ""))
    guard constant != nil else { return false }
    try connection.run("ALTER TABLE \(table) ALTER COLUMN \(name) DROP DEFAULT")
    return true
  }

  /// The constant that all rows get in a new column; nil if they get others, or none.
  func constant(_ column: MigratedColumn, _ change: TableChange) -> String? {
    guard let piece = change.pieces.first,
      case .computed(let value, over: nil) = column.content(piece)
    else { return nil }
    let table = succession.new.table(change.place)
    let slots = succession.new.model.shape(numbered: table.rootEntity).layout.slots
    guard let slot = table.columns.firstIndex(where: { $0.name == column.name }),
      case .attribute(let attribute) = slots[slot].role
    else { return nil }
    let constant = ServerMigrationWords().constant(attribute.defaultValue, attribute.type)
    return value == constant ? constant.text(in: dialect) : nil
  }

  private func run(_ change: JoinChange, _ parked: Parked) throws(StoreError) {
    switch change.form {
    case .made, .filled: try connection.run(ServerSchema(new).creation(of: change.table))
    case .renamed(let old, let columns):
      if let passing = parked.tables[succession.old.layout.joins[old].name] {
        try connection.run(statements.rename(passing, to: change.table.name))
      }
      try rename(columns, of: change.table.name)
    }
  }

  // MARK: - Numbers

  /// Gives each new table a counter that covers its keys, and removes those of entities that have no table any more.
  private func renumber() throws(StoreError) {
    let counters = ServerLayout.names.counters
    let roots = succession.new.tables.map { place in
      (
        succession.new.model.shape(numbered: succession.new.table(place).rootEntity).name,
        largestKey(inTable: place)
      )
    }
    try connection.run(
      "DELETE FROM \(counters.table) WHERE NOT \(counters.entity) = ANY($1)",
      [.list(.text, roots.map { .text($0.0) })])
    for (name, largest) in roots {
      try connection.run(
        "INSERT INTO \(counters.table) AS k (\(counters.entity), \(counters.maximum)) VALUES ($1, $2) "
          + "ON CONFLICT (\(counters.entity)) DO UPDATE SET \(counters.maximum) = GREATEST(k.\(counters.maximum), $2)",
        [.text(name), .int8(largest)])
    }
  }
}

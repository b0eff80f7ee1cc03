// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Runs the program's code for the rows of one entity in a table that was changed, row by row.
///
/// The old values come from the old table, or from the same row where the table was altered and holds them still.
struct RowWorker {
  private let connection: Connection
  private let succession: RowSuccession
  private let change: TableChange
  private let shape: EntityShape
  private let source: EntityShape
  /// The present name of the old table; nil if the new one took its place.
  private let oldTable: String?
  /// The present names of the old table's columns that were renamed.
  private let renamed: [String: String]
  private let files: LargeValueMigration
  private let statements = RowStatements()

  init(
    _ connection: Connection, _ succession: RowSuccession, _ change: TableChange, _ entity: Int,
    from source: Int, oldTable: String?, renamed: [String: String], _ files: LargeValueMigration
  ) {
    self.connection = connection
    self.succession = succession
    self.change = change
    shape = succession.new.model.shape(numbered: entity)
    self.source = succession.old.model.shape(numbered: source)
    self.oldTable = oldTable
    self.renamed = renamed
    self.files = files
  }

  /// A step of the work between two looks at the progress.
  private static let rowsBetweenLooks = 1_024

  func run(_ work: [RowWork], _ pace: RowPace) throws(StoreError) {
    let old = fields(of: source, in: succession.old, after: 1, renamed: renamed)
    let new = fields(of: shape, in: succession.new, after: 1 + old.columns.count, renamed: [:])
    let former = oldTable.map { (name: $0, offset: succession.offset(of: source.number)) }
    let reading = RowWorkStatements(succession.new, SQLiteDialect()).read(
      shape.number, in: change.name, oldTable: former, old: old.columns, new: new.columns)
    let rows = try Statement(reading, on: connection)
    defer { rows.finalize() }
    defer { statements.finalize() }
    let row = MigratedRow(shape.name, old: old.fields, new: new.fields) {
      [files] (field) throws(MigratedRow.Unreadable) in
      let stored = rows.value(Int32(field.column))
      guard field.isLarge, case .blob(let bytes) = stored else {
        return stored.modelValue(field.type)
      }
      do throws(SystemFailure) { return .data(try files.value(of: bytes)) } catch {
        throw MigratedRow.Unreadable(reason: "\(error)")
      }
    }
    var count = 0
    while try rows.step() {
      row.begin(rows.integer(0))
      try row.run(work)
      try write(row)
      count += 1
      guard count % Self.rowsBetweenLooks == 0 else { continue }
      if pace.advance(toKey: row.key) { throw InPlaceMigration.cancelled }
    }
  }

  // MARK: - Reading

  private func fields(
    of shape: EntityShape, in side: MigrationSide, after first: Int, renamed: [String: String]
  ) -> (fields: [String: MigratedRow.Field], columns: [RowWorkStatements.Column]) {
    let table = side.table(side.place(ofEntity: shape.number))
    var fields: [String: MigratedRow.Field] = [:]
    var columns: [RowWorkStatements.Column] = []
    func add(_ attribute: AttributeShape, _ path: String) {
      for element in attribute.elements { add(element, "\(path).\(element.name)") }
      guard let slot = attribute.slot else { return }
      let name = table.columns[slot].name
      fields[path] = MigratedRow.Field(
        column: first + columns.count, type: attribute.type,
        isLarge: table.columns[slot].isExternal, isDerived: attribute.description.isDerived)
      columns.append((renamed[name] ?? name, attribute.type == .decimal))
    }
    for attribute in shape.attributes { add(attribute, attribute.name) }
    return (fields, columns)
  }

  // MARK: - Writing

  private func write(_ row: MigratedRow) throws(StoreError) {
    guard !row.changes.isEmpty else { return }
    let statement: Statement
    if let known = statements.statement(for: row.changes) {
      statement = known
    } else {
      let names = row.changes.map(\.name)
      statement = try Statement(update(names), on: connection)
      statements.keep(statement, for: names)
    }
    for (place, change) in row.changes.enumerated() {
      let stored = if let known = change.stored { known } else { try column(of: change.value) }
      statement.bind(stored, at: Int32(place + 1))
    }
    statement.bind(row.key, at: Int32(row.changes.count + 1))
    try statement.run()
  }

  /// The bytes that a column with external storage holds for a value, whose file is written.
  private func column(of value: Value) throws(StoreError) -> SQLValue {
    guard case .data(let data) = value else { return .null }
    do throws(SystemFailure) { return .blob(try files.stored(data)) } catch {
      throw error.error("A large value of \(shape.name) cannot be written to a file.")
    }
  }

  private func update(_ names: [String]) -> SQLStatement {
    let new = succession.new
    let table = new.table(new.place(ofEntity: shape.number))
    let columns = names.compactMap { path in
      new.slot(ofAttribute: path, of: shape.number).map { table.columns[$0].name }
    }
    return RowWorkStatements(new, SQLiteDialect()).write(columns, in: table.name)
  }
}

/// The statements that write rows, by the attributes that they set, in their order.
private final class RowStatements {
  private var known: [[String]: Statement] = [:]
  /// The statement of the row before, which serves most rows.
  private var last: (names: [String], statement: Statement)?

  /// The statement for a row's changes; nil if no row before had such changes.
  func statement(for changes: [MigratedRow.Change]) -> Statement? {
    if let last, last.names.elementsEqual(changes, by: { $0 == $1.name }) { return last.statement }
    let names = changes.map(\.name)
    guard let former = known[names] else { return nil }
    last = (names, former)
    return former
  }

  func keep(_ statement: Statement, for names: [String]) {
    known[names] = statement
    last = (names, statement)
  }

  func finalize() {
    for statement in known.values { statement.finalize() }
    known.removeAll()
    last = nil
  }
}

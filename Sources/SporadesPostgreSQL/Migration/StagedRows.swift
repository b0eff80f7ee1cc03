// SPDX-License-Identifier: MIT
package import SporadesModel
import SporadesSQL
package import SporadesStore

/// The code of a stage around the change of a store.
package final class ServerStageCode {
  /// The code on objects that is still to run.
  package var objects: StageCode = []
  /// Changes the store to an earlier version, too.
  package var migratesBack = false

  /// The entities of the newer version whose rows code computes, with their subentities, and that code. It is called for
  /// the rows of one entity after the other.
  package var reworked: [String] = []
  package var rework: ((StagedRows) throws(StoreError) -> Void)?
  /// What runs that code, and what checks its constraints; nil where there is none, and in programs without plans, which
  /// contain neither.
  var runRework: ((ServerMigration, ServerMigration.Parked) throws(StoreError) -> Void)?
  var checkRework: ((ServerMigration) throws(StoreError) -> Void)?

  package init() {}

  /// Has the code for rows run.
  func prepare() {
    guard rework != nil else { return }
    runRework = { (migration, parked) throws(StoreError) in try migration.rework(parked) }
    checkRework = { (migration) throws(StoreError) in try migration.checkReworkedConstraints() }
  }
}

/// The rows of one entity in a table that was changed, for the program's code.
///
/// The old values come from the old table, or from the same row where the table was altered and holds them still.
package final class StagedRows {
  private let connection: ServerConnection
  /// The entity in the newer version.
  package let entity: EntityShape
  /// The stored attributes of both versions.
  package let old: Fields
  package let new: Fields
  private let table: String
  private let reading: SQLStatement
  private let statements: RowWorkStatements

  init(
    of entity: EntityShape, in table: String, _ connection: ServerConnection, old: Fields,
    new: Fields, from origin: (name: String, offset: Int64)?, _ statements: RowWorkStatements
  ) {
    (self.entity, self.table, self.connection) = (entity, table, connection)
    (self.old, self.new, self.statements) = (old, new, statements)
    reading = statements.read(
      entity.number, in: table, oldTable: origin, old: old.columns, new: new.columns)
  }

  /// The stored attributes of one version.
  package struct Fields {
    /// The attributes by their paths, and their places among the columns.
    package private(set) var attributes: [String: (place: Int, shape: AttributeShape)] = [:]
    /// The present names of their columns.
    private(set) var columns: [RowWorkStatements.Column] = []

    init(of number: Int, in side: MigrationSide, renamed: [String: String]) {
      let table = side.table(side.place(ofEntity: number))
      for attribute in side.model.shape(numbered: number).attributes {
        add(attribute, attribute.name, table, renamed)
      }
    }

    private mutating func add(
      _ attribute: AttributeShape, _ path: String, _ table: StoreLayout.Table,
      _ renamed: [String: String]
    ) {
      for element in attribute.elements {
        add(element, "\(path).\(element.name)", table, renamed)
      }
      guard let slot = attribute.slot else { return }
      let name = table.columns[slot].name
      attributes[path] = (columns.count, attribute)
      columns.append((renamed[name] ?? name, attribute.type == .decimal))
    }
  }

  /// A row's key and values.
  package struct Row {
    package let key: Int64
    fileprivate let rows: ServerRows
    fileprivate let number: Int
    fileprivate let first: Int
    fileprivate let middle: Int

    /// The value of an attribute in the older version.
    package func old(_ place: Int, _ type: AttributeType) -> Value {
      rows.value(number, first + place, type)
    }

    /// The value of an attribute in the newer version, as far as it is inferred.
    package func new(_ place: Int, _ type: AttributeType) -> Value {
      rows.value(number, middle + place, type)
    }
  }

  /// The number of rows that are in memory together.
  private static let together = 1_000

  /// Calls `body` for each row in the order of their keys. It returns the values to write, by the paths of their attributes.
  package func forEach(
    _ body: (Row) throws(StoreError) -> [(path: String, value: Value)]
  ) throws(StoreError) {
    try connection.run("DECLARE sporades_rows NO SCROLL CURSOR FOR \(reading.sql)")
    while true {
      let rows = try connection.run("FETCH \(Self.together) FROM sporades_rows")
      guard rows.count > 0 else { break }
      var changes: [(key: Int64, values: [(path: String, value: Value)])] = []
      for number in 0..<rows.count {
        guard let key = rows.integer(number, 0) else {
          throw StoreError(.corrupt, "\(connection.place): \(table) has a row without a key.")
        }
        let row = Row(
          key: key, rows: rows, number: number, first: 1, middle: 1 + old.columns.count)
        let values = try body(row)
        if !values.isEmpty { changes.append((key, values)) }
      }
      try write(changes)
      try Cancellation.check()
    }
    try connection.run("CLOSE sporades_rows")
  }

  private func write(
    _ changes: [(key: Int64, values: [(path: String, value: Value)])]
  ) throws(StoreError) {
    guard !changes.isEmpty else { return }
    _ = try connection.pipelined { (connection) throws(StoreError) in
      for change in changes {
        var (columns, values): ([String], [ServerValue]) = ([], [])
        for (path, value) in change.values {
          guard let field = new.attributes[path] else { continue }
          columns.append(new.columns[field.place].name)
          values.append(try kept(value, field.shape, path, change.key))
        }
        try connection.send(
          statements.write(columns, in: table).sql, values + [.int8(change.key)])
      }
    }
  }

  /// The form in which the server keeps a value.
  private func kept(
    _ value: Value, _ attribute: AttributeShape, _ path: String, _ key: Int64
  ) throws(StoreError) -> ServerValue {
    let type = ServerType(attribute.type)
    if value == .null { return .null(type) }
    if let kept = ServerValue(keeping: value, as: type) { return kept }
    throw StoreError(cannotMigrate: [
      MigrationProblem(
        .unsupported, entity: entity.name, property: path, count: 1, keys: [key],
        "The work on the row \(key) of \(entity.name) set \(path) to a value that PostgreSQL cannot keep. Set another one."
      )
    ])
  }
}

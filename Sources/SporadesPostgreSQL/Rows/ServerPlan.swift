// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesSQL
import SporadesStore

/// The facts about a store's model and tables, computed once at opening.
package final class ServerPlan: Sendable {
  package let model: ManagedObjectModel
  let tables: any ServerTables
  let server: ServerLayout
  let scope: StoreScope
  /// The number of the store's migrations when it was opened.
  let migrations: Int64
  /// What the history notes; nil if the store keeps none.
  let history: HistoryWords?
  package let dialect: PostgreSQLDialect
  package var layout: StoreLayout { server.layout }
  private let entities: [Entity]
  private let numbers: [String: Int]

  /// The statements and columns of one entity.
  package struct Entity: Sendable {
    let statements: EntityStatements
    /// The columns of all rows of its family, in the order in which they are selected.
    package let columns: [ServerColumn]
    /// The columns of a new row.
    package let inserted: [ServerColumn]
    let insert: String
    let copy: String
  }

  init(
    _ tables: any ServerTables, _ opened: OpenedStore, _ options: PostgreSQLStoreOptions
  ) {
    let server = tables.layout
    model = server.model
    (self.tables, self.server) = (tables, server)
    migrations = opened.migrations
    history =
      opened.keepsHistory ? HistoryWords(server, bundle: options.bundleIdentifier) : nil
    scope = StoreScope(identifier: opened.identifier, entityNames: server.model.shapes.map(\.name))
    let dialect = tables.dialect
    self.dialect = dialect
    entities = server.model.shapes.map { shape in
      let statements = EntityStatements(shape, server.layout, server.model, dialect)
      return Entity(
        statements: statements,
        columns: statements.transfers.map { ServerColumn($0, shape.layout) },
        inserted: statements.insertTransfers.map { ServerColumn($0, shape.layout) },
        insert: statements.insert.sql, copy: Self.copy(statements, dialect))
    }
    numbers = Dictionary(uniqueKeysWithValues: server.model.shapes.map { ($0.name, $0.number) })
  }

  private static func copy(
    _ statements: EntityStatements, _ dialect: PostgreSQLDialect
  ) -> String {
    let columns = statements.insertedColumns.map(dialect.quoted).joined(separator: ", ")
    return "COPY \(statements.tableName) (\(columns)) FROM STDIN (FORMAT binary)"
  }

  /// The values of a new row, in the order of its columns.
  func values(ofNew place: RowPlace) throws(StoreError) -> [ServerValue] {
    let entity = place.key.entity
    var values: [ServerValue] = [
      .int8(place.key.primaryKey), .text(name(ofEntity: entity)), .int8(place.version),
    ]
    for column in self.entity(entity).inserted {
      try column.append(place.page, place.index, self, to: &values)
    }
    return values
  }

  package func entity(_ number: Int) -> Entity { entities[number - 1] }
  package func name(ofEntity number: Int) -> String { model.shape(numbered: number).name }
  func number(ofEntity name: String) -> Int? { numbers[name] }

  func table(ofEntity number: Int) -> TableStatements {
    TableStatements(layout.table(ofEntity: number), layout.names, dialect)
  }

  /// The table of an entity's rows, as people name it.
  func place(ofEntity number: Int) -> String {
    tables.place(ofEntity: number)
  }

  /// The version that contexts have of a row, which the store's own writes give it.
  func version(of key: RowKey, _ stored: Int64) -> Int64 {
    tables.version(of: key, stored)
  }

  /// The table of an entity's rows, as it stands in a statement.
  func tableName(ofEntity number: Int) -> String {
    dialect.quoted(layout.table(ofEntity: number).name)
  }

  func compiler(_ fetch: StoreFetch) throws(StoreError) -> FetchCompiler {
    try FetchCompiler(fetch, entity(fetch.entity.number).statements, model, layout, scope)
  }

  func id(_ key: RowKey) -> ManagedObjectID { ManagedObjectID(key: key, scope: scope) }

  // MARK: - Statements

  /// `SELECT … FROM pet t0 WHERE t0.row_id = ANY($1)`
  func select(byKeysOf entity: Int) -> String {
    let statements = self.entity(entity).statements
    return "SELECT \(statements.selectList) FROM \(statements.tableName) t0 WHERE "
      + "\(statements.key) = ANY($1)"
  }

  /// `SELECT row_id, row_version FROM pet WHERE row_id = ANY($1)`
  package func versions(ofEntity entity: Int) -> String {
    let row = layout.names.row
    return "SELECT \(row.key), \(row.version) FROM \(tableName(ofEntity: entity)) t WHERE "
      + "\(row.key) = ANY($1)"
  }

  func table(of layout: RowLayout) -> StoreLayout.Table {
    self.layout.table(ofEntity: layout.rootEntity)
  }

  /// The update of several rows of a table. The lists of columns come first, then those of versions and keys.
  func update(_ layout: RowLayout, _ columns: [String], _ types: [ServerType]) -> String {
    let row = self.layout.names.row
    let table = dialect.quoted(table(of: layout).name)
    let changes = (columns + [row.version]).enumerated().map {
      "\(dialect.quoted($1)) = u.c\($0)"
    }
    let lists = types.enumerated().map { "$\($0 + 1)::\($1.name)[]" }
    let names = types.indices.map { "c\($0)" }
    let (version, key) = ("u.c\(columns.count)", "u.c\(columns.count + 1)")
    return "UPDATE \(table) t SET \(changes.joined(separator: ", ")) FROM unnest("
      + "\(lists.joined(separator: ", "))) AS u(\(names.joined(separator: ", "))) WHERE t.\(row.key) = \(key) "
      + "AND t.\(row.version) = \(version) - 1 RETURNING t.\(row.key)"
  }

  /// The deletion of several rows of a table, by lists of their keys and versions.
  func delete(ofEntity entity: Int) -> String {
    let row = layout.names.row
    return
      "DELETE FROM \(tableName(ofEntity: entity)) t USING unnest($1::bigint[], $2::bigint[]) AS u(k, v) "
      + "WHERE t.\(row.key) = u.k AND t.\(row.version) = u.v RETURNING t.\(row.key)"
  }

  // MARK: - Errors

  /// The refusal of changes of rows that others changed or deleted.
  func conflict(_ keys: [RowKey], deleted: [RowKey]) -> StoreError {
    .conflict(keys.map(id), deleted: Set(deleted.map(id)))
  }

  /// The same error with entity and properties in place of the name of a constraint.
  func explained(_ error: StoreError) -> StoreError {
    if let refusal = tables.refusal(error) { return refusal }
    guard let name = error.serverFailure?.constraint, let known = server.constraints[name] else {
      return error
    }
    return .taken(
      known.properties, in: model.shape(numbered: known.entity), underlying: error.underlying)
  }
}

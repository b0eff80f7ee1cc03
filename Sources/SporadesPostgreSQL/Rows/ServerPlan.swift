// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The facts about a store's model and tables, computed once at opening.
final class ServerPlan: Sendable {
  let model: ManagedObjectModel
  let server: ServerLayout
  let scope: StoreScope
  let dialect = PostgreSQLDialect()
  var layout: StoreLayout { server.layout }
  private let entities: [Entity]
  private let numbers: [String: Int]

  /// What is known of one entity.
  struct Entity: Sendable {
    let statements: EntityStatements
    /// The columns of all rows of its family, in the order in which they are selected.
    let columns: [ServerColumn]
    /// The columns of a new row.
    let inserted: [ServerColumn]
    let insert: String
  }

  init(_ server: ServerLayout, identifier: String) {
    model = server.model
    self.server = server
    scope = StoreScope(identifier: identifier, entityNames: server.model.shapes.map(\.name))
    let dialect = dialect
    entities = server.model.shapes.map { shape in
      let statements = EntityStatements(shape, server.layout, server.model, dialect)
      return Entity(
        statements: statements,
        columns: statements.transfers.map { ServerColumn($0, shape.layout) },
        inserted: statements.insertTransfers.map { ServerColumn($0, shape.layout) },
        insert: statements.insert.sql)
    }
    numbers = Dictionary(uniqueKeysWithValues: server.model.shapes.map { ($0.name, $0.number) })
  }

  func entity(_ number: Int) -> Entity { entities[number - 1] }
  func name(ofEntity number: Int) -> String { model.shape(numbered: number).name }
  func number(ofEntity name: String) -> Int? { numbers[name] }

  func table(ofEntity number: Int) -> TableStatements {
    TableStatements(layout.table(ofEntity: number), layout.names, dialect)
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
  func versions(ofEntity entity: Int) -> String {
    let row = layout.names.row
    return "SELECT \(row.key), \(row.version) FROM \(tableName(ofEntity: entity)) WHERE "
      + "\(row.key) = ANY($1)"
  }

  // MARK: - Errors

  /// The refusal of changes of rows that others changed or deleted.
  func conflict(_ keys: [RowKey], deleted: [RowKey]) -> StoreError {
    .conflict(keys.map(id), deleted: Set(deleted.map(id)))
  }

  /// The same error with entity and properties in place of the name of a constraint.
  func explained(_ error: StoreError) -> StoreError {
    guard let name = error.serverFailure?.constraint, let known = server.constraints[name] else {
      return error
    }
    return .taken(
      known.properties, in: model.shape(numbered: known.entity), underlying: error.underlying)
  }
}

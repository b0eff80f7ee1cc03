// SPDX-License-Identifier: MIT
package import SporadesModel
import SporadesSQL
package import SporadesStore

/// A store on a server between two versions of its model, in a transaction that holds or fails as a whole.
package struct StagedServer {
  let connection: ServerConnection
  private let address: String
  /// The options of the store that is opened.
  let storeOptions: PostgreSQLStoreOptions
  /// The connection, for the stores of one version and another.
  private let connections: PostgreSQLConnections

  package init(
    _ connection: ServerConnection, at address: String, _ options: PostgreSQLStoreOptions
  ) {
    (self.connection, self.address, storeOptions) = (connection, address, options)
    connections = PostgreSQLConnections(pinning: connection)
  }

  /// The store, as errors name it.
  package var place: String { connection.place }
  /// The options of the whole migration.
  package var options: MigrationOptions { storeOptions.migration }

  package func metadata() throws(StoreError) -> [String: MetadataValue] { try stored().metadata }

  func stored() throws(StoreError) -> ServerMetadata.Stored {
    try ServerMetadata(connection).stored()
  }

  package func carriedModel() throws(StoreError) -> ManagedObjectModel {
    try stored().carriedModel(at: place)
  }

  // MARK: - Changes

  private func opening(
    to model: ManagedObjectModel, _ options: MigrationOptions
  ) throws(StoreError) -> ServerOpening {
    var all = storeOptions
    all.migration = options
    return ServerOpening(try ServerLayout(model), all, at: address)
  }

  /// Changes the store without objects. Returns where its rows went; nil if it had the version already.
  package func change(
    to model: ManagedObjectModel, _ options: MigrationOptions, _ code: ServerStageCode
  ) throws(StoreError) -> RowSuccessors? {
    let stored = try stored()
    guard !stored.isOf(model) else { return nil }
    code.prepare()
    return try opening(to: model, options).change(stored, connection, code)
  }

  /// Foretells such a change.
  package func forecast(
    to model: ManagedObjectModel, _ options: MigrationOptions, _ code: ServerStageCode
  ) throws(StoreError) -> MigrationForecast {
    let stored = try stored()
    guard !stored.isOf(model) else { return MigrationForecast() }
    return try opening(to: model, options).planned(stored, on: connection, code).forecast()
  }

  // MARK: - Objects

  /// Opens the store in one of its versions, within the transaction. Its commits hold when that of the migration does.
  package func open(_ model: ManagedObjectModel) throws(StoreError) -> PostgreSQLStore {
    let stored = try stored()
    let others = stored.others(than: model)
    guard others.isEmpty else {
      throw StoreError(
        .incompatibleModel(others),
        "\(place): A stage of the plan works on a version in which \(others.joined(separator: ", ")) differ from the store's."
      )
    }
    return try open(OwnTables(try ServerLayout(model)), stored, keepsHistory: keepsHistory())
  }

  func keepsHistory() throws(StoreError) -> Bool {
    try connection.hasTable(HistoryTables.changes, in: storeOptions.schema)
  }

  func open(
    _ tables: OwnTables, _ stored: ServerMetadata.Stored, keepsHistory: Bool
  ) throws(StoreError) -> PostgreSQLStore {
    // Code may use several contexts at once, each of which waits for the call of another.
    var options = PostgreSQLStoreOptions(
      schema: storeOptions.schema, connectTimeout: .seconds(86_400))
    options.connections = connections
    options.bundleIdentifier = storeOptions.bundleIdentifier
    return try PostgreSQLStore(address, options: options) { (_) throws(StoreError) in
      var opened = OpenedStore(identifier: stored.identifier, migrations: stored.migrations)
      opened.keepsHistory = keepsHistory
      return (tables, opened)
    }
  }

  /// About the number of rows, by the largest keys that were handed out.
  package func estimatedRows() throws(StoreError) -> Int {
    let counters = ServerLayout.names.counters
    let sum = try connection.run(
      "SELECT coalesce(sum(\(counters.maximum)), 0)::bigint FROM \(counters.table)")
    return Int(clamping: sum.integer(0, 0) ?? 0)
  }

  /// Throws if an object of a version lacks a required value or link.
  package func checkRequiredValues(_ model: ManagedObjectModel) throws(StoreError) {
    let statements = RowWorkStatements(try side(model), PostgreSQLDialect())
    try connection.refuse(statements.lacks(model.shapes, links: true))
  }

  /// The numbers of objects of entities, or of values of attributes; nil where the store has no such part.
  package func counts(
    _ parts: [(entity: String, attribute: String?)], _ model: ManagedObjectModel
  ) throws(StoreError) -> [Int?] {
    let contents = StoreContents(try side(model))
    var counts: [Int?] = []
    for part in parts {
      let statement = contents.count(
        ofEntity: part.entity, attribute: part.attribute, PostgreSQLDialect())
      guard let statement else {
        counts.append(nil)
        continue
      }
      counts.append(try connection.number(statement).map(Int.init(clamping:)))
    }
    return counts
  }

  private func side(_ model: ManagedObjectModel) throws(StoreError) -> MigrationSide {
    ServerMigration.side(try ServerLayout(model))
  }
}

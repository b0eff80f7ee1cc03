// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesPostgreSQL
public import SporadesStore

extension PostgreSQLStore {
  /// Opens a store over tables that exist already. The notes of the model say which they are:
  /// `@Entity(userInfo: .table("film"))`. It makes nothing and changes nothing but rows.
  public convenience init(
    existingTablesAt address: String, model: ManagedObjectModel,
    options: PostgreSQLStoreOptions = PostgreSQLStoreOptions()
  ) throws(StoreError) {
    guard options.reads == .primary else {
      throw .unkept(
        "no mark that tells which standby has what a read needs. Open it with reads: .primary")
    }
    guard options.persistentHistory != .on else { throw .unkept("a history") }
    guard options.stages == nil else {
      throw .unkept("no version that a plan could lead on. Open it without migrationPlan")
    }
    try self.init(address, options: options) { (connection) throws(StoreError) in
      let tables = try Mapping.tables(of: model, options.schema, on: connection)
      let identifier = try Self.identifier(ofSchema: options.schema, on: connection)
      return (tables, OpenedStore(identifier: identifier))
    }
  }

  /// The identifier of the store, which is the same each time for one database.
  private static func identifier(
    ofSchema schema: String, on connection: ServerConnection
  ) throws(StoreError) -> String {
    let answer = try connection.run(
      """
      SELECT upper(md5(\(ServerLog.cluster) || ' ' || current_database() || ' ' || $1)::uuid::text)
      """, [.text(schema)])
    guard let identifier = answer.text(0, 0) else {
      throw StoreError(.corrupt, "\(connection.place): The server does not name its database.")
    }
    return identifier
  }
}

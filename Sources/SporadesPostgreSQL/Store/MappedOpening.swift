// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// Opens a store over existing tables. It makes nothing and changes nothing there.
struct MappedOpening {
  let connection: ServerConnection
  let options: PostgreSQLStoreOptions

  /// The identifier of the store, which is the same each time for one database.
  func open() throws(StoreError) -> ServerOpening.Opened {
    guard options.reads == .primary else {
      throw .unkept(
        "no mark that tells which standby has what a read needs. Open it with reads: .primary")
    }
    guard options.persistentHistory != .on else { throw .unkept("a history") }
    let answer = try connection.run(
      """
      SELECT upper(md5(\(ServerLog.cluster) || ' ' || current_database() || ' ' || $1)::uuid::text)
      """, [.text(options.schema)])
    guard let identifier = answer.text(0, 0) else {
      throw StoreError(.corrupt, "\(connection.place): The server does not name its database.")
    }
    return ServerOpening.Opened(identifier: identifier, migrations: 0)
  }
}

extension StoreError {
  /// The refusal of a request that needs tables of the store's own.
  static func unkept(_ what: String) -> StoreError {
    StoreError(
      .unsupported,
      "The store's tables existed before it, and it keeps none of its own there: \(what).")
  }
}

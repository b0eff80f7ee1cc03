// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// Opens the store of a schema, or makes it where the schema has none. One process does that at a time.
struct ServerOpening {
  private let layout: ServerLayout
  private let schema: String

  init(_ layout: ServerLayout, _ schema: String) {
    self.layout = layout
    self.schema = schema
  }

  /// Returns the store's identifier.
  func open(_ connection: ServerConnection) throws(StoreError) -> String {
    try connection.run("BEGIN")
    do throws(StoreError) {
      try connection.run(
        "SELECT pg_advisory_xact_lock(hashtextextended('sporades ' || $1, 0))", [.text(schema)])
      let identifier =
        if try hasStore(connection) { try check(connection) } else { try make(connection) }
      try connection.run("COMMIT")
      return identifier
    } catch {
      // `try?`, because a connection that cannot roll back has ended, and its transaction with it.
      _ = try? connection.run("ROLLBACK")
      throw error
    }
  }

  private func hasStore(_ connection: ServerConnection) throws(StoreError) -> Bool {
    let answer = try connection.run(
      "SELECT count(*) FROM pg_tables WHERE schemaname = $1 AND tablename = $2",
      [.text(schema), .text(ServerLayout.names.metadata.table)])
    return answer.integer(0, 0) != 0
  }

  private func make(_ connection: ServerConnection) throws(StoreError) -> String {
    let schemas = try connection.run(
      "SELECT count(*) FROM pg_namespace WHERE nspname = $1", [.text(schema)])
    if schemas.integer(0, 0) == 0 {
      try connection.run("CREATE SCHEMA \(PostgreSQLDialect().quoted(schema))")
    }
    _ = try connection.pipelined { (connection) throws(StoreError) in
      for statement in ServerSchema(layout).statements { try connection.send(statement) }
    }
    let identifier = UUID()
    try ServerMetadata(connection).make(identifier, for: layout.model)
    return identifier.uuidString
  }

  /// Refuses a store of another layout or another version of the model.
  private func check(_ connection: ServerConnection) throws(StoreError) -> String {
    let stored = ServerMetadata(connection)
    let (identifier, version) = try stored.identity()
    guard version == ServerLayout.version else {
      throw StoreError(
        .unsupported,
        "\(connection.place): The store has the layout \(version), and this version of Sporades knows \(ServerLayout.version). "
          + "Use the version that wrote it last.")
    }
    let metadata = try stored.read(identifier)
    let (own, known) = (layout.model.entityVersionHashesByName, metadata.versionHashes ?? [:])
    let others = Set(own.keys).union(known.keys).filter { own[$0] != known[$0] }.sorted()
    guard others.isEmpty else {
      throw StoreError(
        .incompatibleModel(others),
        "\(connection.place): The store has another version of the model, in which \(others.joined(separator: ", ")) "
          + (others.count == 1 ? "differs" : "differ") + ". Open it with that version.")
    }
    return identifier
  }
}

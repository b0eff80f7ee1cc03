// SPDX-License-Identifier: MIT
package import SporadesModel
import SporadesSQL
package import SporadesStore

// A new store in the place of the former one, in the same transaction. The tables of the former one have other names meanwhile.
extension StagedServer {
  /// Makes the tables of the newer version, lets a body fill them from those of the older one, and drops these.
  package func rebuild(
    _ old: ManagedObjectModel, _ new: ManagedObjectModel,
    _ fill: (_ old: any PersistentStore, _ new: any PersistentStore) throws -> Void
  ) throws {
    let stored = try stored()
    let former = try setAside(try ServerLayout(old), stored)
    do {
      let made = try make(new, stored, from: old)
      do { try fill(former.store, made) } catch {
        // `try?`, because the first error says what happened, and the server undoes all of it.
        try? made.close()
        throw error
      }
      try made.close()
    } catch {
      // `try?`, for the same reason. The store was only read.
      try? former.store.close()
      throw error
    }
    try former.store.close()
    try finish(dropping: former.tables)
  }

  /// Gives the tables of a version and their indexes other names.
  private func setAside(
    _ layout: ServerLayout, _ stored: ServerMetadata.Stored
  ) throws(StoreError) -> (store: PostgreSQLStore, tables: [String]) {
    let dialect = PostgreSQLDialect()
    let names = ServerMigration.tableNames(layout)
    let indexes = try connection.run(
      """
      SELECT i.relname::text FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid \
      WHERE t.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1)
      """, [.list(.text, names.map { .text($0) })])
    // A table cannot be altered while a constraint of it waits for the end of the transaction.
    try connection.run("SET CONSTRAINTS ALL IMMEDIATE")
    for row in 0..<indexes.count {
      guard let name = indexes.text(row, 0) else { continue }
      try connection.run(
        "ALTER INDEX \(dialect.quoted(name)) RENAME TO sporades_passing_index_\(row)")
    }
    var relations: [String: String] = [:]
    for (place, name) in names.enumerated() {
      relations[name] = "sporades_passing_\(place)"
      try connection.run(
        "ALTER TABLE \(dialect.quoted(name)) RENAME TO sporades_passing_\(place)")
    }
    let tables = OwnTables(layout, PostgreSQLDialect(relations: relations))
    let store = try open(tables, stored, keepsHistory: false)
    return (store, relations.values.sorted())
  }

  /// Makes the tables of a version, whose keys begin anew.
  private func make(
    _ model: ManagedObjectModel, _ stored: ServerMetadata.Stored, from old: ManagedObjectModel
  ) throws(StoreError) -> PostgreSQLStore {
    let layout = try ServerLayout(model)
    try connection.run("DELETE FROM \(ServerLayout.names.counters.table)")
    for statement in ServerSchema(layout).statementsOfRows { try connection.run(statement) }
    let known = options.versions
    let earlier = KnownVersions(known, of: model).earlierChecksums(inConfiguration: nil)
    try ServerMetadata(connection).migrate(
      stored, to: model, from: earlier + [old.versionChecksum])
    return try open(OwnTables(layout), self.stored(), keepsHistory: false)
  }

  private func finish(dropping tables: [String]) throws(StoreError) {
    if !tables.isEmpty {
      try connection.run("SET CONSTRAINTS ALL IMMEDIATE")
      try connection.run("DROP TABLE \(tables.joined(separator: ", "))")
    }
    guard try keepsHistory() else { return }
    for statement in HistoryTables.renewal { try connection.run(statement) }
  }
}

// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesSQLite
import SporadesStore

/// Removes search indexes from a file, also those of former models and the rest of damaged ones.
struct IndexRemoval {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Removes one table's index.
  func remove(_ table: SearchTable) throws(StoreError) {
    try removeObjects(beginningWith: SearchTable.prefix(of: table.table.name))
  }

  func removeAll() throws(StoreError) {
    try removeObjects(beginningWith: StoreLayout.ownPrefix)
    try connection.run(
      ("DROP TABLE IF EXISTS \(name: SearchTable.states)" as SQLFragment).sqlite)
  }

  private func removeObjects(beginningWith prefix: String) throws(StoreError) {
    try removeAll("trigger", beginningWith: prefix)
    // The indexes go before their own tables, which SQLite gives up with them.
    for name in try names("table", beginningWith: prefix, where: "sql LIKE '%VIRTUAL%'") {
      try removeIndex(name)
    }
    try removeAll("table", beginningWith: prefix)
  }

  /// Removes an index, which FTS5 must open first.
  private func removeIndex(_ name: String) throws(StoreError) {
    do throws(StoreError) { try drop("table", name) } catch {
      if error.isOfRequest { throw error }
      try connection.write(SQLStatement("SAVEPOINT removal"))
      do throws(StoreError) { try removeClosedIndex(name) } catch {
        // The index may be whole, and SQLite without FTS5.
        try connection.run(SQLStatement("ROLLBACK TO removal; RELEASE removal"))
        throw error
      }
      try connection.write(SQLStatement("RELEASE removal"))
    }
  }

  /// Removes an index that FTS5 does not open. Its own tables become those of an empty index, which FTS5 opens.
  private func removeClosedIndex(_ name: String) throws(StoreError) {
    try connection.writingTablesOfModules { () throws(StoreError) in
      for statement in Self.emptyTables(of: name) { try connection.run(statement.sqlite) }
    }
    try drop("table", name)
  }

  /// The tables in which FTS5 keeps an index, and the records without which it opens none
  /// (https://sqlite.org/fts5.html#fts5_data_structures).
  private static func emptyTables(of index: String) -> [SQLFragment] {
    let (data, configuration) = ("\(index)_data", "\(index)_config")
    return [
      "CREATE TABLE IF NOT EXISTS \(name: data) (id INTEGER PRIMARY KEY, block BLOB)",
      "CREATE TABLE IF NOT EXISTS \(name: "\(index)_idx") (segid, term, pgno, PRIMARY KEY (segid, term)) WITHOUT ROWID",
      "CREATE TABLE IF NOT EXISTS \(name: "\(index)_content") (id INTEGER PRIMARY KEY)",
      "CREATE TABLE IF NOT EXISTS \(name: "\(index)_docsize") (id INTEGER PRIMARY KEY, sz BLOB)",
      "CREATE TABLE IF NOT EXISTS \(name: configuration) (k PRIMARY KEY, v) WITHOUT ROWID",
      "INSERT OR REPLACE INTO \(name: data) (id, block) VALUES (1, X''), (10, X'00000000000000')",
      "INSERT OR REPLACE INTO \(name: configuration) (k, v) VALUES ('version', 4)",
    ]
  }

  private func removeAll(_ kind: String, beginningWith prefix: String) throws(StoreError) {
    for name in try names(kind, beginningWith: prefix) { try drop(kind, name) }
  }

  private func drop(_ kind: String, _ name: String) throws(StoreError) {
    try connection.run(("DROP \(sql: kind) \(name: name)" as SQLFragment).sqlite)
  }

  private func names(
    _ kind: String, beginningWith prefix: String, where condition: String = "1"
  ) throws(StoreError) -> [String] {
    try connection.rows(
      ("""
      SELECT name FROM sqlite_master WHERE type = \(.text(kind)) AND \(sql: condition) AND instr(name, ':') \
      AND substr(name, 1, \(.integer(Int64(prefix.count)))) = \(.text(prefix))
      """ as SQLFragment).sqlite
    ).compactMap { $0[0].text }
  }
}

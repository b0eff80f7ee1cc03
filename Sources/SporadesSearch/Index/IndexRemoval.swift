// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesSQLite
import SporadesStore

/// Takes search indexes out of a file, also those of former models and what is left of damaged ones.
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
    try removeAll("table", beginningWith: prefix, where: "sql LIKE '%VIRTUAL%'")
    try removeAll("table", beginningWith: prefix)
  }

  private func removeAll(
    _ kind: String, beginningWith prefix: String, where condition: String = "1"
  ) throws(StoreError) {
    let names = try connection.rows(
      ("""
      SELECT name FROM sqlite_master WHERE type = \(.text(kind)) AND \(sql: condition) AND instr(name, ':') \
      AND substr(name, 1, \(.integer(Int64(prefix.count)))) = \(.text(prefix))
      """ as SQLFragment).sqlite)
    for name in names.compactMap({ $0[0].text }) {
      try connection.run(("DROP \(sql: kind) \(name: name)" as SQLFragment).sqlite)
    }
  }
}

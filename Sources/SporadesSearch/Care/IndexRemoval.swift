// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesSQLite
import SporadesStore

/// Takes all search indexes out of a file, also those of former models.
struct IndexRemoval {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  func removeAll() throws(StoreError) {
    // The indexes go before their own tables, which SQLite gives up with them.
    try removeAll("trigger", beginningWith: "\(StoreLayout.ownPrefix)CHANGED_")
    try removeAll("table", beginningWith: "\(SearchTable.states)_", where: "sql LIKE '%VIRTUAL%'")
    try removeAll("table", beginningWith: "\(SearchTable.states)_")
    try removeAll("table", beginningWith: "\(StoreLayout.ownPrefix)CHANGED_")
    try connection.run(
      ("DROP TABLE IF EXISTS \(name: SearchTable.states)" as SQLFragment).sqlite)
  }

  private func removeAll(
    _ kind: String, beginningWith prefix: String, where condition: String = "1"
  ) throws(StoreError) {
    let names = try connection.rows(
      ("""
      SELECT name FROM sqlite_master WHERE type = \(.text(kind)) AND \(sql: condition) \
      AND substr(name, 1, \(.integer(Int64(prefix.count)))) = \(.text(prefix))
      """ as SQLFragment).sqlite)
    for name in names.compactMap({ $0[0].text }) {
      try connection.run(("DROP \(sql: kind) \(name: name)" as SQLFragment).sqlite)
    }
  }
}

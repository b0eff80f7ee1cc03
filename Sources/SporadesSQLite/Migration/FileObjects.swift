// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesStore

/// The parts of a file besides the tables of its model: indexes, and the triggers, views and columns of other programs.
struct FileObjects {
  struct Object {
    let kind: String
    let name: String
    let table: String
    let text: String
  }

  /// A column as a file declares it.
  struct Column {
    let name: String
    let declaration: String
    /// SQLite computes its values.
    let isGenerated: Bool
  }

  let indexes: [Object]
  let triggers: [Object]
  let views: [Object]
  let tableObjects: [Object]
  /// The names of all tables, with those of other programs and virtual ones.
  let tables: Set<String>

  init(_ connection: Connection) throws(StoreError) {
    var objects: [Object] = []
    var tables: Set<String> = []
    for row in try connection.rows(.schema) {
      guard let kind = row[0].text, let name = row[1].text, let table = row[2].text else {
        continue
      }
      if kind == "table" { tables.insert(name) }
      // An index that SQLite makes itself has no text.
      guard let text = row[3].text else { continue }
      objects.append(Object(kind: kind, name: name, table: table, text: text))
    }
    self.tables = tables
    tableObjects = objects.filter { $0.kind == "table" }
    indexes = objects.filter { $0.kind == "index" }
    triggers = objects.filter { $0.kind == "trigger" }
    views = objects.filter { $0.kind == "view" }
  }

  static func columns(
    of table: String, _ connection: Connection
  ) throws(StoreError) -> [Column] {
    try connection.rows(.allColumns(of: table)).compactMap { row in
      guard let name = row[1].text else { return nil }
      var declaration = row[2].text ?? ""
      if row[3].integer == 1 { declaration += " NOT NULL" }
      if let value = row[4].text { declaration += " DEFAULT \(value)" }
      return Column(
        name: name, declaration: declaration, isGenerated: row[6].integer ?? 0 > 1)
    }
  }
}

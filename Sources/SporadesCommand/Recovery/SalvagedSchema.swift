// SPDX-License-Identifier: MIT
import SporadesSQL

/// The tables of a damaged database, as its own list of them tells.
struct SalvagedSchema {
  struct Table {
    let name: String
    /// The first page of its tree.
    let root: Int
    let sql: String
    let columns: [String]
    /// The place of the column that holds the row's key, which records leave empty.
    let keyColumn: Int?
  }

  private(set) var tables: [Table] = []
  /// The statements that make indexes, triggers and views.
  private(set) var others: [String] = []
  /// Sentences about the tables and triggers that are left out.
  private(set) var leftOut: [String] = []

  /// Reads the list of tables, in the order in which they were made.
  init(_ reader: inout TreeReader) {
    var rows: [SalvagedRow] = []
    reader.read(treeAt: 1) { rows.append($0) }
    let virtual = Set(
      rows.compactMap { row in
        Self.text(row, 4).map(Self.isVirtual) == true ? Self.text(row, 1) : nil
      })
    for row in rows where row.values.count >= 5 {
      guard let type = Self.text(row, 0), let name = Self.text(row, 1), let sql = Self.text(row, 4),
        !name.hasPrefix("sqlite_")
      else { continue }
      if Self.isVirtual(sql) {
        leftOut.append(
          "The virtual table \(name) is left out; the program that made it can make it again.")
      } else if Self.isShadow(name, of: virtual) || !virtual.isDisjoint(with: Self.words(of: sql)) {
        // A table in which a virtual one keeps its rows, or a trigger that writes to a virtual one.
        continue
      } else if type == "table" {
        add(table: name, sql, row.values[3].integer)
      } else if Self.isPlain(sql) {
        others.append(sql)
      }
    }
  }

  private mutating func add(table name: String, _ sql: String, _ root: Int64?) {
    guard let root = root.flatMap({ Int(exactly: $0) }), root > 1,
      sql.uppercased().hasPrefix("CREATE TABLE"), let columns = Self.columns(of: sql)
    else {
      leftOut.append("The table \(name) is left out, because its description cannot be read.")
      return
    }
    guard !sql.uppercased().contains("WITHOUT ROWID") else {
      leftOut.append("The table \(name) is left out, because it is kept as an index.")
      return
    }
    tables.append(
      Table(
        name: name, root: root, sql: sql, columns: columns.map(\.name),
        keyColumn: columns.firstIndex { $0.isKey }))
  }

  private static func isShadow(_ name: String, of virtual: Set<String>) -> Bool {
    guard let end = name.lastIndex(of: "_") else { return false }
    return virtual.contains(String(name[..<end]))
  }

  /// The names in a statement.
  private static func words(of sql: String) -> Set<String> {
    Set(sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
  }

  private static func text(_ row: SalvagedRow, _ place: Int) -> String? {
    row.values.count > place ? row.values[place].text : nil
  }

  private static func isVirtual(_ sql: String) -> Bool {
    sql.uppercased().hasPrefix("CREATE VIRTUAL")
  }

  /// Whether a statement makes an index, a trigger or a view, and nothing else.
  private static func isPlain(_ sql: String) -> Bool {
    let words = sql.uppercased().split(separator: " ", maxSplits: 3).prefix(3)
    return words.first == "CREATE"
      && words.dropFirst().contains { ["INDEX", "TRIGGER", "VIEW"].contains($0) }
  }

  /// The columns that the statement of a table declares.
  private static func columns(of sql: String) -> [(name: String, isKey: Bool)]? {
    guard let start = sql.firstIndex(of: "("), let end = sql.lastIndex(of: ")"), start < end else {
      return nil
    }
    let constraints: Set = ["PRIMARY", "UNIQUE", "CONSTRAINT", "FOREIGN", "CHECK"]
    return ClauseText(String(sql[sql.index(after: start)..<end])).parts.compactMap { part in
      let words = part.text.split(separator: " ").map(String.init)
      guard let first = words.first, !constraints.contains(first.uppercased()) else { return nil }
      let rest = words.dropFirst().joined(separator: " ").uppercased()
      let name = first.filter { !"\"`[]".contains($0) }
      return (name, rest.hasPrefix("INTEGER PRIMARY KEY"))
    }
  }
}

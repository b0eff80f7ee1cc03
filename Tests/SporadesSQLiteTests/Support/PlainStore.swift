// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Testing

/// A store as SQLite's own functions show it, without a line of the library: the numbers of the entities, the rows, and
/// the links by the names of columns and tables.
@safe final class PlainStore {
  enum Cell: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// The cell as a number; nil for a text or bytes.
    var number: Double? {
      switch self {
      case .integer(let number): Double(number)
      case .real(let number): number
      case .null, .text, .blob: nil
      }
    }
  }

  private let database: OpaquePointer?
  /// The entity's number and its parent's, by its name.
  private(set) var entities: [String: (number: Int64, parent: Int64)] = [:]

  init(_ path: String) throws {
    unsafe database = try unsafe StoreFixture.database(path)
    for row in try rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16001") {
      guard case .integer(let number) = row[0], case .text(let name) = row[1] else { continue }
      let parent: Int64 = if case .integer(let parent) = row[2] { parent } else { 0 }
      entities[name] = (number, parent)
    }
  }

  deinit { unsafe sqlite3_close(database) }

  func run(_ sql: String) throws { try unsafe SQLRows.run(database, sql) }

  func rows(_ sql: String) throws -> [[Cell]] {
    var statement: OpaquePointer?
    try #require(
      unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
    defer { unsafe sqlite3_finalize(statement) }
    var rows: [[Cell]] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<(unsafe sqlite3_column_count(statement))).map { unsafe Self.cell(statement, $0) })
    }
    return rows
  }

  private static func cell(_ statement: OpaquePointer?, _ column: Int32) -> Cell {
    switch unsafe sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return unsafe .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return unsafe .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      return unsafe .text(String(cString: sqlite3_column_text(statement, column)))
    case SQLITE_BLOB:
      let start = unsafe sqlite3_column_blob(statement, column)
      let count = unsafe Int(sqlite3_column_bytes(statement, column))
      return unsafe .blob(
        Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
    default: return .null
    }
  }

  /// The names of tables, without virtual ones and the tables behind them.
  func tables() throws -> [String] {
    try texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'Z\\_RT\\_%' ESCAPE '\\'"
        + " AND name NOT LIKE 'sqlite%' ORDER BY name")
  }

  func columns(of table: String) throws -> [String] {
    try rows("PRAGMA table_info(\"\(table)\")").compactMap {
      if case .text(let name) = $0[1] { name } else { nil }
    }
  }

  private func texts(_ sql: String) throws -> [String] {
    try rows(sql).compactMap { if case .text(let text) = $0[0] { text } else { nil } }
  }

  /// The table of an entity: that of its root.
  func table(of entity: String) throws -> String {
    var (name, steps) = (entity, 0)
    while let own = entities[name], own.parent != 0, steps < 100 {
      name = try #require(entities.first { $0.value.number == own.parent }?.key)
      steps += 1
    }
    return "Z" + name.uppercased()
  }

  /// The numbers of the entity and of all below it.
  func family(of entity: String) -> Set<Int64> {
    guard let own = entities[entity]?.number else { return [] }
    var family: Set<Int64> = [own]
    var count = 0
    while count != family.count {
      count = family.count
      for other in entities.values where family.contains(other.parent) {
        family.insert(other.number)
      }
    }
    return family
  }

  // MARK: - Links

  struct Link: Hashable {
    let from: Int64
    let to: Int64
  }

  private func list(_ numbers: Set<Int64>) -> String {
    numbers.map(String.init).joined(separator: ", ")
  }

  private func existing(_ entity: String) throws -> String {
    "(SELECT Z_PK FROM \(try table(of: entity)) WHERE Z_ENT IN (\(list(family(of: entity)))))"
  }

  /// The links of a column with keys, from the row that holds the key. Links to missing rows are left out. Nil if two
  /// entities of the tree have such a column, so that the name does not tell which is whose.
  func toOne(_ column: String, from entity: String, to destination: String) throws -> Set<Link>? {
    guard try !columns(of: table(of: entity)).contains(column + "1") else { return nil }
    return try links(
      "SELECT Z_PK, \(column) FROM \(try table(of: entity)) WHERE Z_PK IN \(try existing(entity)) AND \(column) IN "
        + "\(try existing(destination))")
  }

  /// The links of a join between two relationships, from the first entity to the second. Nil if there is no such table.
  func join(
    _ name: String, of entity: String, _ inverse: String, of destination: String
  ) throws -> Set<Link>? {
    for table in try tables() where table.hasPrefix("Z_") {
      let columns = try columns(of: table).filter { !$0.hasPrefix("Z_FOK_") }
      guard columns.count == 2 else { continue }
      for (near, far) in [(0, 1), (1, 0)] {
        // The column with the keys of the owners bears the name of the other side, and the reverse.
        guard matches(columns[near], entity, inverse),
          columns[far] == "REFLEXIVE" || matches(columns[far], destination, name),
          bearsName(table, entity, name) || bearsName(table, destination, inverse)
        else { continue }
        return try links(
          "SELECT \(columns[near]), \(columns[far]) FROM \"\(table)\" WHERE \(columns[near]) IN "
            + "\(try existing(entity)) AND \(columns[far]) IN \(try existing(destination))")
      }
    }
    return nil
  }

  private func bearsName(_ table: String, _ entity: String, _ relationship: String) -> Bool {
    table == "Z_\(entities[entity]?.number ?? 0)\(relationship.uppercased())"
  }

  private func matches(_ column: String, _ entity: String, _ relationship: String) -> Bool {
    let wanted = "Z_\(entities[entity]?.number ?? 0)\(relationship.uppercased())"
    return column.hasPrefix(wanted) && column.dropFirst(wanted.count).allSatisfy(\.isNumber)
  }

  private func links(_ sql: String) throws -> Set<Link> {
    Set(
      try rows(sql).compactMap { row in
        guard case .integer(let from) = row[0], case .integer(let to) = row[1] else { return nil }
        return Link(from: from, to: to)
      })
  }

  // MARK: - Comparing

  /// All cells of all tables, but for the numbers of versions, and for what every save of any object writes: the largest
  /// keys and the history.
  func contents() throws -> [String: [[Cell]]] {
    var contents: [String: [[Cell]]] = [:]
    for table in try tables()
    where !["Z_PRIMARYKEY", "ATRANSACTION", "ACHANGE", "ATRANSACTIONSTRING"].contains(table) {
      let columns = try columns(of: table).filter { $0 != "Z_OPT" }.map { "\"\($0)\"" }
      contents[table] = try rows(
        "SELECT \(columns.joined(separator: ", ")) FROM \"\(table)\" ORDER BY \(columns.joined(separator: ", "))"
      )
    }
    contents["sqlite_master"] = try rows("SELECT type, name, tbl_name, sql FROM sqlite_master")
    return contents
  }
}

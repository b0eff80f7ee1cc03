// SPDX-License-Identifier: MIT
import CSQLite
import SporadesSearch
import Testing

/// A table of FTS5 in memory, with folded texts in its columns.
@safe final class FullTextTable {
  /// A found row, and its rank.
  struct Row: Equatable {
    var number: Int
    var rank: Double
    var text = ""
  }

  private let database: OpaquePointer?

  init(columns: Int) throws {
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(":memory:", &database) == SQLITE_OK)
    unsafe self.database = database
    let names = (0..<columns).map { "c\($0)" }.joined(separator: ", ")
    try run("CREATE VIRTUAL TABLE t USING fts5(\(names), tokenize='ascii')", [])
    try run("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)", [])
  }

  deinit { unsafe sqlite3_close(database) }

  func insert(_ number: Int, _ texts: [String]) throws {
    let marks = texts.map { _ in ", ?" }.joined()
    let names = texts.indices.map { ", c\($0)" }.joined()
    try run("INSERT INTO t(rowid\(names)) VALUES (\(number)\(marks))", texts)
  }

  func insert(_ texts: [[String]], _ form: SearchForm) throws {
    try run("BEGIN", [])
    for (number, row) in texts.enumerated() {
      try insert(number, row.map { SearchTokens.folded($0, form) })
    }
    try run("COMMIT", [])
  }

  /// The rows that an expression finds, in the order of their numbers.
  func rows(_ expression: String?, weights: [Double] = []) throws -> [Row] {
    guard let expression else { return [] }
    let weights = weights.map { ", \($0)" }.joined()
    return try run(
      "SELECT rowid, bm25(t\(weights)) FROM t WHERE t MATCH ? ORDER BY rowid", [expression])
  }

  func numbers(_ expression: String?) throws -> [Int] { try rows(expression).map(\.number) }

  /// The tokens that FTS5 found in each row, in order.
  func tokens() throws -> [Int: [String]] {
    let rows = try run("SELECT doc, 0.0, term FROM v ORDER BY doc, col, offset", [])
    return Dictionary(grouping: rows, by: \.number).mapValues { $0.map(\.text) }
  }

  @discardableResult
  func run(_ sql: String, _ arguments: [String]) throws -> [Row] {
    var statement: OpaquePointer?
    try #require(
      unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
    defer { unsafe sqlite3_finalize(statement) }
    let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (place, text) in arguments.enumerated() {
      unsafe sqlite3_bind_text(
        statement, Int32(place + 1), text, Int32(text.utf8.count), copied)
    }
    var rows: [Row] = []
    while true {
      let code = unsafe sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        try #require(
          code == SQLITE_DONE,
          "\(unsafe String(cString: sqlite3_errmsg(database))): \(sql) \(arguments)")
        return rows
      }
      rows.append(
        Row(
          number: Int(unsafe sqlite3_column_int64(statement, 0)),
          rank: unsafe sqlite3_column_double(statement, 1),
          text: unsafe sqlite3_column_text(statement, 2).map { unsafe String(cString: $0) } ?? ""))
    }
  }
}

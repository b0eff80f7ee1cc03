// SPDX-License-Identifier: MIT
import CSQLite
import Testing

/// What plain SQL reads from a database, for tests that compare with it.
enum SQLRows {
  /// The first column of all rows.
  static func texts(_ database: OpaquePointer?, _ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    try #require(
      unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
    defer { unsafe sqlite3_finalize(statement) }
    var texts: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      texts.append(
        unsafe sqlite3_column_text(statement, 0).map { unsafe String(cString: $0) } ?? "")
    }
    return texts
  }

  /// The first column of the first row, as bytes.
  static func bytes(_ database: OpaquePointer?, _ sql: String) throws -> [UInt8] {
    var statement: OpaquePointer?
    try #require(
      unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
    defer { unsafe sqlite3_finalize(statement) }
    try #require(unsafe sqlite3_step(statement) == SQLITE_ROW)
    let start = unsafe sqlite3_column_blob(statement, 0)
    let count = unsafe Int(sqlite3_column_bytes(statement, 0))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  static func run(_ database: OpaquePointer?, _ sql: String) throws {
    try #require(unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
  }
}

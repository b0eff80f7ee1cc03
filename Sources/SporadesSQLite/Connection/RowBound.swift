// SPDX-License-Identifier: MIT
import CSQLite
import SporadesSQL
import SporadesStore

/// Counts the rows of a statement, and stops at more rows than the file can hold.
///
/// In a damaged file, a page may refer to another page many times, which refers to a third page many times,
/// and so on. Twenty such pages yield more rows than memory holds, and SQLite does not detect it.
struct RowBound {
  private var rows = 0
  private var nextLook = 1 << 17
  /// The size of the smallest row in a table.
  private static let smallestRow: Int64 = 4

  @inline(__always)
  mutating func count(_ more: Int, of statement: Statement) throws(StoreError) {
    rows += more
    if rows >= nextLook { try look(statement) }
  }

  private mutating func look(_ statement: Statement) throws(StoreError) {
    nextLook = rows * 2
    let handle = unsafe sqlite3_db_handle(statement.pointer)
    guard let size = try unsafe Self.size(handle) else { return }
    guard Int64(rows) <= size / Self.smallestRow else {
      throw StoreError(
        .corrupt,
        "The file is damaged: it has room for no more than \(size / Self.smallestRow) rows, but its "
          + "pages contain more. Restore a copy of it.")
    }
  }

  /// The size of the database in bytes; nil if an integer cannot hold it.
  private static func size(_ handle: OpaquePointer?) throws(StoreError) -> Int64? {
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    let sql = SQLStatement.byteCount.sql
    guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
      unsafe sqlite3_step(statement) == SQLITE_ROW
    else {
      throw unsafe StoreError.sqlite(
        sqlite3_errcode(handle), handle, "SQLite does not tell the size of the file.")
    }
    guard unsafe sqlite3_column_type(statement, 0) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_column_int64(statement, 0)
  }
}

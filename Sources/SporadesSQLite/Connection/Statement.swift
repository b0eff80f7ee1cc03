// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
package import SporadesSQL
package import SporadesStore

/// A prepared statement. One thread at a time uses it, together with its connection.
@safe
package final class Statement: @unchecked Sendable {
  // @unchecked: it moves between threads with its connection, and two threads never use it at once.
  let pointer: OpaquePointer
  /// The first parameter that SQLite refused since the last run, and its error code. The next step throws it,
  /// because the statement would see nil in its place.
  private var refused: (place: Int32, code: Int32)?
  private var isFinalized = false

  /// Prepares a statement without binding values.
  init(_ statement: SQLStatement, on connection: Connection) throws(StoreError) {
    var prepared: OpaquePointer?
    var sql = statement.sql
    let handle = unsafe connection.handle
    guard let length = Int32(exactly: sql.utf8.count) else {
      throw StoreError(
        .unsupported, "A statement is longer than SQLite accepts. Ask for less at once.")
    }
    try connection.learnFunctions(of: sql)
    let code = sql.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { text in
        unsafe sqlite3_prepare_v3(
          handle, text.baseAddress, length, UInt32(SQLITE_PREPARE_PERSISTENT),
          &prepared, nil)
      }
    }
    guard code == SQLITE_OK, let pointer = unsafe prepared else {
      throw unsafe StoreError.sqlite(code, handle, "The statement was: \(sql)")
    }
    unsafe self.pointer = pointer
  }

  /// Takes over a statement that is prepared already.
  @unsafe
  init(prepared pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { finalize() }

  /// Finalizes the statement before its last reference goes. It must not be used afterwards. SQLite's result repeats
  /// the error of the last step, which that step threw.
  func finalize() {
    guard !isFinalized else { return }
    isFinalized = true
    unsafe sqlite3_finalize(pointer)
  }

  var isBusy: Bool { unsafe sqlite3_stmt_busy(pointer) != 0 }

  // MARK: - Running

  /// Moves to the next row. Returns false after the last row; the statement can then run again.
  package func step() throws(StoreError) -> Bool {
    try checkParameters()
    let code = unsafe sqlite3_step(pointer)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else { throw failure(code) }
    try end()
    return false
  }

  /// Runs a statement and ignores its rows.
  package func run() throws(StoreError) {
    try checkParameters()
    let code = unsafe sqlite3_step(pointer)
    guard code == SQLITE_DONE || code == SQLITE_ROW else { throw failure(code) }
    try end()
  }

  /// Ends a run and throws its error: a statement may write when it ends.
  func end() throws(StoreError) {
    let code = unsafe sqlite3_reset(pointer)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Skips the remaining rows. SQLite's result repeats the error of the last step, which that step threw.
  package func reset() { unsafe sqlite3_reset(pointer) }

  /// Throws if SQLite refused a parameter.
  func checkParameters() throws(StoreError) {
    guard let refused else { return }
    self.refused = nil
    let isTooLarge = refused.code & 0xFF == SQLITE_TOOBIG
    throw unsafe StoreError.sqlite(
      refused.code, sqlite3_db_handle(pointer),
      isTooLarge
        ? "The statement was: \(text)" : "It was parameter \(refused.place) of: \(text)")
  }

  private func note(_ code: Int32, _ place: Int32) {
    if code != SQLITE_OK, refused == nil { refused = (place, code) }
  }

  private var text: String {
    unsafe sqlite3_sql(pointer).map { unsafe String(cString: $0) } ?? "a statement"
  }

  /// Resets the statement after a failed step, and returns the error.
  func failure(_ code: Int32) -> StoreError {
    let error = unsafe StoreError.sqlite(
      code, sqlite3_db_handle(pointer), "The statement was: \(text)")
    unsafe sqlite3_reset(pointer)
    return error
  }

  // MARK: - Parameters, which count from 1

  package func bind(_ number: Int64, at place: Int32) {
    note(unsafe sqlite3_bind_int64(pointer, place, number), place)
  }

  package func bindNull(at place: Int32) { note(unsafe sqlite3_bind_null(pointer, place), place) }

  package func bind(_ value: SQLValue, at place: Int32) {
    let code =
      switch value {
      case .null: unsafe sqlite3_bind_null(pointer, place)
      case .integer(let number): unsafe sqlite3_bind_int64(pointer, place, number)
      case .real(let number): unsafe sqlite3_bind_double(pointer, place, number)
      case .text(let text): bindText(text, place)
      case .blob(let bytes):
        unsafe bytes.withUnsafeBytes { memory in
          unsafe memory.isEmpty
            ? sqlite3_bind_zeroblob(pointer, place, 0)
            : sqlite3_bind_blob64(
              pointer, place, memory.baseAddress, UInt64(memory.count), sporades_transient())
        }
      }
    note(code, place)
  }

  private func bindText(_ text: String, _ place: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { text in
        unsafe sqlite3_bind_text64(
          pointer, place, text.baseAddress ?? UnsafePointer(bitPattern: 1), UInt64(text.count),
          sporades_transient(), UInt8(SQLITE_UTF8))
      }
    }
  }

  func bind(_ values: [SQLValue]) {
    for (place, value) in values.enumerated() { bind(value, at: Int32(place + 1)) }
  }

  func bind(_ numbers: [Int64]) {
    for (place, number) in numbers.enumerated() { bind(number, at: Int32(place + 1)) }
  }

  // MARK: - Columns, which count from 0

  package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(pointer, column) }

  package func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(pointer, column) }

  /// The key of a row of the model, from a column of a table.
  func key(_ column: Int32, of table: String) throws(StoreError) -> Int64 {
    let key = integer(column)
    guard 0...RowKey.largestPrimaryKey ~= key,
      unsafe sqlite3_column_type(pointer, column) == SQLITE_INTEGER
    else { throw noKey(column, of: table) }
    return key
  }

  func noKey(_ column: Int32, of table: String) -> StoreError {
    let name = unsafe sqlite3_column_name(pointer, column).map { unsafe String(cString: $0) }
    return StoreError(
      .corrupt,
      "\(table).\(name ?? "a column") holds an impossible key. Keys are whole numbers from 1 to "
        + "\(RowKey.largestPrimaryKey). Correct or delete those rows, or restore a copy of the store."
    )
  }

  package func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL
  }

  func row() -> [SQLValue] {
    (0..<(unsafe sqlite3_column_count(pointer))).map { value($0) }
  }

  package func value(_ column: Int32) -> SQLValue {
    switch unsafe sqlite3_column_type(pointer, column) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(pointer, column))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(pointer, column))
    case SQLITE_TEXT:
      return .text(unsafe String(decoding: bytes(column), as: UTF8.self))
    case SQLITE_BLOB: return .blob(unsafe Array(bytes(column)))
    default: return .null
    }
  }

  private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = unsafe sqlite3_column_blob(pointer, column)
    let count = unsafe sqlite3_column_bytes(pointer, column)
    return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count))
  }
}

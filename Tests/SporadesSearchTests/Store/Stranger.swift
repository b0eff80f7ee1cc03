// SPDX-License-Identifier: MIT
import CSQLite
import Testing

/// Another program on the file: plain SQLite, built without full-text search.
@safe final class Stranger {
  private let handle: OpaquePointer
  /// A module that refuses every table, in the place of the one that SQLite has.
  private let stub: UnsafeMutablePointer<sqlite3_module>

  init(_ path: String) throws {
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(
      path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    try #require(code == SQLITE_OK)
    unsafe handle = try #require(unsafe opened)
    unsafe sqlite3_busy_timeout(handle, 5_000)
    unsafe stub = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    var module = sqlite3_module()
    module.iVersion = 1
    unsafe module.xCreate = { _, _, _, _, _, _ in SQLITE_ERROR }
    unsafe module.xConnect = { _, _, _, _, _, _ in SQLITE_ERROR }
    unsafe stub.initialize(to: module)
    let answer = unsafe sqlite3_create_module(handle, "fts5", stub, nil)
    try #require(answer == SQLITE_OK)
  }

  deinit {
    unsafe sqlite3_close_v2(handle)
    unsafe stub.deallocate()
  }

  private var message: String { unsafe String(cString: sqlite3_errmsg(handle)) }

  func run(_ sql: String) throws {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(message): \(sql)")
  }

  func fails(_ sql: String) -> Bool {
    unsafe sqlite3_exec(handle, sql, nil, nil, nil) != SQLITE_OK
  }

  func texts(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    try #require(code == SQLITE_OK, "\(message): \(sql)")
    defer { unsafe sqlite3_finalize(statement) }
    var texts: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      let text = unsafe sqlite3_column_text(statement, 0)
      unsafe texts.append(text.map { unsafe String(cString: $0) } ?? "NULL")
    }
    return texts
  }
}

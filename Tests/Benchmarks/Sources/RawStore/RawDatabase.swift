// SPDX-License-Identifier: MIT
public import CRawSQLite

/// A connection as a program without a library opens it.
///
/// Page cache, checkpoints and `secure_delete` are left as SQLite sets them, because that is what
/// people compare with. Only the journal and the synchronous level are chosen.
@safe
public struct RawDatabase: ~Copyable {
  @usableFromInline let handle: OpaquePointer

  /// When a commit waits for the disk.
  public enum Synchronous: String {
    case normal = "NORMAL"
    case full = "FULL"
  }

  public init(_ path: String, synchronous: Synchronous = .normal) {
    var opened: OpaquePointer?
    // No mutex, because the connection stays on one thread; it saves a lock per call.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard unsafe sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened = unsafe opened
    else { fatalError("SQLite cannot open \(path).") }
    unsafe handle = opened
    // Connections that open at the same time wait for each other.
    execute("PRAGMA busy_timeout=10000")
    execute("PRAGMA journal_mode=WAL")
    execute("PRAGMA synchronous=\(synchronous.rawValue)")
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  @inlinable
  public func execute(_ sql: String) {
    guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      fatalError("\(sql): \(message)")
    }
  }

  public func prepare(_ sql: String) -> RawStatement {
    var statement: OpaquePointer?
    guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
      let statement = unsafe statement
    else { fatalError("\(sql): \(message)") }
    return unsafe RawStatement(statement)
  }

  /// Registers the functions that a file's triggers call, as a program without Core Data does: they do nothing.
  func registerTriggerFunctions() {
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue",
      "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    ] {
      let code = unsafe sqlite3_create_function_v2(
        handle, name, 5, SQLITE_UTF8, nil,
        { context, _, _ in unsafe sqlite3_result_null(context) }, nil, nil, nil)
      guard code == SQLITE_OK else { fatalError("SQLite refused the function \(name): \(message)") }
    }
  }

  /// The single number a statement answers.
  public func number(_ sql: String) -> Int64 {
    let statement = prepare(sql)
    precondition(statement.step(), "\(sql) answers no row.")
    return statement.integer(0)
  }

  @usableFromInline var message: String { unsafe String(cString: sqlite3_errmsg(handle)) }
}

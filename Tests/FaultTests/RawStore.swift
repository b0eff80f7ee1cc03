// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Testing

/// The file of a store, read and changed with SQLite alone.
enum RawStore {
  /// Runs statements on a connection of their own.
  static func change(_ store: URL, _ sql: String) throws {
    let database = unsafe try open(store)
    defer { unsafe sqlite3_close(database) }
    let code = unsafe sqlite3_exec(database, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(unsafe String(cString: sqlite3_errmsg(database)))")
  }

  /// The tables of Core Data's history, with one column for a kept value.
  static let historyTables = """
    CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE \
    INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, \
    ZTOMBSTONE0 BLOB );
    CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS \
    INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, \
    ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
    CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZNAME VARCHAR );
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0), \
    (16003, 'TRANSACTIONSTRING', 0, 0)
    """

  private static func open(_ store: URL) throws -> OpaquePointer? {
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(store.path, &database) == SQLITE_OK)
    return unsafe database
  }

  // MARK: - Reading

  /// The first column of each row.
  static func texts(_ store: URL, _ sql: String) throws -> [String] {
    let database = unsafe try open(store)
    defer { unsafe sqlite3_close(database) }
    return unsafe try texts(database, sql)
  }

  @unsafe
  private static func texts(_ database: OpaquePointer?, _ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    try #require(
      unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
    defer { unsafe sqlite3_finalize(statement) }
    var texts: [String] = []
    while true {
      let code = unsafe sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        try #require(code == SQLITE_DONE, "\(sql)")
        return texts
      }
      texts.append(
        unsafe sqlite3_column_text(statement, 0).map { unsafe String(cString: $0) } ?? "")
    }
  }

  /// Everything in the file: the schema, all rows of all tables, and the contents of the files that the rows name.
  static func image(_ store: URL) throws -> [String] {
    let database = unsafe try open(store)
    defer { unsafe sqlite3_close(database) }
    var lines = unsafe try texts(
      database, "SELECT type || ' ' || name || ' ' || IFNULL(sql, '') FROM sqlite_master ORDER BY 1"
    )
    let tables = unsafe try texts(
      database, "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY 1")
    for table in tables {
      let columns = unsafe try texts(
        database,
        // Another run writes its transaction of the history at another moment, or in another program.
        "SELECT 'quote(\"' || name || '\")' FROM pragma_table_info('\(table)') "
          + "WHERE name NOT IN ('ZTIMESTAMP', 'ZPROCESSIDTS')")
      let rows = unsafe try texts(
        database, "SELECT \(columns.joined(separator: " || ' ' || ")) FROM \"\(table)\"")
      lines += rows.sorted().filter { !namesProgram($0) }
        .map { "\(table): \(withContents($0, of: store))" }
    }
    return lines
  }

  /// The row is the name of the program that wrote a transaction, this one or the probe, or counts such names.
  private static func namesProgram(_ row: String) -> Bool {
    let own = CommandLine.arguments[0].split(separator: "/").last.map(String.init) ?? ""
    return ["FaultProbe", own, "TRANSACTIONSTRING"].contains { row.contains("'\($0)'") }
  }

  static func valueFolder(_ store: URL) -> URL {
    let name = store.deletingPathExtension().lastPathComponent
    return store.deletingLastPathComponent().appendingPathComponent(
      ".\(name)_SUPPORT/_EXTERNAL_DATA")
  }

  /// The names of all files of large values.
  static func valueFiles(_ store: URL) -> [String] {
    // A store without large values has no such folder.
    (try? FileManager.default.contentsOfDirectory(atPath: valueFolder(store).path)) ?? []
  }

  /// Replaces each name of a file, `X'02…00'`, with the size and first byte of the file. Names differ from run to run.
  private static func withContents(_ row: String, of store: URL) -> String {
    row.split(separator: " ", omittingEmptySubsequences: false).map { part -> String in
      guard part.hasPrefix("X'02"), part.hasSuffix("00'"), part.utf8.count == 79 else {
        return String(part)
      }
      let digits = Array(part.utf8.dropFirst(4).dropLast(3))
      let name = stride(from: 0, to: digits.count, by: 2).map { place in
        UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) ?? 0
      }
      let file = valueFolder(store).appendingPathComponent(String(decoding: name, as: UTF8.self))
      guard let bytes = try? Data(contentsOf: file) else { return "a missing file" }
      return "a file of \(bytes.count) times \(Set(bytes).sorted())"
    }.joined(separator: " ")
  }
}

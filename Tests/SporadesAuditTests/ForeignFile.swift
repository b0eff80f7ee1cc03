// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Testing

/// A store's file, as another program sees it.
struct ForeignFile {
  private let url: URL

  init(_ url: URL) throws { self.url = url }

  var tables: [String] {
    get throws { try texts("SELECT name FROM sqlite_master WHERE type = 'table'") }
  }

  /// The names of the attributes whose values are kept.
  var names: [String] {
    get throws { try texts("SELECT DISTINCT NAME FROM SPORADES_VALUE ORDER BY NAME") }
  }

  func count(_ table: String) throws -> Int {
    let text = try texts("SELECT count(*) FROM \(table)").first
    return try #require(text.flatMap { Int($0) })
  }

  private func texts(_ sql: String) throws -> [String] {
    var handle: OpaquePointer?
    try #require(unsafe sqlite3_open(url.path, &handle) == SQLITE_OK)
    defer { unsafe sqlite3_close(handle) }
    var statement: OpaquePointer?
    try #require(unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
    defer { unsafe sqlite3_finalize(statement) }
    var texts: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      if let text = unsafe sqlite3_column_text(statement, 0) {
        texts.append(unsafe String(cString: text))
      }
    }
    return texts
  }
}

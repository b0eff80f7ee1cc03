// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Testing

/// A program that knows the file and nothing of the library.
enum OtherProgram {
  static func run(_ statements: [String], on url: URL) throws {
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(url.path, &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    // because the store may be committing or cleaning its log just then
    try #require(unsafe sqlite3_busy_timeout(database, 10_000) == SQLITE_OK)
    for sql in statements {
      try #require(unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
    }
  }
}

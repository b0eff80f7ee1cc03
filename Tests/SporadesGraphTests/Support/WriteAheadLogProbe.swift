// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Testing

/// Looks at the log of a SQLite file as another process would.
enum WriteAheadLogProbe {
  /// Whether somebody reads from the log and so keeps it from being begun anew.
  static func isHeld(_ store: URL) throws -> Bool {
    try unsafe open(store) { database in
      // A connection knows of the log once it has read.
      let read = unsafe sqlite3_exec(database, "SELECT COUNT(*) FROM sqlite_master", nil, nil, nil)
      try #require(read == SQLITE_OK)
      let mode = SQLITE_CHECKPOINT_TRUNCATE
      return unsafe sqlite3_wal_checkpoint_v2(database, nil, mode, nil, nil) == SQLITE_BUSY
    }
  }

  /// Makes a store that is closed one without a log.
  static func giveUp(_ store: URL) throws {
    try unsafe open(store) { database in
      let code = unsafe sqlite3_exec(database, "PRAGMA journal_mode = DELETE", nil, nil, nil)
      try #require(code == SQLITE_OK)
    }
  }

  @unsafe
  private static func open<Output>(
    _ store: URL, _ body: (OpaquePointer?) throws -> Output
  ) throws -> Output {
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(store.path, &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    return try unsafe body(database)
  }
}

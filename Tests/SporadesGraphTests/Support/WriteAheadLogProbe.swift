// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Testing

/// Looks at the log of a SQLite file as another process would.
enum WriteAheadLogProbe {
  /// Whether somebody reads from the log and so keeps it from being begun anew.
  static func isHeld(_ store: URL) throws -> Bool {
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(store.path, &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    // A connection knows of the log once it has read.
    let read = unsafe sqlite3_exec(database, "SELECT COUNT(*) FROM sqlite_master", nil, nil, nil)
    try #require(read == SQLITE_OK)
    let mode = SQLITE_CHECKPOINT_TRUNCATE
    return unsafe sqlite3_wal_checkpoint_v2(database, nil, mode, nil, nil) == SQLITE_BUSY
  }
}

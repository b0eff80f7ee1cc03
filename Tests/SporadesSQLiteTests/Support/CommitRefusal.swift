// SPDX-License-Identifier: MIT
import CSQLite
import SporadesSQLite

/// Commits that fail, and with which SQLite gives up the transaction.
enum CommitRefusal {
  static func during(_ store: SQLiteStore, _ body: () throws -> Void) rethrows {
    unsafe store.withWriter { unsafe sqlite3_commit_hook($0, { _ in 1 }, nil) }
    defer { unsafe store.withWriter { unsafe sqlite3_commit_hook($0, nil, nil) } }
    try body()
  }
}

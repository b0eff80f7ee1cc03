// SPDX-License-Identifier: MIT
import SporadesSQL

// The statements that only SQLite has. All others come from SporadesSQL.

// MARK: - Transactions

extension SQLStatement {
  static let begin = SQLStatement("BEGIN")
  static let beginToWrite = SQLStatement("BEGIN IMMEDIATE")
  static let commit = SQLStatement("COMMIT")
  static let rollback = SQLStatement("ROLLBACK")

  /// Takes the lock for writing, and gives it back.
  static let tryToWrite = SQLStatement("BEGIN IMMEDIATE; ROLLBACK")
  /// Takes the file for this connection alone, and gives it back.
  static let tryToOwn = SQLStatement("BEGIN EXCLUSIVE; COMMIT")
  /// Takes the file for this connection alone until it is closed, and begins a transaction.
  static let beginAlone = SQLStatement("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE")

  enum Savepoint: String {
    case changes, parking
  }

  static func begin(_ savepoint: Savepoint) -> SQLStatement {
    SQLStatement("SAVEPOINT \(savepoint.rawValue)")
  }
  static func release(_ savepoint: Savepoint) -> SQLStatement {
    SQLStatement("RELEASE \(savepoint.rawValue)")
  }
  static func rollBack(to savepoint: Savepoint) -> SQLStatement {
    SQLStatement("ROLLBACK TO \(savepoint.rawValue)")
  }
  /// Undoes all since the savepoint, and ends it.
  static func undo(_ savepoint: Savepoint) -> SQLStatement {
    SQLStatement("ROLLBACK TO \(savepoint.rawValue); RELEASE \(savepoint.rawValue)")
  }
}

// MARK: - Files and settings

extension SQLStatement {
  /// A number that changes when another connection commits.
  static let dataVersion = SQLStatement("PRAGMA data_version")
  static let encoding = SQLStatement("PRAGMA encoding")
  static let pageCount = SQLStatement("PRAGMA page_count")
  /// The bytes of the database.
  static let byteCount = SQLStatement(
    "SELECT p.page_count * s.page_size FROM pragma_page_count p, pragma_page_size s")
  static let quickCheck = SQLStatement("PRAGMA quick_check(1)")
  static let integrityCheck = SQLStatement("PRAGMA integrity_check")
  static let emptyLog = SQLStatement("PRAGMA wal_checkpoint(TRUNCATE)")
  static let journalMode = SQLStatement("PRAGMA journal_mode")

  /// The modes are `WAL` and `DELETE`.
  static func setJournalMode(_ mode: String) -> SQLStatement {
    SQLStatement("PRAGMA journal_mode = \(mode)")
  }

  static func setCache(kilobytes: Int) -> SQLStatement {
    SQLStatement("PRAGMA cache_size = -\(kilobytes)")
  }

  /// The settings of a new file, which can be chosen only before its first table.
  static let settingsOfFile = SQLStatement("PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2")

  /// The settings of each connection.
  static func settings(
    overwritesDeleted: Bool, mappedBytes: Int, cacheKilobytes: Int
  ) -> SQLStatement {
    SQLStatement(
      """
      PRAGMA temp_store = MEMORY;
      PRAGMA secure_delete = \(overwritesDeleted ? "ON" : "OFF");
      PRAGMA mmap_size = \(mappedBytes);
      PRAGMA cache_size = -\(cacheKilobytes);
      """)
  }

  /// The settings of the connection that writes: how it syncs, and its cache.
  static func settingsOfWriter(synchronous mode: String, cacheKilobytes: Int) -> SQLStatement {
    SQLStatement(
      """
      PRAGMA synchronous = \(mode);
      PRAGMA cache_size = -\(cacheKilobytes)
      """)
  }

  /// Writes a copy of the database to a file.
  static func copy(to path: String) -> SQLStatement {
    SQLStatement("VACUUM INTO ?", [.text(path)])
  }
}

// MARK: - Tables

extension SQLStatement {
  /// The number of tables, indexes and triggers.
  static let countSchema = SQLStatement("SELECT COUNT(*) FROM sqlite_master")

  /// The names of tables. Virtual tables and views have no root page: they read and write as whoever made
  /// the file likes.
  static let tables = SQLStatement(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")

  static let triggers = SQLStatement("SELECT name FROM sqlite_master WHERE type = 'trigger'")

  /// The names of virtual tables that begin with a prefix.
  static func virtualTables(beginningWith prefix: String) -> SQLStatement {
    let pattern = prefix.split(separator: "_", omittingEmptySubsequences: false)
      .joined(separator: "#_")
    return SQLStatement(
      """
      SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE ? ESCAPE '#' \
      AND sql LIKE 'CREATE VIRTUAL TABLE%'
      """, [.text(pattern + "%")])
  }

  /// The columns of a table, one per row; the second value is the name, the third the type.
  static func columns(of table: String) -> SQLStatement {
    SQLStatement("PRAGMA table_info(\(SQLiteDialect().quoted(table)))")
  }

  /// The values of so many bytes in a column of any table, of the store or not.
  static func values(
    ofLength length: Int, column: String, table: String
  ) -> SQLStatement {
    let column = SQLiteDialect().quoted(column)
    return SQLStatement(
      """
      SELECT \(column) FROM \(SQLiteDialect().quoted(table)) \
      WHERE LENGTH(\(column)) = \(length)
      """)
  }
}

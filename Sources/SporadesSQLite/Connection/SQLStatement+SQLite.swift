// SPDX-License-Identifier: MIT
import SporadesSQL

// The statements that are specific to SQLite. SporadesSQL has all others.

// MARK: - Transactions

extension SQLStatement {
  static let begin = SQLStatement("BEGIN")
  static let beginToWrite = SQLStatement("BEGIN IMMEDIATE")
  static let commit = SQLStatement("COMMIT")
  static let rollback = SQLStatement("ROLLBACK")

  /// Takes the write lock and releases it.
  static let tryToWrite = SQLStatement("BEGIN IMMEDIATE; ROLLBACK")
  /// Locks the file exclusively until the transaction ends.
  static let beginExclusively = SQLStatement("BEGIN EXCLUSIVE")
  /// Lets the connection lock the file exclusively at its next statement, until it closes.
  static let lockAlone = SQLStatement("PRAGMA locking_mode = EXCLUSIVE")
  /// Locks the file exclusively until the connection closes, and begins a transaction.
  static let beginAlone = SQLStatement("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE")

  /// Begins a change set that can be undone while the transaction goes on.
  static let savepoint = SQLStatement("SAVEPOINT changes")
  static let release = SQLStatement("RELEASE changes")
  /// Undoes every change since the savepoint, and ends the savepoint.
  static let undo = SQLStatement("ROLLBACK TO changes; RELEASE changes")
}

// MARK: - Files and settings

extension SQLStatement {
  /// A number that changes when another connection commits.
  static let dataVersion = SQLStatement("PRAGMA data_version")
  /// The number of tables, indexes, triggers and views by which a statement may change rows that SQLite does not tell.
  static let silentChanges = SQLStatement(
    """
    SELECT count(*) FROM sqlite_master WHERE type = 'view' OR sql LIKE '%REPLACE%' OR sql LIKE '%WITHOUT%ROWID%'
    """)
  /// 0 if the column, which is the second parameter, holds the row numbers of the table, which is the first one.
  static let otherRowNumbers = SQLStatement(
    """
    SELECT (SELECT count(*) FROM pragma_index_list(?1) WHERE origin = 'pk') + NOT EXISTS (SELECT 1 FROM \
    pragma_table_info(?1) WHERE pk = 1 AND type = 'INTEGER' COLLATE NOCASE AND name = ?2 COLLATE NOCASE)
    """)
  /// A number that changes with each change of the tables, indexes and triggers.
  static let schemaVersion = SQLStatement("PRAGMA schema_version")
  /// Changes that number and nothing else.
  static let renewSchema = SQLStatement(
    "CREATE TABLE SPORADES_SCHEMA (A); DROP TABLE SPORADES_SCHEMA")
  static let encoding = SQLStatement("PRAGMA encoding")
  static let pageCount = SQLStatement("PRAGMA page_count")
  /// The size of the database in bytes.
  static let byteCount = SQLStatement(
    "SELECT p.page_count * s.page_size FROM pragma_page_count p, pragma_page_size s")
  static let quickCheck = SQLStatement("PRAGMA quick_check(1)")
  static func integrityCheck(limit: Int) -> SQLStatement {
    SQLStatement("PRAGMA integrity_check(\(limit))")
  }
  /// 1 if the statement finds a row, else 0. SQLite stops at the first one.
  static func finds(_ statement: SQLStatement) -> SQLStatement {
    SQLStatement("SELECT EXISTS (\(statement.sql))", statement.bindings)
  }
  /// Writes the database anew, without its empty pages.
  static let vacuum = SQLStatement("VACUUM")
  static let rebuildIndexes = SQLStatement("REINDEX")
  static let emptyLog = SQLStatement("PRAGMA wal_checkpoint(TRUNCATE)")
  static let journalMode = SQLStatement("PRAGMA journal_mode")

  /// The modes are `WAL` and `DELETE`.
  static func setJournalMode(_ mode: String) -> SQLStatement {
    SQLStatement("PRAGMA journal_mode = \(mode)")
  }

  static func setCache(kilobytes: Int) -> SQLStatement {
    SQLStatement("PRAGMA cache_size = -\(kilobytes)")
  }

  /// The settings of a new file, which SQLite accepts only before the first table exists.
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

  /// The settings of the writing connection: its sync mode and its cache.
  static func settingsOfWriter(synchronous mode: String, cacheKilobytes: Int) -> SQLStatement {
    SQLStatement(
      """
      PRAGMA synchronous = \(mode);
      PRAGMA cache_size = -\(cacheKilobytes)
      """)
  }

  /// The settings of a connection that writes a file nobody else has open. The file is synced at the end, or
  /// removed.
  static let settingsOfDraft = SQLStatement("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
}

// MARK: - Tables

extension SQLStatement {
  /// The number of tables, indexes and triggers.
  static let countSchema = SQLStatement("SELECT COUNT(*) FROM sqlite_master")

  /// The names of tables. Virtual tables and views are left out: they have no root page, and the creator of
  /// the file decides what they read and write.
  static let tables = SQLStatement(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")

  /// The indexes over whole columns and all rows: name, table, whether it is unique, and the columns with their orders.
  static let wholeIndexes = SQLStatement(
    """
    SELECT m.name, m.tbl_name, l."unique", \
    (SELECT group_concat(x.cid || ' ' || x.desc || ' ' || x.coll) FROM pragma_index_xinfo(m.name) x \
    WHERE x.key) FROM sqlite_master m JOIN pragma_index_list(m.tbl_name) l ON l.name = m.name \
    WHERE m.type = 'index' AND m.sql IS NOT NULL AND NOT l.partial AND NOT EXISTS \
    (SELECT 1 FROM pragma_index_xinfo(m.name) x WHERE x.key AND x.cid < -1)
    """)
  static let virtualTables = SQLStatement(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%'")
  static func anyRow(of table: String) -> SQLStatement {
    ("SELECT 1 FROM \(name: table)" as SQLFragment).rendered(in: SQLiteDialect())
  }
  /// The functions of SQL with their flags.
  static let functions = SQLStatement("SELECT name, flags FROM pragma_function_list")
  static let triggers = SQLStatement("SELECT name FROM sqlite_master WHERE type = 'trigger'")

  /// Triggers that note changed rows in a table that is gone, `SPORADES_ZARTICLE:CHANGED_INSERT` without
  /// `SPORADES_ZARTICLE:CHANGED`.
  static let triggersWithoutNotes = SQLStatement(
    "SELECT name FROM sqlite_master t WHERE type = 'trigger' AND name LIKE '\(StoreLayout.ownPrefix)%:%' AND NOT EXISTS "
      + "(SELECT 1 FROM sqlite_master n WHERE n.type = 'table' AND n.name || '_' = rtrim(t.name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'))"
  )

  /// The names of triggers, each with its text.
  static let triggerTexts = SQLStatement(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")

  /// All tables, indexes, triggers and views: kind, name, table and text.
  static let schema = SQLStatement(
    "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid")

  /// The bytes of tables and of their indexes.
  static func bytes(ofTables names: [String]) -> SQLStatement {
    let list = names.map { "\(SQLValue.text($0))" as SQLFragment }
    let statement: SQLFragment = """
      SELECT SUM(pgsize) FROM dbstat WHERE aggregate = TRUE AND name IN \
      (SELECT name FROM sqlite_master WHERE tbl_name IN (\(list.joined(by: ", "))))
      """
    return statement.rendered(in: SQLiteDialect())
  }

  /// Lets the renaming of a table leave the texts of views and triggers alone.
  static let renameAlone = SQLStatement("PRAGMA legacy_alter_table = ON")

  /// The columns of a table, with those that SQLite computes. The seventh value is above 1 for these.
  static func allColumns(of table: String) -> SQLStatement {
    SQLStatement("PRAGMA table_xinfo(\(SQLiteDialect().quoted(table)))")
  }

  /// The names of R-trees with a prefix.
  static func areas(beginningWith prefix: String) -> SQLStatement {
    // A loop, because the runtime looks long for what `split` and `joined` need, at the start of each program.
    var pattern = ""
    for letter in prefix {
      if letter == "_" { pattern += "#" }
      pattern.append(letter)
    }
    return SQLStatement(
      """
      SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE ? ESCAPE '#' \
      AND sql LIKE 'CREATE VIRTUAL TABLE%USING RTREE%'
      """, [.text(pattern + "%")])
  }

  /// The columns of a table, one per row. The second value is the name, the third the type.
  static func columns(of table: String) -> SQLStatement {
    SQLStatement("PRAGMA table_info(\(SQLiteDialect().quoted(table)))")
  }

  /// The values with a given number of bytes in a column of any table, including tables of other programs.
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

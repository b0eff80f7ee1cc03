// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesSQLite
import SporadesStore

/// The capability of a store that knows SQL: it runs a statement that reads, and tells the tables first.
protocol StatementStore: PersistentStore {
  var layout: StoreLayout { get }
  var dialect: any SQLDialect { get }

  /// The rows of a statement in a state of the store. `check` gets the tables that the database itself names, and may
  /// refuse them.
  func answer(
    _ statement: SQLStatement, in view: StoreView,
    checking check: (Set<String>) throws(StoreError) -> Void
  ) throws(StoreError) -> StatementAnswer
}

// The conformance stands here, so that a program without this module does not link what it needs.
extension SQLiteStore: StatementStore {
  var dialect: any SQLDialect { SQLiteDialect() }
}

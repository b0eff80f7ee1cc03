// SPDX-License-Identifier: MIT
package import SporadesSQL
package import SporadesStore

extension SQLiteStore {
  /// The tables of the file.
  package var layout: StoreLayout { plan.layout }

  /// The rows of a statement that a program wrote, in the state that the view shows. `check` gets the tables that it
  /// reads before the first row, and may refuse them.
  package func answer(
    _ statement: SQLStatement, in view: StoreView,
    checking check: (Set<String>) throws(StoreError) -> Void
  ) throws(StoreError) -> StatementAnswer {
    try read(view) { (connection) throws(StoreError) in
      try connection.answer(statement, checking: check)
    }
  }
}

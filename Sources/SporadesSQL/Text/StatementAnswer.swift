// SPDX-License-Identifier: MIT

/// The answer of a database to a statement that a program wrote.
package struct StatementAnswer: Sendable {
  /// A column of the answer.
  package struct Column: Hashable, Sendable {
    package let name: String
    /// The column of a table whose values these are; nil for a computed value, and where the database does not tell it.
    package let origin: Origin?

    package init(name: String, origin: Origin?) {
      self.name = name
      self.origin = origin
    }
  }

  /// A column of a table.
  package struct Origin: Hashable, Sendable {
    package let table: String
    package let column: String

    package init(table: String, column: String) {
      self.table = table
      self.column = column
    }
  }

  package let columns: [Column]
  /// The values of all rows, one row after the other.
  package let values: [SQLValue]

  package init(columns: [Column], values: [SQLValue]) {
    self.columns = columns
    self.values = values
  }

  package var rowCount: Int { columns.isEmpty ? 0 : values.count / columns.count }
}

/// The reason why a database did not run a statement that a program wrote.
package enum StatementRefusal: Error {
  /// It would do something else than read: what the database called it.
  case acts(String)
  /// It calls a function that may have effects.
  case function(String)
  /// More follows behind its end.
  case several
  case unfinished
  /// There is nothing but space and comments.
  case empty
  /// It answers no rows.
  case withoutRows
  /// The text has parameters of its own.
  case parameters
  /// The database does not understand it, or failed to compute it; with the database's message.
  case failed(String)
}

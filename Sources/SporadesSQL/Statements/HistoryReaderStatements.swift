// SPDX-License-Identifier: MIT

/// The statements about the table of a history's named readers, which lies beside Core Data's tables. Core Data leaves
/// it alone.
package struct HistoryReaderStatements: Sendable {
  /// The name of the table.
  package static let table = "SPORADES_READER"
  private let dialect: any SQLDialect

  package init(_ dialect: any SQLDialect) { self.dialect = dialect }

  private func rendered(_ fragment: SQLFragment) -> SQLStatement { fragment.rendered(in: dialect) }

  /// Creates the table if it is missing.
  package var create: SQLStatement {
    rendered(
      """
      CREATE TABLE IF NOT EXISTS \(name: Self.table) \
      ( NAME VARCHAR PRIMARY KEY, LASTTRANSACTION INTEGER, CONFIRMED FLOAT )
      """)
  }

  /// Selects the names, numbers and moments in the order of the names.
  package var all: SQLStatement {
    rendered("SELECT NAME, LASTTRANSACTION, CONFIRMED FROM \(name: Self.table) ORDER BY NAME")
  }

  /// Adds a reader, or moves it.
  package func confirm(_ name: String, _ number: Int64, at seconds: Double) -> SQLStatement {
    rendered(
      """
      INSERT OR REPLACE INTO \(name: Self.table) (NAME, LASTTRANSACTION, CONFIRMED) \
      VALUES (\(.text(name)), \(.integer(number)), \(.real(seconds)))
      """)
  }

  /// Removes a reader.
  package func remove(_ name: String) -> SQLStatement {
    rendered("DELETE FROM \(name: Self.table) WHERE NAME = \(.text(name))")
  }
}

// SPDX-License-Identifier: MIT

/// The tables of Core Data's history, and the statements that write them.
///
/// An older file may lack some columns. The process, the author and the context are texts in the transaction,
/// or keys of rows in a table of texts.
package final class CoreDataHistory: Sendable {
  package enum Table: String, CaseIterable, Sendable {
    case transactions = "ATRANSACTION"
    case changes = "ACHANGE"
    case texts = "ATRANSACTIONSTRING"

    /// The table's number in the table of counters.
    package var entity: Int64 {
      switch self {
      case .changes: 16001
      case .transactions: 16002
      case .texts: 16003
      }
    }

    package var name: String { rawValue }
  }

  /// A column of a transaction with a text or a text's key.
  package enum TextColumn: String, CaseIterable, Sendable {
    case process = "ZPROCESSID"
    case author = "ZAUTHOR"
    case context = "ZCONTEXTNAME"
  }

  private let row = CoreDataLayout.names.row
  private let dialect: any SQLDialect
  private let hasTexts: Bool
  /// The number of columns for values of a deleted object in the table of changes.
  package let tombstones: Int

  /// Nil if a database keeps no history.
  package init?(tables: [Table: [String]], _ dialect: any SQLDialect) {
    guard let transactions = tables[.transactions], let changes = tables[.changes] else {
      return nil
    }
    self.dialect = dialect
    hasTexts = tables[.texts] != nil && transactions.contains(Self.key(of: .process))
    tombstones = changes.count { $0.hasPrefix(Self.tombstone) }
  }

  static let tombstone = "ZTOMBSTONE"

  /// `ZPROCESSIDTS`
  private static func key(of column: TextColumn) -> String { column.rawValue + "TS" }

  func rendered(_ fragment: SQLFragment) -> SQLStatement { fragment.rendered(in: dialect) }

  // MARK: - Statements

  /// Adds a transaction. `texts` are the keys of its texts, if the history has a table of texts.
  package func addTransaction(
    _ key: Int64, at time: Double, _ texts: [(column: TextColumn, value: SQLValue)]
  ) -> SQLStatement {
    let columns =
      [row.key, row.entity, "ZTIMESTAMP"]
      + texts.map { hasTexts ? Self.key(of: $0.column) : $0.column.rawValue }
    let values: [SQLValue] =
      [.integer(key), .integer(Table.transactions.entity), .real(time)] + texts.map(\.value)
    return insert(into: .transactions, columns, values)
  }

  /// Whether the texts are in their own table.
  package var keepsTextsApart: Bool { hasTexts }

  package func key(ofText text: String) -> SQLStatement {
    rendered(
      "SELECT \(name: row.key) FROM \(name: Table.texts.name) WHERE ZNAME = \(.text(text))")
  }

  package func addText(_ text: String, _ key: Int64) -> SQLStatement {
    insert(
      into: .texts, row.all + ["ZNAME"],
      [.integer(key), .integer(Table.texts.entity), .integer(1), .text(text)])
  }

  private func insert(
    into table: Table, _ columns: [String], _ values: [SQLValue]
  ) -> SQLStatement {
    let places = values.map { "\($0)" as SQLFragment }.joined(by: ", ")
    return rendered("INSERT INTO \(name: table.name) (\(names: columns)) VALUES (\(places))")
  }

  /// Adds a change. Its parameters are the key, the number of the table, the kind of the change, the number
  /// of the row's entity, the row's key, the key of the transaction, and the bits of the changed columns.
  package var addChange: SQLStatement {
    rendered(
      .insert(
        into: Table.changes.name,
        [
          row.key, row.entity, "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS",
        ]))
  }

  /// Keeps a value of a row before its deletion. The parameters are the row's key and the key of the change.
  package func keepValue(
    _ place: Int, of slot: Int, in table: StoreLayout.Table
  ) -> SQLStatement {
    rendered(
      """
      UPDATE \(name: Table.changes.name) SET \(name: Self.tombstone + String(place)) = \
      (SELECT \(name: table.columns[slot].name) FROM \(name: table.name) \
      WHERE \(name: row.key) = \(.parameter)) WHERE \(name: row.key) = \(.parameter)
      """)
  }

  package func largestKey(in table: Table) -> SQLStatement {
    rendered("SELECT MAX(\(name: row.key)) FROM \(name: table.name)")
  }
}

// SPDX-License-Identifier: MIT

/// The tables of Core Data's history, and the statements that write them.
///
/// An older file may lack some columns. The process, the author and the context are texts in the transaction,
/// or keys of rows in a table of texts.
package final class CoreDataHistory: Sendable {
  package enum Table: String, CaseIterable, Sendable {
    case changes = "ACHANGE"
    case transactions = "ATRANSACTION"
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

    /// The name of its rows in the table of counters.
    package var entityName: String { String(rawValue.dropFirst()) }
  }

  /// A column of a transaction with a text or a text's key.
  package enum TextColumn: String, CaseIterable, Sendable {
    case author = "ZAUTHOR"
    case bundle = "ZBUNDLEID"
    case context = "ZCONTEXTNAME"
    case process = "ZPROCESSID"
  }

  private let row = CoreDataLayout.names.row
  private let dialect: any SQLDialect
  private let hasTexts: Bool
  private let columnsOfTransactions: Set<String>
  /// The number of columns for values of a deleted object in the table of changes.
  package let tombstones: Int

  /// Nil if a database keeps no history.
  package init?(tables: [Table: [String]], _ dialect: any SQLDialect) {
    guard let transactions = tables[.transactions], let changes = tables[.changes] else {
      return nil
    }
    self.dialect = dialect
    columnsOfTransactions = Set(transactions)
    hasTexts = tables[.texts] != nil && transactions.contains(Self.key(of: .process))
    tombstones = changes.count { $0.hasPrefix(Self.tombstone) }
  }

  static let tombstone = "ZTOMBSTONE"
  static let timestamp = "ZTIMESTAMP"
  /// The column with the key of a change's transaction.
  static let transaction = "ZTRANSACTIONID"

  /// The column with the i-th kept value of a deleted object.
  package static func tombstoneColumn(_ place: Int) -> String { tombstone + String(place) }

  /// Whether transactions have the column.
  func hasColumn(_ name: String) -> Bool { columnsOfTransactions.contains(name) }

  /// `ZPROCESSIDTS`
  static func key(of column: TextColumn) -> String { column.rawValue + "TS" }

  func rendered(_ fragment: SQLFragment) -> SQLStatement { fragment.rendered(in: dialect) }

  // MARK: - Statements

  /// Adds a transaction. Its parameters are the key, the number of the table, the time, and the texts or their keys in
  /// the order of ``TextColumn``.
  package var addTransaction: SQLStatement {
    let texts = TextColumn.allCases.map { hasTexts ? Self.key(of: $0) : $0.rawValue }
    return rendered(
      .insert(
        into: Table.transactions.name,
        [row.key, row.entity, Self.timestamp] + texts.filter(hasColumn)))
  }

  /// The columns of texts that ``addTransaction`` sets.
  package var textColumns: [TextColumn] {
    TextColumn.allCases.filter { hasColumn(hasTexts ? Self.key(of: $0) : $0.rawValue) }
  }

  /// Whether the texts are in their own table.
  package var keepsTextsApart: Bool { hasTexts }

  /// Selects the key of a text, which is the parameter.
  package var keyOfText: SQLStatement {
    rendered(
      "SELECT \(name: row.key) FROM \(name: Table.texts.name) WHERE ZNAME = \(.parameter)")
  }

  /// Adds a text. Its parameters are the key, the number of the table, and the text.
  package var addText: SQLStatement {
    rendered(.insert(into: Table.texts.name, [row.key, row.entity, "ZNAME"]))
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

  /// Adds the deletion of a row with its kept values, which lie in some slots. The parameters are the key of the change,
  /// the number of the row's entity, the key of the transaction, and the row's key.
  package func addDelete(keeping slots: [Int], of table: StoreLayout.Table) -> SQLStatement {
    let kept = slots.prefix(tombstones)
    let columns =
      [row.key, "ZENTITY", Self.transaction, row.entity, "ZCHANGETYPE", "ZENTITYPK"]
      + kept.indices.map(Self.tombstoneColumn)
    let values = kept.map { ", \(name: table.columns[$0].name)" as SQLFragment }.joined(by: "")
    return rendered(
      """
      INSERT INTO \(name: Table.changes.name) (\(names: columns)) SELECT \(.parameters(3)), \
      \(sql: String(Table.changes.entity)), 2, \(name: row.key)\(values) FROM \(name: table.name) \
      WHERE \(name: row.key) = \(.parameter)
      """)
  }

  /// Counts the rows of a table of the model.
  package func countOfRows(in table: StoreLayout.Table) -> SQLStatement {
    rendered("SELECT COUNT(*) FROM \(name: table.name)")
  }

  /// Adds the deletion of all rows of a table, with the keys of the changes after a number. `kept` has the slots with the
  /// kept values of each entity, by the number of the entity.
  package func addDeletes(
    of table: StoreLayout.Table, keeping kept: [(entity: Int64, slots: [Int])],
    after key: Int64, in transaction: Int64
  ) -> SQLStatement {
    let count = min(tombstones, kept.map(\.slots.count).max() ?? 0)
    let columns =
      [row.key, row.entity, "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", Self.transaction]
      + (0..<count).map(Self.tombstoneColumn)
    let values = (0..<count).map { place -> SQLFragment in
      let terms = kept.filter { place < $0.slots.count }.map { entity, slots -> SQLFragment in
        "WHEN \(sql: String(entity)) THEN \(name: table.columns[slots[place]].name)"
      }
      return ", CASE \(name: row.entity) \(terms.joined(by: " ")) END"
    }.joined(by: "")
    return rendered(
      """
      INSERT INTO \(name: Table.changes.name) (\(names: columns)) \
      SELECT \(sql: String(key)) + ROW_NUMBER() OVER (ORDER BY \(name: row.key)), \
      \(sql: String(Table.changes.entity)), 2, \(name: row.entity), \(name: row.key), \
      \(sql: String(transaction))\(values) FROM \(name: table.name)
      """)
  }

  package func largestKey(in table: Table) -> SQLStatement {
    rendered("SELECT MAX(\(name: row.key)) FROM \(name: table.name)")
  }
}

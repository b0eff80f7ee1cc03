// SPDX-License-Identifier: MIT

// The tables of a history in their newest form.
extension CoreDataHistory {
  /// The statements that create the tables, with a number of columns for values of deleted objects.
  package static func creation(tombstones: Int, _ dialect: any SQLDialect) -> [SQLStatement] {
    let statements =
      Table.allCases.map { creation(of: $0, tombstones) } + Table.allCases.flatMap(indexes)
    return statements.map { $0.rendered(in: dialect) }
  }

  private static func creation(of table: Table, _ tombstones: Int) -> SQLFragment {
    let own: [(name: String, type: String)] =
      switch table {
      case .transactions:
        TextColumn.allCases.map { (key(of: $0), "INTEGER") } + [(timestamp, "FLOAT")]
          + TextColumn.allCases.map { ($0.rawValue, "VARCHAR") } + [("ZQUERYGEN", "BLOB")]
      case .changes:
        ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", transaction].map { ($0, "INTEGER") }
          + [("ZCOLUMNS", "BLOB")] + (0..<tombstones).map { (tombstoneColumn($0), "BLOB") }
      case .texts: [("ZNAME", "VARCHAR")]
      }
    let row = CoreDataLayout.names.row
    let columns: [SQLFragment] =
      [
        "\(name: row.key) INTEGER PRIMARY KEY", "\(name: row.entity) INTEGER",
        "\(name: row.version) INTEGER",
      ] + own.map { "\(name: $0.name) \(sql: $0.type)" }
    return "CREATE TABLE \(name: table.name) ( \(columns.joined(by: ", ")) )"
  }

  private static func indexes(of table: Table) -> [SQLFragment] {
    func ordered(_ kind: String, _ name: String, _ column: String) -> SQLFragment {
      """
      CREATE \(sql: kind) \(name: name) ON \(name: table.name) \
      (\(name: column) COLLATE BINARY ASC)
      """
    }
    switch table {
    case .transactions:
      return TextColumn.allCases.map { reference(key(of: $0), in: table) } + [
        ordered("INDEX", "Z_TRANSACTION_TransactionAuthorIndex", TextColumn.author.rawValue),
        ordered("INDEX", "Z_TRANSACTION_TransactionTimestampIndex", timestamp),
      ]
    case .changes: return [reference(transaction, in: table)]
    case .texts: return [ordered("UNIQUE INDEX", "Z_TRANSACTIONSTRING_UNIQUE_NAME", "ZNAME")]
    }
  }

  private static func reference(_ column: String, in table: Table) -> SQLFragment {
    """
    CREATE INDEX \(name: "\(table.name)_\(column)_INDEX") ON \(name: table.name) (\(name: column))
    """
  }
}

// SPDX-License-Identifier: MIT

// The statements that read a history and shorten it.
extension CoreDataHistory {
  /// The places of the columns in the rows of ``rows(withChanges:since:)``.
  package struct ReadColumns: Sendable {
    package let number: Int32 = 0
    package let timestamp: Int32 = 1
    /// The columns with texts, and with the keys of texts.
    package let texts: [(column: TextColumn, text: Int32?, key: Int32?)]
    /// The first column of the change: its key, its kind, the entity, the row's key, the bits, the kept values.
    package let change: Int32
  }

  /// The places of the columns in the rows of ``rows(withChanges:since:)``.
  package var readColumns: ReadColumns {
    var next: Int32 = 2
    func place(_ name: String) -> Int32? {
      guard hasColumn(name) else { return nil }
      defer { next += 1 }
      return next
    }
    let texts = TextColumn.allCases.map { column in
      (column, place(column.rawValue), place(Self.key(of: column)))
    }
    return ReadColumns(texts: texts, change: next)
  }

  /// Selects the transactions after a number and up to another, each with its changes, in their order. The parameters
  /// are both numbers, and with `since` the timestamp that the transactions are later than.
  package func rows(withChanges: Bool, since: Bool) -> SQLStatement {
    let row = CoreDataLayout.names.row
    let texts = TextColumn.allCases.flatMap { [$0.rawValue, Self.key(of: $0)] }.filter(hasColumn)
    let columns = ([row.key, Self.timestamp] + texts).map { "t.\(name: $0)" as SQLFragment }
    let bounds: SQLFragment = """
      WHERE t.\(name: row.key) > \(.parameter) AND t.\(name: row.key) <= \(.parameter) \
      \(since ? "AND t.\(name: Self.timestamp) > \(.parameter) " : "")ORDER BY t.\(name: row.key)
      """
    guard withChanges else {
      return rendered(
        "SELECT \(columns.joined(by: ", ")) FROM \(name: Table.transactions.name) t \(bounds)")
    }
    let change =
      ([row.key, "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS"]
      + (0..<tombstones).map(Self.tombstoneColumn)).map { "c.\(name: $0)" as SQLFragment }
    return rendered(
      """
      SELECT \((columns + change).joined(by: ", ")) FROM \(name: Table.transactions.name) t \
      LEFT JOIN \(name: Table.changes.name) c ON c.\(name: Self.transaction) = t.\(name: row.key) \
      \(bounds), c.\(name: row.key)
      """)
  }

  /// Selects a text. The parameter is its key.
  package var text: SQLStatement {
    rendered(
      """
      SELECT ZNAME FROM \(name: Table.texts.name) \
      WHERE \(name: CoreDataLayout.names.row.key) = \(.parameter)
      """)
  }

  /// Selects the first and the last number of a transaction, and the largest number ever.
  package var ends: SQLStatement {
    let names = CoreDataLayout.names
    let key = names.row.key
    let table = Table.transactions.name
    let counters = names.counters
    return rendered(
      """
      SELECT (SELECT MIN(\(name: key)) FROM \(name: table)), \
      (SELECT MAX(\(name: key)) FROM \(name: table)), \
      (SELECT \(name: counters.maximum) FROM \(name: counters.table) \
      WHERE \(name: counters.entity) = \(sql: String(Table.transactions.entity)))
      """)
  }

  // MARK: - Deleting

  /// Selects the first transaction that was not made before a moment.
  package func firstNumber(notBefore seconds: Double) -> SQLStatement {
    rendered(
      """
      SELECT MIN(\(name: CoreDataLayout.names.row.key)) FROM \(name: Table.transactions.name) \
      WHERE \(name: Self.timestamp) >= \(.real(seconds))
      """)
  }

  /// Deletes the changes of the transactions before a number, the transactions, and the texts that no transaction has.
  package func removal(before number: Int64) -> [SQLStatement] {
    let key = CoreDataLayout.names.row.key
    return [
      rendered(
        """
        DELETE FROM \(name: Table.changes.name) \
        WHERE \(name: Self.transaction) < \(sql: String(number))
        """),
      rendered(
        """
        DELETE FROM \(name: Table.transactions.name) WHERE \(name: key) < \(sql: String(number))
        """),
    ] + (keepsTextsApart ? [removalOfTexts] : [])
  }

  private var removalOfTexts: SQLStatement {
    let key = CoreDataLayout.names.row.key
    let uses = TextColumn.allCases.map { column -> SQLFragment in
      """
      NOT EXISTS (SELECT 1 FROM \(name: Table.transactions.name) t \
      WHERE t.\(name: Self.key(of: column)) = \(name: Table.texts.name).\(name: key))
      """
    }
    return rendered("DELETE FROM \(name: Table.texts.name) WHERE \(uses.joined(by: " AND "))")
  }

  /// Selects the kept values with a number of bytes of the transactions before a number.
  package func keptValues(_ place: Int, ofLength length: Int, before number: Int64) -> SQLStatement
  {
    let column = Self.tombstoneColumn(place)
    return rendered(
      """
      SELECT \(name: column) FROM \(name: Table.changes.name) \
      WHERE \(name: Self.transaction) < \(.integer(number)) \
      AND LENGTH(\(name: column)) = \(.integer(Int64(length)))
      """)
  }

  /// Counts the transactions before a number.
  package func count(before number: Int64) -> SQLStatement {
    rendered(
      """
      SELECT COUNT(*) FROM \(name: Table.transactions.name) \
      WHERE \(name: CoreDataLayout.names.row.key) < \(.integer(number))
      """)
  }
}

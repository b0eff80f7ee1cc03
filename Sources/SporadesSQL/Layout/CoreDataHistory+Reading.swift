// SPDX-License-Identifier: MIT

// The statements that read a history and shorten it.
extension CoreDataHistory {
  /// The places of the columns in the rows of ``transactions(since:)``.
  package struct ReadColumns: Sendable {
    package let number: Int32 = 0
    package let timestamp: Int32 = 1
    /// The columns with texts, and with the keys of texts.
    package let texts: [(column: TextColumn, text: Int32?, key: Int32?)]
  }

  /// The places of the columns in the rows of ``transactions(since:)``.
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
    return ReadColumns(texts: texts)
  }

  /// Selects the transactions after a number and up to another, in their order. The parameters are both numbers, and
  /// with `since` the timestamp that the transactions are later than.
  package func transactions(since: Bool) -> SQLStatement {
    let key = CoreDataLayout.names.row.key
    let texts = TextColumn.allCases.flatMap { [$0.rawValue, Self.key(of: $0)] }.filter(hasColumn)
    let columns = ([key, Self.timestamp] + texts).map { "\(name: $0)" as SQLFragment }
    return rendered(
      """
      SELECT \(columns.joined(by: ", ")) FROM \(name: Table.transactions.name) \
      WHERE \(name: key) > \(.parameter) AND \(name: key) <= \(.parameter) \
      \(since ? "AND \(name: Self.timestamp) > \(.parameter) " : "")ORDER BY \(name: key)
      """)
  }

  /// Selects the changes of the transactions from a number on and up to another, in the order of the transactions: the
  /// number of the transaction, the key, the kind, the entity, the row's key, the bits, the kept values.
  ///
  /// The index of the transactions' numbers has this order, so that nothing is sorted.
  package var changes: SQLStatement {
    let key = CoreDataLayout.names.row.key
    let columns =
      ([Self.transaction, key, "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS"]
      + (0..<tombstones).map(Self.tombstoneColumn)).map { "\(name: $0)" as SQLFragment }
    return rendered(
      """
      SELECT \(columns.joined(by: ", ")) FROM \(name: Table.changes.name) \
      WHERE \(name: Self.transaction) >= \(.parameter) AND \(name: Self.transaction) <= \(.parameter) \
      ORDER BY \(name: Self.transaction), \(name: key)
      """)
  }

  /// Selects the rows that the transactions after a number and up to another changed, in the order of the transactions: the
  /// number of the transaction, the kind, the entity, the row's key.
  package var changedRows: SQLStatement {
    let columns = [Self.transaction, "ZCHANGETYPE", "ZENTITY", "ZENTITYPK"]
    return rendered(
      """
      SELECT \(names: columns) FROM \(name: Table.changes.name) \
      WHERE \(name: Self.transaction) > \(.parameter) AND \(name: Self.transaction) <= \(.parameter) \
      ORDER BY \(name: Self.transaction)
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

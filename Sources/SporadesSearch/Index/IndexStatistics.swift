// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesSQLite
import SporadesStore

/// Reads the numbers of an index by which its searches are ranked.
struct IndexStatistics {
  private let table: SearchTable
  private let connection: Connection

  init(_ table: SearchTable, _ connection: Connection) {
    self.table = table
    self.connection = connection
  }

  func statistics(of search: UnderstoodSearch) throws(StoreError) -> SearchStatistics {
    let (rows, tokens) = try totals()
    var found: [Int] = []
    for expression in table.phraseExpressions(of: search) {
      found.append(Int(try number(table.count(of: expression))))
    }
    return SearchStatistics(
      rows: Int(rows), averageLength: rows > 0 ? Double(tokens) / Double(rows) : 0, found: found)
  }

  private func number(_ statement: SQLStatement) throws(StoreError) -> Int64 {
    guard let number = try connection.rows(statement).first?.first?.integer else {
      throw damage
    }
    return number
  }

  /// The number of rows, and that of the tokens of all columns. FTS5 keeps both in the first record of its data: numbers of
  /// seven bits in each byte, the most significant first, and all eight in a ninth byte
  /// (https://sqlite.org/fts5.html#fts5_data_structures).
  private func totals() throws(StoreError) -> (rows: Int64, tokens: Int64) {
    guard let record = try connection.rows(table.averages).first?.first?.blob else { return (0, 0) }
    var numbers = record[...]
    guard let rows = Self.number(&numbers) else { return (0, 0) }
    var tokens: Int64 = 0
    while let more = Self.number(&numbers) {
      let (sum, overflows) = tokens.addingReportingOverflow(more)
      guard !overflows else { throw damage }
      tokens = sum
    }
    guard rows >= 0, tokens >= 0 else { throw damage }
    return (rows, tokens)
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
    var number: UInt64 = 0
    for place in 0..<9 {
      guard let byte = bytes.popFirst() else { return nil }
      if place == 8 { return Int64(bitPattern: number << 8 | UInt64(byte)) }
      number = number << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { break }
    }
    return Int64(bitPattern: number)
  }

  private var damage: StoreError {
    StoreError(
      .corrupt,
      "The numbers of the search index of \(table.table.name) are damaged. Call rebuildSearchIndex()."
    )
  }
}

extension SearchTable {
  fileprivate var averages: SQLStatement {
    ("SELECT block FROM \(name: "\(index)_data") WHERE id = 1" as SQLFragment).sqlite
  }

  fileprivate func count(of expression: String) -> SQLStatement {
    ("SELECT count(*) FROM \(name: index) WHERE \(name: index) MATCH \(.text(expression))"
      as SQLFragment).sqlite
  }
}

// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesSQLite
import SporadesStore

/// Compares an index with the rows, side by side in the order of their keys.
struct IndexComparison {
  private let table: SearchTable
  private let connection: Connection
  private static let most = 100

  init(_ table: SearchTable, _ connection: Connection) {
    self.table = table
    self.connection = connection
  }

  func problems() throws(StoreError) -> [String] {
    var problems: [String] = []
    let rows = try connection.statement(table.statements.rowsInOrder)
    rows.bind(.integer(.min), at: 1)
    rows.bind(.integer(.max), at: 2)
    defer { rows.reset() }
    let entries = try connection.statement(table.entries)
    defer { entries.reset() }
    var (hasRow, hasEntry) = (try rows.step(), try entries.step())
    while hasRow || hasEntry, problems.count < Self.most {
      let row = hasRow ? rows.integer(0) : .max
      let entry = hasEntry ? entries.integer(0) : .max
      if row < entry {
        problems.append("The index of \(table.table.name) lacks the row \(row).")
      } else if entry < row {
        problems.append("The index of \(table.table.name) has the row \(entry), which is gone.")
      } else if !isSame(rows, entries) {
        problems.append("The index of \(table.table.name) has other texts for the row \(row).")
      }
      if hasRow, row <= entry { hasRow = try rows.step() }
      if hasEntry, entry <= row { hasEntry = try entries.step() }
    }
    return problems
  }

  private func isSame(_ row: Statement, _ entry: Statement) -> Bool {
    (1...Int32(table.columns.count)).allSatisfy { place in
      let text = row.value(place).text.map { SearchTokens.folded($0, table.form) }
      return text == entry.value(place).text
    }
  }

  /// SQLite's own findings in the lists of words. The statement counts as a write, and changes nothing.
  func damage() throws(StoreError) -> [String] {
    do throws(StoreError) {
      try connection.run(table.check)
      return []
    } catch  where error.code == .corrupt {
      return ["The index of \(table.table.name) is damaged: \(error)"]
    }
  }
}

extension SearchTable {
  fileprivate var entries: SQLStatement {
    let names = columns.indices.map(Self.column)
    return
      ("SELECT rowid, \(names: names) FROM \(name: index) ORDER BY rowid" as SQLFragment).sqlite
  }

  fileprivate var check: SQLStatement {
    ("INSERT INTO \(name: index) (\(name: index)) VALUES ('integrity-check')" as SQLFragment).sqlite
  }
}

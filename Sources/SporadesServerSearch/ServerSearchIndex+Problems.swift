// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSQL
import SporadesSearch
import SporadesStore

extension ServerSearchIndex {
  func problems() throws(StoreError) -> [String] {
    var problems: [String] = []
    for table in try allTables() {
      guard try bringUpToDate(table, committingAccepted: true) else {
        problems.append("The index of \(table.name) could not be made here. Call prepareSearch().")
        continue
      }
      problems += try store.onPrimary { (connection) throws(StoreError) in
        try connection.asOne { () throws(StoreError) in
          try IndexComparison(table, connection).problems()
        }
      }
    }
    return problems
  }
}

/// Compares an index with the rows, in one state. Rows that are noted are not compared.
private struct IndexComparison {
  let table: ServerIndexTable
  let connection: ServerConnection
  private static let most = 100

  init(_ table: ServerIndexTable, _ connection: ServerConnection) {
    (self.table, self.connection) = (table, connection)
  }

  func problems() throws(StoreError) -> [String] {
    var problems = try keys(superfluous).map {
      "The index of \(table.name) has the row \($0), which is gone."
    }
    var next = Int64.min
    let (key, name) = (table.dialect.quoted(table.search.key), table.dialect.quoted(table.name))
    while problems.count < Self.most {
      let some = try connection.run(
        "SELECT \(key) FROM \(name) WHERE \(key) > $1 ORDER BY \(key) LIMIT \(IndexWriter.most)",
        [.int8(next)]
      ).keys
      guard let last = some.last else { break }
      next = last
      let entries = IndexEntries(try connection.run(table.rows, [.int8List(some)]), table)
      problems += try keys(different, entries.values).map {
        "The index of \(table.name) lacks the row \($0), or has other words for it."
      }
    }
    return Array(problems.prefix(Self.most))
  }

  private func keys(
    _ sql: String, _ values: [ServerValue] = []
  ) throws(StoreError) -> [Int64] { try connection.run(sql, values).keys }

  /// Keys that are noted are asked by themselves in each answer.
  private var unnoted: String {
    let dialect = table.dialect
    let owners = table.search.references.indices.map { place in
      " AND x.key NOT IN (\(table.owners(at: place, of: "SELECT key FROM \(name: table.changed(at: place))").text(in: dialect)))"
    }
    return "x.key NOT IN (SELECT key FROM \(dialect.quoted(table.changed)))\(owners.joined())"
  }

  private var superfluous: String {
    let dialect = table.dialect
    return """
      SELECT x.key FROM \(dialect.quoted(table.index)) x WHERE NOT EXISTS (SELECT 1 FROM \(dialect.quoted(table.name)) t \
      WHERE t.\(dialect.quoted(table.search.key)) = x.key) AND \(unnoted) ORDER BY 1 LIMIT \(Self.most)
      """
  }

  private var different: String {
    let same = (["cut", "tokens"] + table.columns).map { "i.\($0) = x.\($0)" }
    return """
      SELECT x.key FROM (\(IndexEntries.selection(table.columns))) x LEFT JOIN \(table.dialect.quoted(table.index)) i \
      ON i.key = x.key WHERE (\(same.joined(separator: " AND "))) IS NOT TRUE AND \(unnoted) ORDER BY 1
      """
  }
}

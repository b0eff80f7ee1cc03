// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesSQLite
import SporadesStore

/// Puts the texts of rows into an index, on the connection of an open transaction.
struct IndexWriter {
  private let table: SearchTable
  private let connection: Connection

  init(_ table: SearchTable, _ connection: Connection) {
    self.table = table
    self.connection = connection
  }

  /// Indexes the rows behind the place that the making of the index has reached. Returns the key of the last one; nil at
  /// the end.
  func fill(most: Int64) throws(StoreError) -> Int64? {
    let state = try connection.statement(table.statements.state)
    guard try state.step(), !state.isNull(0) else {
      state.reset()
      return nil
    }
    let next = state.integer(0)
    state.reset()
    let rows = try connection.statement(table.statements.rowsInOrder)
    // Rows of others have keys of any sign. The first step takes all that are not positive.
    let isFirst = next == 0
    rows.bind(.integer(isFirst ? .min : next), at: 1)
    rows.bind(.integer(isFirst ? .max : most), at: 2)
    defer { rows.reset() }
    let insert = try connection.statement(table.statements.insert)
    var last: Int64?
    var count: Int64 = 0
    while count < most || (last ?? 0) <= 0, try rows.step() {
      last = rows.integer(0)
      count += 1
      try put(rows, by: insert)
    }
    // A place of 0 is the beginning. What comes behind the rows that are not positive is noted by triggers.
    try connection.write(last.map { table.set(next: max($0, 1)) } ?? table.statements.setMade)
    return last
  }

  /// Indexes rows whose keys are noted, and removes the notes.
  func indexChanged(most: Int64) throws(StoreError) {
    for statement in table.statements.moveNotes { try connection.write(statement) }
    let largest = try connection.statement(table.statements.largestIndexed)
    let end = try largest.step() ? largest.integer(0) : 0
    largest.reset()
    var left = most
    while left > 0 {
      let keys = try changedKeys(most: min(left, 500))
      guard let first = keys.first, let last = keys.last else { return }
      for key in keys { try index(key, isNew: key > end) }
      try connection.write(table.forget(first...last))
      left -= Int64(keys.count)
    }
  }

  private func changedKeys(most: Int64) throws(StoreError) -> [Int64] {
    let statement = try connection.statement(table.statements.someChanged)
    statement.bind(.integer(most), at: 1)
    defer { statement.reset() }
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.integer(0)) }
    return keys
  }

  private func index(_ key: Int64, isNew: Bool) throws(StoreError) {
    if !isNew {
      let deletion = try connection.statement(table.statements.delete)
      deletion.bind(.integer(key), at: 1)
      try deletion.run()
    }
    let row = try connection.statement(table.statements.row)
    row.bind(.integer(key), at: 1)
    defer { row.reset() }
    guard try row.step() else { return }
    try put(row, by: try connection.statement(table.statements.insert))
  }

  /// Inserts the texts of a row into the index.
  private func put(_ row: Statement, by insert: Statement) throws(StoreError) {
    insert.bind(.integer(row.integer(0)), at: 1)
    for place in 1...Int32(table.columns.count) {
      // A column of another program may hold anything; what is no text has no words, as it has none in memory.
      if case .text(let text) = row.value(place) {
        insert.bind(.text(SearchTokens.folded(text, table.form)), at: place + 1)
      } else {
        insert.bindNull(at: place + 1)
      }
    }
    try insert.run()
  }
}

/// Compares the tables and triggers of an index with those that it should have.
struct IndexCheck {
  private let table: SearchTable
  private let connection: Connection

  init(_ table: SearchTable, _ connection: Connection) {
    self.table = table
    self.connection = connection
  }

  func isAsExpected() throws(StoreError) -> Bool {
    let prefix = "\(table.changed)\u{1}".dropLast()
    var found: [String: String] = [:]
    for row in try connection.rows(SearchTable.objects(beginningWith: String(prefix))) {
      if let name = row[0].text, let sql = row[1].text { found[name] = Self.plain(sql) }
    }
    for trigger in table.triggers
    where found.removeValue(forKey: trigger.name) != Self.plain(trigger.creation.sqlite.sql) {
      return false
    }
    guard table.notes.allSatisfy({ found[$0] != nil }),
      try connection.columns(of: SearchTable.states) == ["NAME", "DEFINITION", "NEXT"],
      try connection.number(ofTablesNamed: table.index) == 1
    else { return false }
    let definition = try connection.rows(table.statements.storedDefinition).first?.first?.text
    guard definition == table.definition else { return false }
    return try opens()
  }

  /// FTS5 opens the index and looks a word up. It does neither where the index's own tables lack what it needs, or have a version
  /// that it does not know.
  private func opens() throws(StoreError) -> Bool {
    do throws(StoreError) {
      _ = try connection.rows(table.statements.largestIndexed)
      _ = try connection.rows(table.lookUp)
      return true
    } catch {
      if error.isOfRequest { throw error }
      return false
    }
  }

  /// SQLite quotes the names of renamed tables.
  private static func plain(_ sql: String) -> String { sql.filter { $0 != "\"" && $0 != " " } }
}

extension SearchTable {
  /// Looks any word up in the index.
  fileprivate var lookUp: SQLStatement {
    ("SELECT rowid FROM \(name: index) WHERE \(name: index) MATCH \(.text("\"a\"")) LIMIT 1"
      as SQLFragment)
      .sqlite
  }
}

extension Connection {
  fileprivate func number(ofTablesNamed name: String) throws(StoreError) -> Int {
    try rows(SearchTable.objects(named: name)).count
  }
}

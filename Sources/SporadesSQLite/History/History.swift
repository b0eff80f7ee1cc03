// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// Core Data's history of a store. Each saved change set is one row, and each changed object in it is one
/// row. An object with changed to-many relationships counts as changed. The history is kept only if the file
/// has its tables.
struct History {
  let tables: CoreDataHistory
  /// The identifier of the program's bundle; nil if it has none.
  private let bundle: String?
  static let counters = CounterStatements(CoreDataLayout.names, SQLiteDialect())
  /// The keys of texts, and the last key of each table, that the open transaction knows.
  private var texts: [String: Int64] = [:]
  private var lastKeys: [CoreDataHistory.Table: Int64] = [:]
  /// By entity number, filled at the entity's first change.
  private var slots: [Int: HistorySlots] = [:]

  /// Nil if the file keeps no history.
  init?(on connection: Connection, bundle: String?) throws(StoreError) {
    let present = Set(try connection.texts(.tables))
    guard let tables = try Self.tables(on: connection, present) else { return nil }
    self.tables = tables
    self.bundle = bundle
  }

  /// The tables of the history; nil if the file keeps none. `present` are the names of all tables.
  static func tables(
    on connection: Connection, _ present: Set<String>
  ) throws(StoreError) -> CoreDataHistory? {
    var columns: [CoreDataHistory.Table: [String]] = [:]
    for table in CoreDataHistory.Table.allCases where present.contains(table.name) {
      columns[table] = try connection.columns(of: table.name)
    }
    return CoreDataHistory(tables: columns, SQLiteDialect())
  }

  /// Forgets the keys of a transaction: it was rolled back, or another one begins.
  mutating func forget() {
    texts.removeAll(keepingCapacity: true)
    lastKeys.removeAll(keepingCapacity: true)
  }

  /// Writes the changes of a change set. It runs before the rows are deleted, so that it can read the values
  /// which outlive an object.
  ///
  /// Returns the number of the transaction.
  mutating func record(
    _ changes: ChangeSet, _ connection: Connection, _ plan: StorePlan
  ) throws(StoreError) -> Int64 {
    let transaction = try addTransaction(changes.author, changes.contextName, connection)
    var references = HistoryReferences(connection, plan)
    let links = try HistoryLinks(changes, plan.model, &references)
    let touched = touched(links, beyond: changes)
    let key = try nextKey(in: .changes, changes.count + touched.count, connection)
    var writer = try ChangeWriter(connection, plan, tables, transaction: transaction, key: key)
    for page in changes.inserted {
      for index in 0..<page.count { try writer.add(.insert, page.key(index)) }
    }
    for rows in changes.updated {
      for index in 0..<rows.page.count {
        let row = rows.page.key(index)
        let slots = slots(of: row, plan)
        try writer.add(.update, row, slots.bytes(of: slots.places(of: rows, index, links)))
      }
    }
    for row in touched {
      let slots = slots(of: row, plan)
      try writer.add(.update, row, slots.bytes(of: slots.places(of: row, links)))
    }
    for row in changes.deleted { try writer.addDelete(row.key) }
    return transaction
  }

  // MARK: - Changes

  /// The objects of which only links change.
  private func touched(_ links: HistoryLinks, beyond changes: ChangeSet) -> [RowKey] {
    guard !links.changed.isEmpty else { return [] }
    var touched = Set(links.changed.keys)
    for rows in changes.updated {
      for index in 0..<rows.page.count { touched.remove(rows.page.key(index)) }
    }
    return touched.sorted()
  }

  private mutating func slots(of row: RowKey, _ plan: StorePlan) -> HistorySlots {
    if let known = slots[row.entity] { return known }
    let made = HistorySlots(plan.model.shape(numbered: row.entity), plan.model)
    slots[row.entity] = made
    return made
  }

  // MARK: - Transactions and keys

  /// Adds a transaction and returns its key.
  mutating func addTransaction(
    _ author: String?, _ contextName: String?, _ connection: Connection
  ) throws(StoreError) -> Int64 {
    let key = try nextKey(in: .transactions, 1, connection)
    var values: [SQLValue] = [
      .integer(key), .integer(CoreDataHistory.Table.transactions.entity),
      .real(Date().timeIntervalSinceReferenceDate),
    ]
    for column in tables.textColumns {
      let text: String? =
        switch column {
        case .author: author
        case .bundle: bundle
        case .context: contextName
        case .process: HistoryProgram.process
        }
      values.append(try value(of: text, connection))
    }
    let statement = try connection.statement(
      StatementNumber(.historyTransaction), tables.addTransaction)
    statement.bind(values)
    try statement.run()
    return key
  }

  /// The text, or the key of the text in its own table.
  private mutating func value(
    of text: String?, _ connection: Connection
  ) throws(StoreError) -> SQLValue {
    guard let text else { return .null }
    guard tables.keepsTextsApart else { return .text(text) }
    if let known = texts[text] { return .integer(known) }
    if let key = try stored(text, connection) {
      texts[text] = key
      return .integer(key)
    }
    let key = try add(text, connection)
    texts[text] = key
    return .integer(key)
  }

  private func stored(_ text: String, _ connection: Connection) throws(StoreError) -> Int64? {
    let statement = try connection.statement(
      StatementNumber(.historyKeyOfText), tables.keyOfText)
    statement.bind([.text(text)])
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  private mutating func add(
    _ text: String, _ connection: Connection
  ) throws(StoreError) -> Int64 {
    let key = try nextKey(in: .texts, 1, connection)
    let statement = try connection.statement(StatementNumber(.historyText), tables.addText)
    statement.bind([
      .integer(key), .integer(CoreDataHistory.Table.texts.entity), .text(text),
    ])
    try statement.run()
    return key
  }

  /// Reserves a number of keys and returns the first. Nobody else can write before the transaction ends, so it looks for
  /// the last key once.
  mutating func nextKey(
    in table: CoreDataHistory.Table, _ count: Int, _ connection: Connection
  ) throws(StoreError) -> Int64 {
    let former: Int64
    if let known = lastKeys[table] {
      former = known
    } else {
      former = try lastKey(in: table, connection)
    }
    let (last, isOver) = former.addingReportingOverflow(Int64(count))
    // One number stays free for a program that counts on after the last row.
    guard !isOver, last < .max else { throw Self.noKeysLeft(table) }
    try Self.raise(table, to: last, connection)
    lastKeys[table] = last
    return former + 1
  }

  private func lastKey(
    in table: CoreDataHistory.Table, _ connection: Connection
  ) throws(StoreError) -> Int64 {
    let maximum = Self.counters.maximum(of: table.entity)
    let handed = try connection.statement(StatementNumber(.historyMaximum), maximum)
    handed.bind([table.entity])
    let used = try connection.statement(
      StatementNumber(.historyLargest, Int(table.entity - 16_001)), tables.largestKey(in: table))
    return max(0, try number(handed, maximum.sql), try number(used, table.name))
  }

  private func number(_ statement: Statement, _ place: String) throws(StoreError) -> Int64 {
    defer { statement.reset() }
    guard try statement.step() else { return 0 }
    switch statement.value(0) {
    case .integer(let number): return number
    case .null: return 0
    case .real, .text, .blob:
      throw StoreError(
        .corrupt,
        "A column for a whole number holds something else. Correct it, or restore a copy of the store. "
          + "It was read by: \(place)")
    }
  }

  private static func noKeysLeft(_ table: CoreDataHistory.Table) -> StoreError {
    let (key, counters) = (CoreDataLayout.names.row.key, CoreDataLayout.names.counters)
    return StoreError(
      .full,
      "\(table.name) has no keys left: \(counters.table).\(counters.maximum) or \(table.name).\(key) "
        + "is the largest possible number. Purge the history, and set \(counters.maximum) to the "
        + "largest \(key).")
  }
}

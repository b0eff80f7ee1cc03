// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// Core Data's history of a store. Each saved change set is one row, and each changed object in it is one
/// row. An object with changed to-many relationships counts as changed. The history is kept only if the file
/// has its tables.
struct History {
  private enum Change: Int64 { case insert, update, delete }

  private let tables: CoreDataHistory
  private var texts: [String: Int64] = [:]
  /// By entity number, filled at the entity's first change.
  private var slots: [Int: HistorySlots] = [:]

  /// Nil if the file keeps no history.
  init?(on connection: Connection) throws(StoreError) {
    let present = Set(try connection.rows(.tables).compactMap(\.first?.text))
    guard let tables = try Self.tables(on: connection, present) else { return nil }
    self.tables = tables
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

  /// Forgets the numbers that a transaction read, because it was rolled back.
  mutating func forget() { texts.removeAll() }

  /// Writes the changes of a change set. It runs before the rows are deleted, so that it can read the values
  /// which outlive an object.
  mutating func record(
    _ changes: ChangeSet, _ connection: Connection, _ plan: StorePlan
  ) throws(StoreError) {
    let transaction = try addTransaction(changes, connection, plan)
    let links = try HistoryLinks(changes, connection, plan)
    let updated = Set(
      changes.updated.lazy.flatMap { rows in
        (0..<rows.page.count).map { rows.page.key($0) }
      })
    let touched = links.changed.keys.filter { !updated.contains($0) }.sorted()
    var key = try nextKey(in: .changes, changes.count + touched.count, connection, plan)
    let writer = ChangeWriter(
      connection: connection, plan: plan, tables: tables, transaction: transaction)
    for page in changes.inserted {
      for index in 0..<page.count {
        try writer.add(key, Change.insert.rawValue, page.key(index))
        key += 1
      }
    }
    for rows in changes.updated {
      for index in 0..<rows.page.count {
        let row = rows.page.key(index)
        let columns = columns(of: row, plan) { Self.isChanged($0, rows, index, links) }
        try writer.add(key, Change.update.rawValue, row, columns: columns)
        key += 1
      }
    }
    for row in touched {
      let columns = columns(of: row, plan) { Self.isChanged($0, row, links) }
      try writer.add(key, Change.update.rawValue, row, columns: columns)
      key += 1
    }
    for row in changes.deleted {
      try writer.addDelete(key, Change.delete.rawValue, row.key)
      key += 1
    }
  }

  // MARK: - Changes

  private mutating func columns(
    of row: RowKey, _ plan: StorePlan, where isChanged: (HistorySlots.Slot) -> Bool
  ) -> [UInt8] {
    let known = slots[row.entity]
    let all = known ?? HistorySlots(plan.model.shape(numbered: row.entity), plan.model)
    if known == nil { slots[row.entity] = all }
    return all.bytes(of: all.slots.indices.filter { isChanged(all.slots[$0]) })
  }

  private static func isChanged(
    _ slot: HistorySlots.Slot, _ rows: UpdatedRows, _ index: Int, _ links: HistoryLinks
  ) -> Bool {
    switch slot {
    case .toOne(_, let slot), .attribute(_, let slot), .position(_, let slot):
      rows.isChanged(index, slot: slot)
    case .entity(_, let slot):
      rows.isChanged(index, slot: slot)
        && rows.page.reference(index, slot: slot)?.entity
          != links.former(rows.page.key(index), slot)?.entity
    case .toMany: isChanged(slot, rows.page.key(index), links)
    }
  }

  private static func isChanged(
    _ slot: HistorySlots.Slot, _ row: RowKey, _ links: HistoryLinks
  ) -> Bool {
    guard case .toMany(let relationship) = slot else { return false }
    return links.changed[row]?.contains(relationship.number) ?? false
  }

  // MARK: - Transactions and keys

  private mutating func addTransaction(
    _ changes: ChangeSet, _ connection: Connection, _ plan: StorePlan
  ) throws(StoreError) -> Int64 {
    let key = try nextKey(in: .transactions, 1, connection, plan)
    let process = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
    let named: [(CoreDataHistory.TextColumn, String?)] = [
      (.process, process), (.author, changes.author), (.context, changes.contextName),
    ]
    var texts: [(column: CoreDataHistory.TextColumn, value: SQLValue)] = []
    for case (let column, let text?) in named {
      let value: SQLValue =
        tables.keepsTextsApart
        ? .integer(try self.key(ofText: text, connection, plan)) : .text(text)
      texts.append((column, value))
    }
    let time = Date().timeIntervalSinceReferenceDate
    try connection.run(tables.addTransaction(key, at: time, texts))
    return key
  }

  private mutating func key(
    ofText text: String, _ connection: Connection, _ plan: StorePlan
  ) throws(StoreError) -> Int64 {
    if let known = texts[text] { return known }
    if let stored = try connection.number(tables.key(ofText: text)) {
      texts[text] = stored
      return stored
    }
    let key = try nextKey(in: .texts, 1, connection, plan)
    try connection.run(tables.addText(text, key))
    texts[text] = key
    return key
  }

  private func nextKey(
    in table: CoreDataHistory.Table, _ count: Int, _ connection: Connection, _ plan: StorePlan
  ) throws(StoreError) -> Int64 {
    let handed = try connection.number(plan.counters.maximum(of: table.entity)) ?? 0
    let used = try connection.number(tables.largestKey(in: table)) ?? 0
    let (last, isOver) = max(0, handed, used).addingReportingOverflow(Int64(count))
    // One number stays free for a program that counts on after the last row.
    guard !isOver, last < .max else { throw noKeysLeft(table, plan) }
    try connection.run(plan.counters.set(last, of: table.entity))
    return last - Int64(count) + 1
  }

  private func noKeysLeft(_ table: CoreDataHistory.Table, _ plan: StorePlan) -> StoreError {
    let (key, counters) = (plan.layout.names.row.key, plan.layout.names.counters)
    return StoreError(
      .full,
      "\(table.name) has no keys left: \(counters.table).\(counters.maximum) or \(table.name).\(key) "
        + "is the largest possible number. Purge the history, and set \(counters.maximum) to the "
        + "largest \(key).")
  }
}

/// Adds rows to the table of changes.
private struct ChangeWriter {
  let connection: Connection
  let plan: StorePlan
  let tables: CoreDataHistory
  let transaction: Int64

  func add(
    _ key: Int64, _ change: Int64, _ row: RowKey, columns: [UInt8]? = nil
  ) throws(StoreError) {
    let statement = try connection.statement(StatementNumber(.historyChange), tables.addChange)
    statement.bind([
      .integer(key), .integer(CoreDataHistory.Table.changes.entity), .integer(change),
      .integer(Int64(plan.layout.storeNumber(row.entity))), .integer(row.primaryKey),
      .integer(transaction), columns.map { .blob($0) } ?? .null,
    ])
    try statement.run()
  }

  /// Keeps the values of a deleted object that its model preserves.
  func addDelete(_ key: Int64, _ change: Int64, _ row: RowKey) throws(StoreError) {
    try add(key, change, row)
    let shape = plan.model.shape(numbered: row.entity)
    let table = plan.layout.table(ofEntity: row.entity)
    let kept = shape.attributes.filter(\.description.preservesValueInHistoryOnDeletion)
      .sorted { $0.name < $1.name }.compactMap(\.slot).prefix(tables.tombstones)
    for (place, slot) in kept.enumerated() {
      let statement = try connection.statement(tables.keepValue(place, of: slot, in: table))
      statement.bind([row.primaryKey, key])
      try statement.run()
    }
  }
}

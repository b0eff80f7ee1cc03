// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// Core Data's history of a store: one row of `ATRANSACTION` per saved change set, one row of
/// `ACHANGE` per object in it or in whose to-many relationships it puts or drops something. Kept only
/// where the file has these tables.
struct History {
  private enum Change: Int64 { case insert, update, delete }
  private static let transactionEntity: Int64 = 16002
  private static let changeEntity: Int64 = 16001
  private static let stringEntity: Int64 = 16003

  private let hasStrings: Bool
  private let tombstones: Int
  private var strings: [String: Int64] = [:]
  /// By number of the entity, once one of it was changed.
  private var slots: [Int: HistorySlots] = [:]

  /// Nil where the file keeps no history.
  init?(on connection: Connection) throws(StoreError) {
    let tables = try connection.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN "
        + "('ATRANSACTION', 'ACHANGE', 'ATRANSACTIONSTRING')")
    let names = Set(tables.compactMap(\.first?.text))
    guard names.contains("ATRANSACTION"), names.contains("ACHANGE") else { return nil }
    let columns = try connection.rows("PRAGMA table_info(ATRANSACTION)").compactMap { $0[1].text }
    hasStrings = names.contains("ATRANSACTIONSTRING") && columns.contains("ZPROCESSIDTS")
    let changes = try connection.rows("PRAGMA table_info(ACHANGE)").compactMap { $0[1].text }
    tombstones = changes.count { $0.hasPrefix("ZTOMBSTONE") }
  }

  /// Numbers that were read in a transaction are not known after it was undone.
  mutating func forget() { strings.removeAll() }

  /// Writes what the change set does. Runs before its rows are gone, so that the values which
  /// outlive an object can be read.
  mutating func record(
    _ changes: ChangeSet, _ connection: Connection, _ plan: StorePlan
  ) throws(StoreError) {
    let transaction = try addTransaction(changes, connection)
    let links = try HistoryLinks(changes, connection, plan)
    let updated = Set(
      changes.updated.lazy.flatMap { rows in
        (0..<rows.page.count).map { rows.page.key($0) }
      })
    let touched = links.changed.keys.filter { !updated.contains($0) }.sorted()
    var key = try nextKey(
      "ACHANGE", Self.changeEntity, changes.count + touched.count, connection)
    let writer = ChangeWriter(
      connection: connection, plan: plan, transaction: transaction, tombstones: tombstones)
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

  // MARK: - What changed

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
    _ changes: ChangeSet, _ connection: Connection
  ) throws(StoreError) -> Int64 {
    let key = try nextKey("ATRANSACTION", Self.transactionEntity, 1, connection)
    let process = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
    let now = SQLValue.real(Date().timeIntervalSinceReferenceDate)
    let texts = [
      ("ZPROCESSID", process), ("ZAUTHOR", changes.author), ("ZCONTEXTNAME", changes.contextName),
    ]
    var columns = ["Z_PK", "Z_ENT", "ZTIMESTAMP"]
    var row: [SQLValue] = [.integer(key), .integer(Self.transactionEntity), now]
    for case (let column, let text?) in texts {
      columns.append(hasStrings ? column + "TS" : column)
      row.append(hasStrings ? .integer(try number(of: text, connection)) : .text(text))
    }
    _ = try connection.rows(
      "INSERT INTO ATRANSACTION (\(columns.joined(separator: ", "))) VALUES "
        + "(\(columns.map { _ in "?" }.joined(separator: ", ")))", row)
    return key
  }

  private mutating func number(
    of text: String, _ connection: Connection
  ) throws(StoreError) -> Int64 {
    if let known = strings[text] { return known }
    let stored = try connection.number(
      "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?", [.text(text)])
    if let stored {
      strings[text] = stored
      return stored
    }
    let key = try nextKey("ATRANSACTIONSTRING", Self.stringEntity, 1, connection)
    _ = try connection.rows(
      "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, 1, ?)",
      [.integer(key), .integer(Self.stringEntity), .text(text)])
    strings[text] = key
    return key
  }

  private func nextKey(
    _ table: String, _ entity: Int64, _ count: Int, _ connection: Connection
  ) throws(StoreError) -> Int64 {
    let handed =
      try connection.number(
        "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(entity)]) ?? 0
    let used = try connection.number("SELECT MAX(Z_PK) FROM \(table)") ?? 0
    let (last, isOver) = max(0, handed, used).addingReportingOverflow(Int64(count))
    // One number stays free, for who counts on after the last row.
    guard !isOver, last < .max else {
      throw StoreError(
        .full,
        "\(table) has no keys left: Z_PRIMARYKEY.Z_MAX or \(table).Z_PK stands at the end of all "
          + "numbers. Purge the history, and set Z_MAX to the largest Z_PK.")
    }
    _ = try connection.rows(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [.integer(last), .integer(entity)])
    return last - Int64(count) + 1
  }
}

/// Adds rows to `ACHANGE`.
private struct ChangeWriter {
  let connection: Connection
  let plan: StorePlan
  let transaction: Int64
  let tombstones: Int

  func add(
    _ key: Int64, _ change: Int64, _ row: RowKey, columns: [UInt8]? = nil
  ) throws(StoreError) {
    let statement = try connection.statement(
      StatementNumber(.historyChange),
      "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)"
        + " VALUES (?, 16001, ?, ?, ?, ?, ?)")
    statement.bind([
      .integer(key), .integer(change), .integer(Int64(plan.layout.storeNumber(row.entity))),
      .integer(row.primaryKey), .integer(transaction), columns.map { .blob($0) } ?? .null,
    ])
    try statement.run()
  }

  /// A deleted object leaves the values its model wants kept.
  func addDelete(_ key: Int64, _ change: Int64, _ row: RowKey) throws(StoreError) {
    try add(key, change, row)
    let shape = plan.model.shape(numbered: row.entity)
    let table = plan.layout.table(ofEntity: row.entity)
    let kept = shape.attributes
      .filter { $0.description.preservesValueInHistoryOnDeletion && $0.slot != nil }
      .sorted { $0.name < $1.name }.prefix(tombstones)
    for (place, attribute) in kept.enumerated() {
      let column = table.columns[attribute.slot ?? 0].name
      _ = try connection.rows(
        "UPDATE ACHANGE SET ZTOMBSTONE\(place) = (SELECT \(sqlName(column)) FROM "
          + "\(sqlName(table.name)) WHERE Z_PK = ?) WHERE Z_PK = ?",
        [.integer(row.primaryKey), .integer(key)])
    }
  }
}

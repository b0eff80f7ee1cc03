// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// Core Data's history of a store: one row of `ATRANSACTION` per saved change set, one row of
/// `ACHANGE` per object in it. Kept only where the file has these tables.
struct History {
  private enum Change: Int64 { case insert, update, delete }
  private static let transactionEntity: Int64 = 16002
  private static let changeEntity: Int64 = 16001
  private static let stringEntity: Int64 = 16003

  private let hasStrings: Bool
  private let tombstones: Int
  private var strings: [String: Int64] = [:]

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
    let start = try nextKey("ACHANGE", Self.changeEntity, changes.count, connection)
    let writer = ChangeWriter(
      connection: connection, plan: plan, transaction: transaction, tombstones: tombstones)
    var key = start
    for page in changes.inserted {
      for index in 0..<page.count {
        try writer.add(key, Change.insert.rawValue, page.key(index))
        key += 1
      }
    }
    for rows in changes.updated {
      let masks = ChangedColumns(rows, changes.links, plan)
      for index in 0..<rows.page.count {
        try writer.add(
          key, Change.update.rawValue, rows.page.key(index), columns: masks.bits(of: index))
        key += 1
      }
    }
    for row in changes.deleted {
      try writer.addDelete(key, Change.delete.rawValue, row.key)
      key += 1
    }
  }

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

/// Which properties an update changed, as bits: attributes, to-one, to-many relationships, inherited
/// ones before own ones, each by name; the first bit is the highest of the first byte.
private struct ChangedColumns {
  private let rows: UpdatedRows
  private let plan: StorePlan
  private let linked: [RowKey: Set<Int>]

  init(_ rows: UpdatedRows, _ links: [LinkChange], _ plan: StorePlan) {
    self.rows = rows
    self.plan = plan
    var linked: [RowKey: Set<Int>] = [:]
    for link in links { linked[link.owner, default: []].insert(link.join) }
    self.linked = linked
  }

  func bits(of index: Int) -> [UInt8] {
    let key = rows.page.key(index)
    let properties = Self.properties(of: plan.model.shape(numbered: key.entity))
    var bytes = [UInt8](repeating: 0, count: (properties.count + 7) / 8)
    for (place, property) in properties.enumerated() where isChanged(property, index, key) {
      bytes[place / 8] |= 0x80 >> UInt8(place % 8)
    }
    return bytes
  }

  private func isChanged(_ property: PropertyShape, _ index: Int, _ key: RowKey) -> Bool {
    let start = index * rows.page.layout.bitWords
    func isSet(_ slot: Int) -> Bool {
      rows.changedSlots[start + slot >> 6] & (1 << UInt64(slot & 63)) != 0
    }
    switch property {
    case .attribute(let attribute):
      return attribute.slot.map(isSet)
        ?? attribute.elements.compactMap(\.slot).contains(where: isSet)
    case .relationship(let relationship):
      switch relationship.storage {
      case .reference(let slot, _): return isSet(slot)
      case .join(let join, _): return linked[key]?.contains(join) ?? false
      case .inverseReference: return false
      }
    case .fetched: return false
    }
  }

  private static func properties(of shape: EntityShape) -> [PropertyShape] {
    func place(_ property: PropertyShape) -> (Int, Int, String)? {
      switch property {
      case .attribute(let attribute):
        attribute.description.isTransient ? nil : (0, attribute.entity, attribute.name)
      case .relationship(let relationship):
        relationship.description.isTransient
          ? nil : (relationship.isToMany ? 2 : 1, relationship.entity, relationship.name)
      case .fetched: nil
      }
    }
    return shape.properties.compactMap { property in place(property).map { ($0, property) } }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }
}

// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesHistory
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Histories that Apple's frameworks wrote are read as plain SQL reads them, and go on in the same form.
@Suite(.enabled(if: StoreFixture.areThere)) struct FixtureHistoryReadingTests {
  static let names = [
    "RMAdminStore-Local", "knowledgec-10.13", "Photos-10.15.7", "SampleModel2_V2",
  ]

  private func fixture(_ name: String) throws -> StoreFixture {
    try #require(StoreFixture.histories.first { $0.name.contains(name) })
  }

  private func open(_ fixture: StoreFixture, at path: String) throws -> SQLiteStore {
    var options = SQLiteStoreOptions()
    options.checksModel = false
    options.migration = .off
    return try SQLiteStore(path: path, model: fixture.model, options: options)
  }

  /// A line for each transaction and each change, as plain SQL says.
  private func plainLines(_ path: String) throws -> [String] {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    let hasTexts =
      try unsafe SQLRows.texts(
        database, "SELECT name FROM sqlite_master WHERE name = 'ATRANSACTIONSTRING'"
      ).count == 1
    func text(_ column: String) -> String {
      hasTexts
        ? "IFNULL((SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = \(column)TS), IFNULL(\(column), '-'))"
        : "IFNULL(\(column), '-')"
    }
    let texts = ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"].map(text)
      .joined(separator: " || '|' || ")
    let transactions = unsafe try SQLRows.texts(
      database,
      "SELECT Z_PK || '|' || printf('%.6f', ZTIMESTAMP) || '|' || \(texts) FROM ATRANSACTION ORDER BY Z_PK"
    )
    let changes = unsafe try SQLRows.texts(
      database,
      "SELECT c.ZTRANSACTIONID || '|' || c.Z_PK || '|' || ZCHANGETYPE || '|' || p.Z_NAME || '|' || ZENTITYPK || '|' || "
        + "IFNULL(hex(ZCOLUMNS), '') FROM ACHANGE c JOIN Z_PRIMARYKEY p ON p.Z_ENT = c.ZENTITY ORDER BY "
        + "c.ZTRANSACTIONID, c.Z_PK")
    return transactions + changes
  }

  /// The same lines, from what the store tells.
  private func lines(_ transactions: [PersistentHistoryTransaction], _ model: ManagedObjectModel)
    throws -> [String]
  {
    var (heads, changes): ([String], [String]) = ([], [])
    for transaction in transactions {
      let seconds = transaction.timestamp.timeIntervalSinceReferenceDate
      let texts = [
        transaction.author, transaction.bundleID, transaction.contextName, transaction.processID,
      ].map { $0 ?? "-" }
      let head =
        ["\(transaction.transactionNumber)", String(format: "%.6f", seconds)] + texts
      heads.append(head.joined(separator: "|"))
      for change in transaction.changes ?? [] {
        let parts = [
          "\(transaction.transactionNumber)", "\(change.changeID)",
          "\(change.changeType.rawValue)", change.changedObjectID.entityName,
          "\(change.changedObjectID.key.primaryKey)", try columns(of: change, model),
        ]
        changes.append(parts.joined(separator: "|"))
      }
    }
    return heads + changes
  }

  /// The bits of the changed properties. Columns beside a to-one relationship can not be told from the names, so they are
  /// left out on both sides.
  private func columns(
    of change: PersistentHistoryChange, _ model: ManagedObjectModel
  ) throws -> String {
    guard let names = change.updatedProperties else { return "" }
    let shape = try #require(model.shape(named: change.changedObjectID.entityName))
    return (shape.name + ":") + names.sorted().joined(separator: ",")
  }

  /// Plain lines with names in place of bits.
  private func named(_ lines: [String], _ model: ManagedObjectModel) throws -> [String] {
    try lines.map { line in
      let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 6, let kind = Int(parts[2]), (0...2).contains(kind), !parts[5].isEmpty,
        let shape = model.shape(named: parts[3])
      else { return line }
      let digits = Array(parts[5].utf8)
      let bytes = try stride(from: 0, to: digits.count, by: 2).map {
        try #require(UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16))
      }
      let slots = HistorySlots(shape, model)
      let names = try #require(slots.places(in: bytes)).map { place -> String in
        switch slots.slots[place] {
        case .toOne(let relationship, _), .entity(let relationship, _),
          .position(let relationship, _), .toMany(let relationship):
          relationship.name
        case .attribute(let attribute, _): attribute.name
        }
      }
      let text = (shape.name + ":") + Set(names).sorted().joined(separator: ",")
      return (parts[..<5] + [text]).joined(separator: "|")
    }
  }

  @Test(arguments: names, [37, 100_000])
  func readsWhatPlainSQLReads(name: String, limit: Int) throws {
    let fixture = try fixture(name)
    let path = try fixture.copy()
    let expected = try named(plainLines(path), fixture.model)
    let store = try open(fixture, at: path)
    var found: [PersistentHistoryTransaction] = []
    var range = HistoryRange(limit: limit)
    while case let part = try store.history(range), let last = part.last {
      found += part
      range.after = last.transactionNumber
    }
    #expect(try lines(found, fixture.model) == expected)
    let ends = try store.historyEnds()
    #expect(ends.last == found.last?.transactionNumber)
    #expect(ends.deleted + 1 == found.first?.transactionNumber)
  }

  @Test func keptValuesAreThoseOfTheFile() throws {
    let fixture = try fixture("RMAdminStore-Local")
    let path = try fixture.copy()
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    let expected = unsafe try SQLRows.texts(
      database,
      "SELECT Z_PK || ' ' || ((ZTOMBSTONE0 NOT NULL) + (ZTOMBSTONE1 NOT NULL) + (ZTOMBSTONE2 NOT NULL) + "
        + "(ZTOMBSTONE3 NOT NULL)) FROM ACHANGE WHERE ZTOMBSTONE0 NOT NULL OR ZTOMBSTONE1 NOT NULL OR "
        + "ZTOMBSTONE2 NOT NULL OR ZTOMBSTONE3 NOT NULL ORDER BY Z_PK")
    let store = try open(fixture, at: path)
    let changes = try store.history(HistoryRange(limit: .max)).flatMap { $0.changes ?? [] }
    let found = changes.filter { $0.tombstone?.isEmpty == false }
      .sorted { $0.changeID < $1.changeID }
      .map { "\($0.changeID) \($0.tombstone?.count ?? 0)" }
    #expect(found == expected)
    #expect(found.count > 50)
  }

  /// What is appended has values of the same types in the same columns.
  @Test(arguments: names)
  func appendedRowsHaveTheShapeOfTheOthers(name: String) throws {
    let fixture = try fixture(name)
    let path = try fixture.copy()
    let former = try shapes(path, after: 0)
    let last = try numbers(path)
    let store = try open(fixture, at: path)
    for shape in fixture.model.shapes where !shape.isAbstract {
      guard
        let page = try store.rows(
          StoreFetch(shape, includesSubentities: false, limit: 1), in: .accepted
        )
        .first(where: { $0.count > 0 })
      else { continue }
      try store.execute(
        ChangeSet(
          deleted: [DeletedRow(key: page.key(0), version: page.version(0))], author: "importer",
          contextName: "night"))
    }
    try store.close()
    let added = try shapes(path, after: last)
    #expect(!added.isEmpty)
    for shape in added {
      // A deletion alone leaves texts and columns empty that other rows have.
      let known = former.contains { $0.covers(shape) }
      #expect(known, "\(shape)")
    }
  }

  /// The types of a row's values, by column.
  private struct RowShape: Hashable, CustomStringConvertible {
    let table: String
    let types: [String]

    var description: String { "\(table): \(types)" }

    /// Each value has the type of the other row's, or is null where authors, contexts and kept values may be.
    func covers(_ other: RowShape) -> Bool {
      table == other.table
        && zip(types, other.types).allSatisfy { $0 == $1 || $1 == "null" || $0 == "null" }
    }
  }

  private func shapes(_ path: String, after last: Int64) throws -> Set<RowShape> {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    var shapes: Set<RowShape> = []
    for table in ["ATRANSACTION", "ACHANGE"] {
      let columns = unsafe try SQLRows.texts(
        database, "SELECT name FROM pragma_table_info('\(table)')")
      let types = columns.map { "typeof(\($0))" }.joined(separator: " || ' ' || ")
      let number = table == "ACHANGE" ? "ZTRANSACTIONID" : "Z_PK"
      let rows = unsafe try SQLRows.texts(
        database, "SELECT DISTINCT \(types) FROM \(table) WHERE \(number) > \(last)")
      for row in rows {
        shapes.insert(RowShape(table: table, types: row.split(separator: " ").map(String.init)))
      }
    }
    return shapes
  }

  private func numbers(_ path: String) throws -> Int64 {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    let text = try #require(
      unsafe try SQLRows.texts(database, "SELECT MAX(Z_PK) || '' FROM ATRANSACTION").first)
    return try #require(Int64(text))
  }

  /// The tables of a new store are those of Core Data's file, statement by statement.
  @Test func newTablesAreCoreDatas() throws {
    func statements(_ path: String) throws -> [String] {
      let database = unsafe try StoreFixture.database(path)
      defer { unsafe sqlite3_close(database) }
      return unsafe try SQLRows.texts(
        database,
        "SELECT name || ': ' || sql FROM sqlite_master WHERE tbl_name IN ('ACHANGE', 'ATRANSACTION', "
          + "'ATRANSACTIONSTRING') ORDER BY name")
    }
    let path = Sample.temporaryPath()
    var options = SQLiteStoreOptions()
    options.persistentHistory = .on
    try SQLiteStore(path: path, model: Sample.model, options: options).close()
    let expected = try statements(try fixture("SampleModel2_V2").copy())
    #expect(expected.count == 11)
    #expect(try statements(path) == expected)
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    let counters = unsafe try SQLRows.texts(
      database, "SELECT Z_ENT || Z_NAME || Z_SUPER || Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
    #expect(counters == ["16001CHANGE00", "16002TRANSACTION00", "16003TRANSACTIONSTRING00"])
  }
}

// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesCare
import SporadesModel
import SporadesModelFiles
import SporadesSQL
import SporadesSQLite
import SporadesStore
import Testing

/// Stores Apple's frameworks wrote, and the models they were written with. The fixtures lie beside
/// the project; where the folder is absent these tests are skipped.
@Suite(.enabled(if: StoreFixture.areThere)) struct FixtureStoreTests {
  @Test(arguments: StoreFixture.all + StoreFixture.cached)
  func readsWhatPlainSQLReads(fixture: StoreFixture) throws {
    let store = try fixture.open()
    let database = unsafe try fixture.database()
    defer { unsafe sqlite3_close(database) }
    for shape in fixture.model.shapes {
      let fetch = StoreFetch(shape, includesSubentities: false)
      let pages = try store.rows(fetch, in: .committed)
      var rows = 0
      var versions: Int64 = 0
      var keys: Int64 = 0
      for page in pages {
        for index in 0..<page.count {
          rows += 1
          versions += page.version(index)
          keys += page.key(index).primaryKey
        }
      }
      let table = "Z" + fixture.model.shape(numbered: shape.rootNumber).name.uppercased()
      let sums = try unsafe numbers(
        database,
        "SELECT COUNT(*), IFNULL(SUM(Z_OPT), 0), IFNULL(SUM(Z_PK), 0) FROM \(table) WHERE Z_ENT = "
          + "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(shape.name)')")
      #expect(sums == [Int64(rows), versions, keys], "\(shape.name)")
      try unsafe compareAttributes(shape, pages, table, database)
    }
    #expect(try store.metadata()["NSStoreModelVersionHashesVersion"] == .integer(3))
  }

  /// The bytes of texts, the sums of numbers and the number of nils agree, column by column.
  private func compareAttributes(
    _ shape: EntityShape, _ pages: [RowPage], _ table: String, _ database: OpaquePointer?
  ) throws {
    for attribute in shape.attributes {
      guard let slot = attribute.slot, attribute.type != .decimal,
        !attribute.description.allowsExternalBinaryDataStorage
      else { continue }
      var (present, amount): (Int64, Double) = (0, 0)
      for page in pages {
        for index in 0..<page.count where !page.isNull(index, slot: slot) {
          present += 1
          switch page.layout.slots[slot].kind {
          case .text, .bytes: amount += Double(page.bytes(index, slot)?.count ?? 0)
          case .real: amount += Double(bitPattern: page.word(index, slot: slot))
          default: amount += Double(Int64(bitPattern: page.word(index, slot: slot)))
          }
        }
      }
      let column = "Z" + attribute.name.uppercased()
      let isText = [.text, .bytes].contains(shape.layout.slots[slot].kind)
      let value = isText ? "LENGTH(CAST(\(column) AS BLOB))" : column
      let sums = try unsafe SQLRows.texts(
        database,
        "SELECT COUNT(\(column)) || ' ' || printf('%!.17g', TOTAL(\(value))) FROM \(table) WHERE Z_ENT "
          + "= (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(shape.name)')")
      let parts = try #require(sums.first).split(separator: " ")
      #expect(Int64(parts[0]) == present, "\(shape.name).\(attribute.name)")
      let difference = abs(try #require(Double(parts[1])) - amount)
      #expect(difference <= max(0.002, abs(amount) * 1e-9), "\(shape.name).\(attribute.name)")
    }
  }

  /// The problems of a store, without the required values that the test itself leaves out. A store validates nothing.
  private func damages(_ store: SQLiteStore) throws -> Set<IntegrityProblem> {
    var problems: Set<IntegrityProblem> = []
    try store.forEachIntegrityProblem { problem in
      if problem.kind != .missingValue { problems.insert(problem) }
    }
    return problems
  }

  @Test(arguments: StoreFixture.all + StoreFixture.cached)
  func writesCopiesThatStayWhole(fixture: StoreFixture) throws {
    let store = try fixture.open()
    let before = try damages(store)
    for shape in fixture.model.shapes where !shape.isAbstract {
      try write(shape, store)
    }
    try store.commit(.immediate)
    let after = try damages(store)
    #expect(after.isSubset(of: before), "\(after)")
    try store.close()
    let database = unsafe try StoreFixture.database(store.path ?? "")
    defer { unsafe sqlite3_close(database) }
    for shape in fixture.model.shapes where shape.superNumber == 0 {
      let table = "Z" + shape.name.uppercased()
      let maximum = try unsafe numbers(
        database,
        "SELECT MAX(Z_PK) <= (SELECT MAX(Z_MAX) FROM Z_PRIMARYKEY WHERE Z_NAME = '\(shape.name)') "
          + "FROM \(table) HAVING COUNT(*) > 0")
      #expect(maximum.allSatisfy { $0 == 1 }, "\(shape.name)")
      #expect(
        try unsafe numbers(database, "SELECT COUNT(*) FROM \(table) WHERE Z_OPT IS NULL") == [0])
    }
  }

  /// Inserts two rows, changes one of them and deletes the other.
  private func write(_ shape: EntityShape, _ store: SQLiteStore) throws {
    let keys = try store.reserveKeys(2, for: shape).map {
      RowKey(entity: shape.number, primaryKey: $0)
    }
    func page(_ keys: [RowKey], version: Int64) -> RowPage {
      var builder = RowPageBuilder(layout: shape.layout)
      for key in keys {
        builder.appendRow(key, version: version)
        for attribute in shape.attributes {
          guard let slot = attribute.slot else { continue }
          switch shape.layout.slots[slot].kind {
          case .integer, .truth: builder.set(slot, to: key.primaryKey % 1000)
          case .real: builder.set(slot, to: Double(key.primaryKey) + 0.5)
          case .text where attribute.type == .decimal: builder.set(slot, to: "1.25")
          case .text: builder.set(slot, to: "Käfer \(key.primaryKey) \(version)")
          case .bytes, .large:
            builder.set(slot, to: Array("0123456789\(100_000 + key.primaryKey)".utf8))
          case .reference: break
          }
        }
      }
      return builder.finish()
    }
    let inserted = page(keys, version: 1)
    try store.execute(ChangeSet(inserted: [inserted]))
    let changed = page([keys[0]], version: 2)
    let slots = shape.attributes.compactMap(\.slot)
    try store.execute(
      ChangeSet(
        updated: [Sample.updates(changed, slots)],
        deleted: [DeletedRow(key: keys[1], version: 1)]))
    let found = try store.rows(for: keys, in: .accepted)
    #expect(found.map(\.count) == [1])
    #expect(found.first?.version(0) == 2)
    for slot in slots {
      #expect(found.first?.isNull(0, slot: slot) == false, "\(shape.name) \(slot)")
      guard [.text, .bytes, .large].contains(shape.layout.slots[slot].kind) else { continue }
      #expect(found.first?.bytes(0, slot) == changed.bytes(0, slot), "\(shape.name) \(slot)")
    }
  }

  /// Tables, columns in their order with their types, and indexes, by name.
  @Test(arguments: StoreFixture.all)
  func wouldHaveMadeTheSameTables(fixture: StoreFixture) throws {
    let database = unsafe try fixture.database()
    defer { unsafe sqlite3_close(database) }
    let made = CreateStatements(CoreDataLayout(fixture.model), SQLiteDialect())
    let theirs = try unsafe SQLRows.texts(
      database,
      "SELECT sql FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' AND name NOT IN "
        + "('Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE')")
    let ours = Set(made.tables.map(\.sql).map(withoutJoinSuffixes))
    for table in theirs.map(\.trimmed).map(withoutJoinSuffixes) where !table.contains("CONSTRAINT")
    {
      #expect(ours.contains(table), "\(table)\nOurs: \(nearest(table, ours))")
    }
    #expect(ours.count == theirs.count)
    guard fixture.hasModernIndexes else { return }
    let indexes = try unsafe SQLRows.texts(
      database,
      "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name LIKE 'Z%'"
    )
    #expect(Set(indexes.map(\.trimmed)).symmetricDifference(made.indexes.map(\.sql)) == [])
  }

  /// The numbers behind columns of joins come in no order: `Z_3ARTWORKS1`.
  private func withoutJoinSuffixes(_ table: String) -> String {
    guard table.hasPrefix("CREATE TABLE Z_") else { return table }
    return table.replacing(#/(Z_\d+[A-Z]+)\d+/#) { String($0.output.1) }
  }

  private func nearest(_ table: String, _ ours: Set<String>) -> String {
    let start = table.prefix { $0 != "(" }
    return ours.first { $0.hasPrefix(start) } ?? "none"
  }

  // MARK: - Plain SQL

  private func numbers(_ database: OpaquePointer?, _ sql: String) throws -> [Int64] {
    var statement: OpaquePointer?
    try #require(
      unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
    defer { unsafe sqlite3_finalize(statement) }
    guard unsafe sqlite3_step(statement) == SQLITE_ROW else { return [] }
    return unsafe (0..<sqlite3_column_count(statement)).map {
      unsafe sqlite3_column_int64(statement, $0)
    }
  }
}

extension String {
  var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesSQL
package import SporadesStore
import Synchronization

/// The version of the model that a store had when it was opened. All connections of the store share it.
///
/// Rules:
/// 1. A write compares when it has the lock, so that it writes no row in the form of a former version.
/// 2. A read compares at its end, if SQLite prepared a statement for it. Rows of another version are never returned.
/// 3. The number of the schema changes with every change of a table. Only another number leads to the metadata: an index,
///    `ANALYZE` and `VACUUM` leave the version as it is.
final class ModelMark: Sendable {
  private let names: LayoutNames
  private let hashes: MetadataValue?
  /// The store's numbers of the entities by their names.
  private let numbers: [String: Int]
  /// The number of a schema that has the version.
  private let schema: Atomic<Int64>
  private let hasChanged = Atomic<Bool>(false)

  /// `schema` was read before the metadata and the numbers. A change in between has another number.
  init(
    _ layout: StoreLayout, of model: ManagedObjectModel, _ metadata: [String: MetadataValue],
    schema: Int64
  ) {
    names = layout.names
    hashes = metadata[[String: MetadataValue].versionHashesKey]
    let numbers = model.shapes.map { ($0.name, layout.storeNumber($0.number)) }
    // An entity outside the store has the number 0.
    self.numbers = Dictionary(uniqueKeysWithValues: numbers.filter { $0.1 > 0 })
    self.schema = Atomic(schema)
  }

  /// The number of the last schema that was compared.
  var knownSchema: Int64 { schema.load(ordering: .relaxed) }

  /// The number of the schema that the connection shows.
  static func schema(of connection: Connection) throws(StoreError) -> Int64 {
    let statement = try connection.statement(StatementNumber(.schemaVersion), .schemaVersion)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  /// Throws `modelChanged` if the database of the connection has another version of the model.
  func check(_ connection: Connection) throws(StoreError) {
    if hasChanged.load(ordering: .relaxed) { throw changed }
    let number = try Self.schema(of: connection)
    if number != schema.load(ordering: .relaxed) {
      guard try isVersion(of: connection) else {
        hasChanged.store(true, ordering: .relaxed)
        throw changed
      }
      schema.store(number, ordering: .relaxed)
    }
    connection.schema.isDue = false
  }

  /// Whether the database has the hashes, and the entities their numbers.
  private func isVersion(of connection: Connection) throws(StoreError) -> Bool {
    let row = try connection.rows(MetadataStatements(names, SQLiteDialect()).read).first
    let plist: [UInt8] =
      switch row?[1] {
      case .blob(let bytes): bytes
      case .text(let text): Array(text.utf8)
      case .null, .integer, .real, nil: []
      }
    let metadata = try StoreMetadata.metadata(plist)
    guard metadata[[String: MetadataValue].versionHashesKey] == hashes else { return false }
    var present: [String: Int64] = [:]
    let counters = CounterStatements(names, SQLiteDialect())
    for row in try connection.rows(counters.numbers(limit: StoreLayout.largestNumber + 1)) {
      guard let name = row[0].text, let number = row[1].integer else { continue }
      present[name] = number
    }
    // An app may have renamed an entity, which keeps its number then. A row that is gone is a damage, and no migration.
    return numbers.allSatisfy { name, number in present[name].map { $0 == number } ?? true }
  }

  private var changed: StoreError {
    StoreError(
      .modelChanged,
      "Another process, or another opening in this one, changed the store to another version of its model while "
        + "it was open. Nothing was written. Close the store, and open it again with that version.")
  }
}

extension Connection {
  /// The number of the schema, which changes with every change of a table.
  package func schemaNumber() throws(StoreError) -> Int64 { try ModelMark.schema(of: self) }

  /// Runs `body`, and throws `modelChanged` if it may have seen rows of another version of the model.
  @inline(__always)
  func checked(_ body: (Connection) throws(StoreError) -> Void) throws(StoreError) {
    do { try body(self) } catch { throw cause(of: error) }
    if schema.isDue { try model?.check(self) }
  }

  /// A statement fails if a table or a column of the former version is gone.
  func cause(of failure: StoreError) -> StoreError {
    let isOfTables = failure.sqliteFailure.map { $0.code & 0xFF == SQLITE_ERROR } ?? false
    guard schema.isDue || isOfTables, let model else { return failure }
    do throws(StoreError) {
      try model.check(self)
      return failure
    } catch {
      return error.code == .modelChanged ? error : failure
    }
  }
}

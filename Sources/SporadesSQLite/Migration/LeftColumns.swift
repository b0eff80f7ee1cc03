// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The columns that a migration left in the file though the newer version of the model lacks them. The metadata of the
/// store name them.
struct LeftColumns {
  static let key = StoreMetadata.leftColumnsKey
  /// The columns by their tables.
  private(set) var columns: [String: [String]]

  init(_ columns: [String: [String]]) { self.columns = columns }

  init(_ metadata: [String: MetadataValue]) {
    columns = [:]
    guard case .dictionary(let tables)? = metadata[Self.key] else { return }
    for (table, names) in tables {
      guard case .list(let names) = names else { continue }
      columns[table] = names.compactMap { if case .string(let name) = $0 { name } else { nil } }
    }
  }

  var isEmpty: Bool { columns.values.allSatisfy(\.isEmpty) }

  /// The entry of the metadata; nil if no column was left.
  var entry: MetadataValue? {
    guard !isEmpty else { return nil }
    return .dictionary(columns.mapValues { .list($0.map { .string($0) }) })
  }

  /// Removes all columns. Each removal writes its table again.
  func drop(_ connection: Connection) throws(StoreError) {
    var left = self
    while try left.dropNext(connection) {}
  }

  /// Removes one column; returns false if there is none. A column that somebody else removed counts as removed.
  mutating func dropNext(_ connection: Connection) throws(StoreError) -> Bool {
    guard let (table, names) = columns.filter({ !$0.value.isEmpty }).min(by: { $0.key < $1.key }),
      let name = names.first
    else { return false }
    columns[table] = Array(names.dropFirst())
    guard try connection.columns(of: table).contains(name) else { return true }
    try connection.run(MigrationStatements.drop(column: name, of: table, SQLiteDialect()))
    return true
  }
}

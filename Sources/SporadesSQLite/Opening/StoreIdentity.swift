// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel
import SporadesSQL
import SporadesStore

/// The identity of a store: the single row of its metadata table.
package struct StoreIdentity: Hashable, Sendable {
  /// A UUID.
  package let identifier: String
  /// Empty if the store has none.
  package let metadata: [String: MetadataValue]

  /// The metadata with the identifier, as programs read them.
  var fullMetadata: [String: MetadataValue] {
    metadata.merging(["NSStoreUUID": .string(identifier)]) { $1 }
  }

  /// Nil if the database has no tables. Throws if the tables are not those of a store.
  init?(_ connection: Connection, _ names: LayoutNames) throws(StoreError) {
    // The count comes first, because another process may create all tables at any moment in one transaction.
    if try StoreMaking.isEmpty(connection) { return nil }
    // The check comes before any text is read, because the code reads all texts as UTF-8.
    guard try connection.rows(.encoding).first?.first?.text == "UTF-8" else {
      throw StoreError(
        .unsupported,
        "The store keeps its texts as UTF-16, which Core Data never does. Copy its rows into a "
          + "database whose encoding is UTF-8.")
    }
    let wanted = [names.metadata.table, names.counters.table]
    let tables = try connection.rows(.tables).count { row in wanted.contains { row[0].text == $0 } }
    guard tables == 2 else {
      throw StoreError(
        .corrupt,
        "The file is a SQLite database and not a Core Data store; name another file.")
    }
    let row = try connection.rows(MetadataStatements(names, SQLiteDialect()).read).first
    guard let row else {
      throw StoreError(
        .corrupt,
        "The store has lost its metadata: \(names.metadata.table) has no row. Restore a copy of it."
      )
    }
    guard let identifier = row[0].text, UUID(uuidString: identifier) != nil else {
      throw StoreError(
        .corrupt,
        "\(names.metadata.table).\(names.metadata.identifier) holds no UUID to identify the store. "
          + "Restore a copy, or set it to one.")
    }
    self.identifier = identifier
    metadata = try StoreMetadata.metadata(Self.plist(row[1], names.metadata))
  }

  /// A property list; empty if the store has none.
  private static func plist(
    _ value: SQLValue, _ names: LayoutNames.Metadata
  ) throws(StoreError) -> [UInt8] {
    switch value {
    case .null: return []
    case .blob(let bytes): return bytes
    case .text(let text): return Array(text.utf8)
    case .integer, .real:
      throw StoreError(
        .corrupt,
        "\(names.table).\(names.contents) holds a number and no property list. Restore a copy of the "
          + "store.")
    }
  }
}

// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesSQL
package import SporadesStore

/// What a store says of itself: the one row of `Z_METADATA`.
package struct StoreIdentity: Hashable, Sendable {
  /// A UUID.
  package let identifier: String
  /// Empty where the store has none.
  package let metadata: [String: MetadataValue]

  /// Nil where the database has no tables. Throws where its tables are not those of a store.
  init?(_ connection: Connection) throws(StoreError) {
    // A view would be a program of whoever made the file, and has no root page; nor has a virtual table.
    let tables = try connection.number(
      "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND rootpage > 0 "
        + "AND name IN ('Z_METADATA', 'Z_PRIMARYKEY')")
    if tables == 0, try StoreMaking.isEmpty(connection) { return nil }
    guard tables == 2 else {
      throw StoreError(
        .corrupt,
        "The file is a SQLite database and not a Core Data store; name another file.")
    }
    guard try connection.rows("PRAGMA encoding").first?.first?.text == "UTF-8" else {
      throw StoreError(
        .unsupported,
        "The store keeps its texts as UTF-16, which no store of Core Data's does. Copy its rows into a "
          + "database whose encoding is UTF-8.")
    }
    let row = try connection.rows("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1").first
    guard let row else {
      throw StoreError(
        .corrupt, "The store has lost its metadata: Z_METADATA has no row. Restore a copy of it.")
    }
    guard let identifier = row[0].text, UUID(uuidString: identifier) != nil else {
      throw StoreError(
        .corrupt,
        "Z_METADATA.Z_UUID holds no UUID, which names the store. Restore a copy, or set it to one.")
    }
    self.identifier = identifier
    metadata = try StoreMetadata.metadata(Self.plist(row[1]))
  }

  /// A property list; empty where the store has none.
  private static func plist(_ value: SQLValue) throws(StoreError) -> [UInt8] {
    switch value {
    case .null: return []
    case .blob(let bytes): return bytes
    case .text(let text): return Array(text.utf8)
    case .integer, .real:
      throw StoreError(
        .corrupt,
        "Z_METADATA.Z_PLIST holds a number and no property list. Restore a copy of the store.")
    }
  }
}

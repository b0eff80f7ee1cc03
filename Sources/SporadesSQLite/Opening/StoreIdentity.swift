// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesSQL
import SporadesStore

/// What a file says of the store in it: the one row of `Z_METADATA`.
struct StoreIdentity {
  let identifier: String
  /// A property list; empty where the store has none.
  let plist: [UInt8]

  /// Throws where the file is no store.
  init(_ connection: Connection) throws(StoreError) {
    // A view would be a program of whoever made the file, and has no root page; nor has a virtual table.
    let tables = try connection.number(
      "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND rootpage > 0 "
        + "AND name IN ('Z_METADATA', 'Z_PRIMARYKEY')")
    if tables == 0, try StoreMaking.isEmpty(connection) { throw StoreError.emptyFile("The file") }
    guard tables == 2 else {
      throw StoreError(
        .corrupt,
        "The file is a SQLite database and not a Core Data store; name another file.")
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
    plist = try Self.plist(row[1])
  }

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

  func metadata() throws(StoreError) -> [String: MetadataValue] {
    try StoreMetadata.metadata(plist)
  }
}

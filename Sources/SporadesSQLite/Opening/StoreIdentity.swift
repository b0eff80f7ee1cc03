// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesSQL
import SporadesStore

/// What a file says of the store in it: the one row of the table of metadata.
struct StoreIdentity {
  let identifier: String
  /// A property list; empty where the store has none.
  let plist: [UInt8]

  /// Throws where the file is no store.
  init(_ connection: Connection, _ names: LayoutNames) throws(StoreError) {
    let wanted = [names.metadata.table, names.counters.table]
    let tables = try connection.rows(.tables).count { row in wanted.contains { row[0].text == $0 } }
    if tables == 0, try StoreMaking.isEmpty(connection) { throw StoreError.emptyFile("The file") }
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
        "\(names.metadata.table).\(names.metadata.identifier) holds no UUID, which names the store. "
          + "Restore a copy, or set it to one.")
    }
    self.identifier = identifier
    plist = try Self.plist(row[1], names.metadata)
  }

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

  func metadata() throws(StoreError) -> [String: MetadataValue] {
    try StoreMetadata.metadata(plist)
  }
}

// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  /// The metadata of the store in a file, whatever model wrote it, with the store's identifier as
  /// `NSStoreUUID`. The file is only read.
  public static func metadata(ofStoreAt url: URL) throws(StoreError) -> [String: MetadataValue] {
    guard SystemFile.kind(url.path) == .file else {
      throw StoreError(.cannotOpen, "There is no store at \(url.path).")
    }
    let folder = url.deletingLastPathComponent().path
    let canShareLog = SystemFile.isWritable(folder) || SystemFile.size(url.path + "-wal") > 0
    let connection = try Connection(
      path: url.path, access: canShareLog ? .readOnly : .immutable, busyMilliseconds: 5_000)
    defer { connection.close() }
    let tables = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'Z_METADATA'"
    guard try connection.number(tables) == 1 else {
      throw StoreError(.corrupt, "The file is a SQLite database and not a Core Data store.")
    }
    guard let row = try connection.rows("SELECT Z_UUID, Z_PLIST FROM Z_METADATA").first,
      let identifier = row[0].text
    else { throw StoreError(.corrupt, "The store has lost its metadata.") }
    var metadata = try StoreMetadata.metadata(row[1].blob ?? [])
    metadata["NSStoreUUID"] = .string(identifier)
    return metadata
  }
}

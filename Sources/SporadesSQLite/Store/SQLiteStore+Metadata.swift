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
    let connection = try Connection(
      path: url.path, access: .reading(url.path), busyMilliseconds: 5_000)
    defer { connection.close() }
    var (identifier, metadata) = try identity(connection, url.path)
    metadata["NSStoreUUID"] = .string(identifier)
    return metadata
  }

  /// Replaces the metadata of the store in a file, whatever model wrote it. Entries of Core Data's
  /// that are left out stay.
  public static func setMetadata(
    _ metadata: [String: MetadataValue], ofStoreAt url: URL
  ) throws(StoreError) {
    let connection = try StoreFile(url.path).connect()
    defer { connection.close() }
    connection.wait.sign = WaitingSign(for: url.path)
    let (_, old) = try identity(connection, url.path)
    let plist = try StoreMetadata.plist(StoreMetadata.metadata(metadata, keeping: old))
    try connection.run(
      MetadataStatements(CoreDataLayout.names, SQLiteDialect()).set(contents: plist))
  }

  /// Throws where the file is no store.
  static func identity(
    _ connection: Connection, _ path: String
  ) throws(StoreError) -> (identifier: String, metadata: [String: MetadataValue]) {
    try StoreMaking.checkNotText(path)
    do throws(StoreError) {
      if try StoreMaking.isEmpty(connection) { throw StoreError.emptyFile(path) }
      let identity = try StoreIdentity(connection, CoreDataLayout.names)
      return (identity.identifier, try identity.metadata())
    } catch  where error.code == .corrupt {
      let what = error.sqliteFailure == nil ? error.detail : "It is damaged, or no SQLite database."
      throw StoreError(.corrupt, "\(path): \(what)", underlying: error)
    }
  }
}

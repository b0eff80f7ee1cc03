// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  /// The entries of the store's property list, including uncommitted changes, with the store's identifier under
  /// `NSStoreUUID`.
  public func metadata() throws(StoreError) -> [String: MetadataValue] {
    let content = try read(.accepted) { (connection) throws(StoreError) in
      try StoreContent(on: connection, plan.layout.names)
    }
    return try content.identity(at: path ?? "The database in memory").fullMetadata
  }

  /// Replaces the entries. Core Data's own entries stay unless the new ones replace them.
  public func setMetadata(_ metadata: [String: MetadataValue]) throws(StoreError) {
    let all = StoreMetadata.metadata(metadata, keeping: try self.metadata())
    let plist = try StoreMetadata.plist(all)
    try write { (writer) throws(StoreError) in try writer.setMetadata(plist) }
  }

  /// Takes over the application's metadata of a store of an older version, and the versions that it had.
  package func takeMetadata(of former: SQLiteStore) throws(StoreError) {
    try setMetadata(
      StoreMetadata.carriedOver(
        former.metadata(),
        from: former.model.versionChecksum(inConfiguration: former.configurationName),
        to: model.versionChecksum(inConfiguration: configurationName)))
  }

  // MARK: - A closed file

  /// The metadata of the store in a file, written by any model, with the store's identifier under
  /// `NSStoreUUID`. The call only reads the file, and creates no file beside it.
  public static func metadata(ofStoreAt url: URL) throws(StoreError) -> [String: MetadataValue] {
    let path = try url.storePath
    return try StoreContent.read(at: path).identity(at: path).fullMetadata
  }

  /// Replaces the metadata of the store in a file, written by any model. Core Data's own entries stay unless
  /// the new ones replace them.
  public static func setMetadata(
    _ metadata: [String: MetadataValue], ofStoreAt url: URL
  ) throws(StoreError) {
    let path = try url.storePath
    let file = try StoreFile(path)
    let connection = try file.connect()
    defer { connection.close() }
    connection.wait.sign = WaitingSign(for: path)
    let old = try file.identity(on: connection).metadata
    let plist = try StoreMetadata.plist(StoreMetadata.metadata(metadata, keeping: old))
    try connection.run(
      MetadataStatements(CoreDataLayout.names, SQLiteDialect()).set(contents: plist))
  }
}

// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesArchives
import SporadesModel
import SporadesSQL
import SporadesStore

/// The row that identifies the store, with its metadata as a property list.
struct ServerMetadata {
  private let connection: ServerConnection
  private static let names = ServerLayout.names.metadata

  init(_ connection: ServerConnection) { self.connection = connection }

  /// The store's identifier and the version of its layout.
  func identity() throws(StoreError) -> (identifier: String, layout: Int64) {
    let answer = try connection.run(
      "SELECT upper(\(Self.names.identifier)::text), \(Self.names.version) FROM \(Self.names.table)"
    )
    guard answer.count == 1, let identifier = answer.text(0, 0), let version = answer.integer(0, 1)
    else {
      throw StoreError(
        .corrupt,
        "\(connection.place): \(Self.names.table) has \(answer.count) rows, and a store has one. Restore it from a backup."
      )
    }
    return (identifier, version)
  }

  /// The entries of the metadata, with the identifier.
  func read(_ identifier: String) throws(StoreError) -> [String: MetadataValue] {
    let answer = try connection.run("SELECT \(Self.names.contents) FROM \(Self.names.table)")
    let value: MetadataValue
    do throws(PropertyListError) {
      value = try MetadataValue.read(propertyList: answer.blob(0, 0) ?? [])
    } catch {
      throw StoreError(.corrupt, "The store's metadata cannot be read: \(error.reason).")
    }
    guard case .dictionary(var entries) = value else {
      throw StoreError(.corrupt, "The store's metadata is no dictionary.")
    }
    entries["NSStoreUUID"] = .string(identifier)
    return entries
  }

  /// Replaces the entries of the application.
  func write(_ metadata: [String: MetadataValue]) throws(StoreError) {
    let own = try read("").filter { MetadataValue.isCoreData(key: $0.key) }
    var all = own.merging(metadata) { $1 }
    all["NSStoreUUID"] = nil
    try connection.run(
      "UPDATE \(Self.names.table) SET \(Self.names.contents) = $1", [.bytea(try Self.plist(all))])
  }

  /// Writes the row of a new store.
  func make(_ identifier: UUID, for model: ManagedObjectModel) throws(StoreError) {
    let hashes = model.entityVersionHashesByName.mapValues { MetadataValue.data($0) }
    let contents = try Self.plist([
      "NSStoreType": .string("PostgreSQL"),
      [String: MetadataValue].versionHashesKey: .dictionary(hashes),
    ])
    let names = Self.names
    try connection.run(
      "INSERT INTO \(names.table) (\(names.version), \(names.identifier), \(names.contents)) VALUES ($1, $2, $3)",
      [.int8(ServerLayout.version), .uuid(identifier.bytes), .bytea(contents)])
  }

  private static func plist(_ metadata: [String: MetadataValue]) throws(StoreError) -> [UInt8] {
    do throws(PropertyListError) {
      return try MetadataValue.binaryPropertyList(metadata)
    } catch {
      throw StoreError(.unsupported, "The metadata cannot be written: \(error.reason).")
    }
  }
}

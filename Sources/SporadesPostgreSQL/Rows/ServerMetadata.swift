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

  /// What the store's table says of the store.
  struct Stored {
    let identifier: String
    /// The version of the layout.
    let layout: Int64
    /// The number of the store's migrations.
    let migrations: Int64
    /// The archive of its model.
    let model: [UInt8]
    let metadata: [String: MetadataValue]

    /// Whether a version of the model is the store's.
    func isOf(_ model: ManagedObjectModel) -> Bool { others(than: model).isEmpty }

    /// The names of the entities that differ between the store and a model.
    func others(than model: ManagedObjectModel) -> [String] {
      model.entitiesDiffering(from: metadata.versionHashes ?? [:])
    }
  }

  /// The version of the layout, and the rest if the version is known.
  func stored() throws(StoreError) -> Stored {
    let names = Self.names
    let version = try onlyRow("\(names.version)").integer(0, 0) ?? 0
    guard version == ServerLayout.version else {
      throw StoreError(
        .unsupported,
        "\(connection.place): The store has the layout \(version), and this version of Sporades knows \(ServerLayout.version). "
          + "Use the version that wrote it last.")
    }
    let row = try onlyRow("upper(\(names.identifier)::text), migrations, model")
    let identifier = row.text(0, 0) ?? ""
    return Stored(
      identifier: identifier, layout: version, migrations: row.integer(0, 1) ?? 0,
      model: row.blob(0, 2) ?? [], metadata: try read(identifier))
  }

  private func onlyRow(_ columns: String) throws(StoreError) -> ServerRows {
    let answer = try connection.run("SELECT \(columns) FROM \(Self.names.table)")
    guard answer.count == 1 else {
      throw StoreError(
        .corrupt,
        "\(connection.place): \(Self.names.table) has \(answer.count) rows, and a store has one. Restore it from a backup."
      )
    }
    return answer
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

  /// Replaces the entries of the application, if the store has had no more than a number of migrations.
  func write(_ metadata: [String: MetadataValue], migrations: Int64) throws(StoreError) {
    let own = try read("").filter {
      MetadataValue.isCoreData(key: $0.key) || $0.key == StoreLineage.key
    }
    var all = own.merging(metadata) { $1 }
    all["NSStoreUUID"] = nil
    let answer = try connection.run(
      "UPDATE \(Self.names.table) SET \(Self.names.contents) = $1 WHERE migrations = $2",
      [.bytea(try Self.plist(all)), .int8(migrations)])
    guard answer.changed == 1 else { throw .migrated(at: connection.place) }
  }

  /// Writes the row of a new store. `earlier` are the checksums of the versions that the program lists before its own.
  func make(
    _ identifier: UUID, for model: ManagedObjectModel, after earlier: [String]
  ) throws(StoreError) {
    var entries: [String: MetadataValue] = ["NSStoreType": .string("PostgreSQL")]
    entries.merge(Self.entries(for: model)) { $1 }
    if !earlier.isEmpty {
      entries[StoreLineage.key] = StoreLineage.entry([:], earlier, to: model.versionChecksum)
    }
    let names = Self.names
    try connection.run(
      "INSERT INTO \(names.table) (\(names.version), \(names.identifier), \(names.contents), model) VALUES ($1, $2, $3, $4)",
      [
        .int8(ServerLayout.version), .uuid(identifier.bytes), .bytea(try Self.plist(entries)),
        .bytea(try Self.archive(model)),
      ])
  }

  /// Gives the store another version of its model, with `earlier` behind it. Whoever has it open with the former one no longer
  /// commits.
  func migrate(
    _ stored: Stored, to model: ManagedObjectModel, from earlier: [String]
  ) throws(StoreError) {
    var entries = stored.metadata.merging(Self.entries(for: model)) { $1 }
    entries[StoreLineage.key] = StoreLineage.entry(
      stored.metadata, earlier, to: model.versionChecksum)
    entries["NSStoreUUID"] = nil
    try connection.run(
      "UPDATE \(Self.names.table) SET \(Self.names.contents) = $1, model = $2, migrations = migrations + 1",
      [.bytea(try Self.plist(entries)), .bytea(try Self.archive(model))])
  }

  /// The entries that identify the version of a model.
  private static func entries(for model: ManagedObjectModel) -> [String: MetadataValue] {
    let hashes = model.entityVersionHashesByName.mapValues { MetadataValue.data($0) }
    return [[String: MetadataValue].versionHashesKey: .dictionary(hashes)]
  }

  private static func archive(_ model: ManagedObjectModel) throws(StoreError) -> [UInt8] {
    do throws(PropertyListError) { return try ModelArchiver.deflated(model) } catch {
      throw StoreError(.unsupported, "The model cannot be kept in the store: \(error.reason).")
    }
  }

  private static func plist(_ metadata: [String: MetadataValue]) throws(StoreError) -> [UInt8] {
    do throws(PropertyListError) {
      return try MetadataValue.binaryPropertyList(metadata)
    } catch {
      throw StoreError(.unsupported, "The metadata cannot be written: \(error.reason).")
    }
  }
}

extension ServerConnection {
  /// Whether a schema has a table.
  func hasTable(_ name: String, in schema: String) throws(StoreError) -> Bool {
    let answer = try run(
      "SELECT count(*) FROM pg_tables WHERE schemaname = $1 AND tablename = $2",
      [.text(schema), .text(name)])
    return answer.integer(0, 0) != 0
  }
}

extension StoreError {
  /// The refusal of what another process's migration has made impossible.
  static func migrated(at place: String) -> StoreError {
    StoreError(
      .modelChanged,
      "\(place): Another process changed the store to another version of the model, or gave it a history, while it was open. "
        + "What was not committed is not in the store. Open it again, with that version.")
  }
}

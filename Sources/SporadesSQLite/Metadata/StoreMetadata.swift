// SPDX-License-Identifier: MIT
import SporadesArchives
import SporadesModel
import SporadesSQL
import SporadesStore

/// The metadata of a store as Core Data keeps it: a binary property list.
enum StoreMetadata {
  static let hashesVersion = "NSStoreModelVersionHashesVersion"
  static let digestKey = "NSStoreModelVersionHashesDigest"

  /// The newest version of Core Data whose files were compared with this library's.
  private static let frameworkVersion: Int64 = 1522

  /// The metadata of a new store. `earlier` are the checksums of the versions that the program lists before its own.
  static func initial(
    for model: ManagedObjectModel, _ configuration: String?, after earlier: [String] = []
  ) -> [String: MetadataValue] {
    var all = modelEntries(for: model, configuration)
    if !earlier.isEmpty {
      all[StoreLineage.key] = StoreLineage.entry(
        [:], earlier, to: model.versionChecksum(inConfiguration: configuration))
    }
    return all.merging([
      "NSStoreType": .string("SQLite"),
      "_NSAutoVacuumLevel": .string("2"),
      // Files of this version have both numbers.
      "NSPersistenceMaximumFrameworkVersion": .integer(frameworkVersion),
    ]) { first, _ in first }
  }

  /// The entries that identify the version of a model, or of one of its configurations.
  static func modelEntries(
    for model: ManagedObjectModel, _ configuration: String?
  ) -> [String: MetadataValue] {
    let names = Set((model.entities(inConfiguration: configuration) ?? []).map(\.name))
    let hashes = model.entityVersionHashesByName.filter { names.contains($0.key) }
    return [
      "NSPersistenceFrameworkVersion": .integer(frameworkVersion),
      [String: MetadataValue].versionHashesKey: .dictionary(hashes.mapValues { .data($0) }),
      Self.hashesVersion: .integer(3),
      digestKey: .string(
        model.versionHashesDigest(inConfiguration: configuration) ?? ""),
      "NSStoreModelVersionChecksumKey": .string(
        model.versionChecksum(inConfiguration: configuration) ?? ""),
      "NSStoreModelVersionIdentifiers": .list(
        model.versionIdentifiers.inOrder().map { .string($0) }),
    ]
  }

  /// The key of the columns that a migration left for later.
  static let leftColumnsKey = "SporadesLeftColumns"
  private static let keptKeys = [StoreLineage.key, leftColumnsKey]

  /// The metadata of a store that gets another version of its model. `earlier` are the checksums of the versions that it leaves.
  static func migrated(
    _ metadata: [String: MetadataValue], from earlier: [String], to model: ManagedObjectModel,
    _ configuration: String?
  ) -> [String: MetadataValue] {
    var all = metadata.merging(modelEntries(for: model, configuration)) { $1 }
    all[StoreLineage.key] = StoreLineage.entry(
      metadata, earlier, to: model.versionChecksum(inConfiguration: configuration))
    all["NSStoreUUID"] = nil
    return all
  }

  /// The application's metadata of a store, for a new store with its content in another version.
  static func carriedOver(
    _ metadata: [String: MetadataValue], from former: String?, to own: String?
  ) -> [String: MetadataValue] {
    var all = metadata.filter { !MetadataValue.isCoreData(key: $0.key) }
    // The new store has no column of an older version.
    all[leftColumnsKey] = nil
    all[StoreLineage.key] = StoreLineage.entry(metadata, [former].compactMap(\.self), to: own)
    return all
  }

  /// The new metadata, with those of Core Data's old entries that it does not replace. The store's identifier
  /// is stored elsewhere and never changes.
  static func metadata(
    _ new: [String: MetadataValue], keeping old: [String: MetadataValue]
  ) -> [String: MetadataValue] {
    var all = old.filter { MetadataValue.isCoreData(key: $0.key) || keptKeys.contains($0.key) }
      .merging(
        new
      ) { $1 }
    all["NSStoreUUID"] = nil
    return all
  }

  static func metadata(_ plist: [UInt8]) throws(StoreError) -> [String: MetadataValue] {
    guard !plist.isEmpty else { return [:] }
    let value: MetadataValue
    do throws(PropertyListError) {
      value = try MetadataValue.read(propertyList: plist)
    } catch {
      throw StoreError(.corrupt, "The store's metadata cannot be read: \(error.reason).")
    }
    guard case .dictionary(let entries) = value else {
      throw StoreError(.corrupt, "The store's metadata is no dictionary.")
    }
    return entries
  }

  static func plist(_ metadata: [String: MetadataValue]) throws(StoreError) -> [UInt8] {
    do throws(PropertyListError) {
      return try MetadataValue.binaryPropertyList(metadata)
    } catch {
      throw StoreError(.unsupported, "The metadata cannot be written: \(error.reason).")
    }
  }
}

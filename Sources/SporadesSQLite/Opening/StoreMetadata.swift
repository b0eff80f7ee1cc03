// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// The metadata of a store as Core Data keeps it: a binary property list.
enum StoreMetadata {
  static let hashes = "NSStoreModelVersionHashes"

  /// What a new store says of itself.
  static func initial(
    for model: ManagedObjectModel, _ configuration: String?
  ) -> [String: MetadataValue] {
    modelEntries(for: model, configuration).merging([
      "NSStoreType": .string("SQLite"),
      "_NSAutoVacuumLevel": .string("2"),
    ]) { first, _ in first }
  }

  /// The entries that name the version of a model, or of one configuration of it.
  static func modelEntries(
    for model: ManagedObjectModel, _ configuration: String?
  ) -> [String: MetadataValue] {
    let names = Set((model.entities(inConfiguration: configuration) ?? []).map(\.name))
    let hashes = model.entityVersionHashesByName.filter { names.contains($0.key) }
    return [
      // The newest version of Core Data whose files were compared with ours.
      "NSPersistenceFrameworkVersion": .integer(1522),
      Self.hashes: .dictionary(hashes.mapValues { .data($0) }),
      "NSStoreModelVersionHashesVersion": .integer(3),
      "NSStoreModelVersionHashesDigest": .string(
        model.versionHashesDigest(inConfiguration: configuration) ?? ""),
      "NSStoreModelVersionChecksumKey": .string(
        model.versionChecksum(inConfiguration: configuration) ?? ""),
      "NSStoreModelVersionIdentifiers": .list(
        model.versionIdentifiers.sorted().map { .string($0) }),
    ]
  }

  /// New metadata, and of the old what is Core Data's and is not in the new. The store's identifier
  /// lies elsewhere and never changes.
  static func metadata(
    _ new: [String: MetadataValue], keeping old: [String: MetadataValue]
  ) -> [String: MetadataValue] {
    var all = old.filter { MetadataValue.isCoreData(key: $0.key) }.merging(new) { $1 }
    all["NSStoreUUID"] = nil
    return all
  }

  /// The names of the entities whose versions differ between the store and the model.
  static func differingEntities(
    _ metadata: [String: MetadataValue], _ model: ManagedObjectModel, _ configuration: String?
  ) -> [String] {
    guard case .dictionary(let entries)? = metadata[hashes] else { return model.shapes.map(\.name) }
    return model.entitiesDiffering(
      from: entries.mapValues { if case .data(let bytes) = $0 { bytes } else { [] } },
      inConfiguration: configuration)
  }

  static func metadata(_ plist: [UInt8]) throws(StoreError) -> [String: MetadataValue] {
    guard !plist.isEmpty else { return [:] }
    let value =
      try BinaryPropertyList.begins(plist)
      ? BinaryPropertyList.value(plist) : otherPropertyList(plist)
    guard case .dictionary(let entries) = value else {
      throw StoreError(.corrupt, "The store's metadata is no dictionary.")
    }
    return entries
  }

  /// Core Data writes the binary form only; a tool may have written another one.
  private static func otherPropertyList(_ plist: [UInt8]) throws(StoreError) -> MetadataValue {
    try XMLPropertyListGuard.check(plist)
    do {
      return try PropertyListDecoder().decode(PropertyListNode.self, from: Data(plist)).value
    } catch {
      throw StoreError(.corrupt, "The store's metadata cannot be read.", underlying: error)
    }
  }

  static func plist(_ metadata: [String: MetadataValue]) throws(StoreError) -> [UInt8] {
    guard MetadataValue.dictionary(metadata).fits(BinaryPropertyList.depthLimit) else {
      throw StoreError(
        .unsupported,
        "The metadata is more than \(BinaryPropertyList.depthLimit) containers deep, and could not be "
          + "read again.")
    }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    do {
      return Array(try encoder.encode(metadata.mapValues { PropertyListNode(value: $0) }))
    } catch {
      throw StoreError(.unsupported, "The metadata cannot be written.", underlying: error)
    }
  }
}

extension MetadataValue {
  /// Whether at most so many containers lie in each other.
  fileprivate func fits(_ depth: Int) -> Bool {
    switch self {
    case .list(let items): depth > 0 && items.allSatisfy { $0.fits(depth - 1) }
    case .dictionary(let entries): depth > 0 && entries.values.allSatisfy { $0.fits(depth - 1) }
    default: true
    }
  }
}

/// A value of a property list, read by trying what it can be.
private struct PropertyListNode: Codable {
  let value: MetadataValue

  init(value: MetadataValue) { self.value = value }

  init(from decoder: any Decoder) throws {
    if let keyed = try? decoder.container(keyedBy: Key.self) {
      var entries: [String: MetadataValue] = [:]
      for key in keyed.allKeys {
        entries[key.stringValue] = try keyed.decode(PropertyListNode.self, forKey: key).value
      }
      value = .dictionary(entries)
    } else if var list = try? decoder.unkeyedContainer() {
      var items: [MetadataValue] = []
      while !list.isAtEnd { items.append(try list.decode(PropertyListNode.self).value) }
      value = .list(items)
    } else {
      value = try Self.scalar(decoder.singleValueContainer())
    }
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> MetadataValue
  {
    if let truth = try? container.decode(Bool.self) { return .boolean(truth) }
    if let number = try? container.decode(Int64.self) { return .integer(number) }
    if let number = try? container.decode(Double.self) { return .double(number) }
    if let text = try? container.decode(String.self) { return .string(text) }
    if let date = try? container.decode(Date.self) {
      return .date(date.timeIntervalSinceReferenceDate)
    }
    return .data(Array(try container.decode(Data.self)))
  }

  func encode(to encoder: any Encoder) throws {
    switch value {
    case .dictionary(let entries):
      var keyed = encoder.container(keyedBy: Key.self)
      for (key, value) in entries {
        try keyed.encode(PropertyListNode(value: value), forKey: Key(stringValue: key))
      }
    case .list(let items):
      var list = encoder.unkeyedContainer()
      for item in items { try list.encode(PropertyListNode(value: item)) }
    default:
      var container = encoder.singleValueContainer()
      try encodeScalar(to: &container)
    }
  }

  private func encodeScalar(to container: inout any SingleValueEncodingContainer) throws {
    switch value {
    case .string(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .double(let number): try container.encode(number)
    case .boolean(let truth): try container.encode(truth)
    case .date(let seconds): try container.encode(Date(timeIntervalSinceReferenceDate: seconds))
    case .data(let bytes): try container.encode(Data(bytes))
    case .list, .dictionary: break
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

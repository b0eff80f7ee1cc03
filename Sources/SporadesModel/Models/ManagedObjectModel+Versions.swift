// SPDX-License-Identifier: MIT
import FoundationEssentials

// The hashes and checksums by which stores recognise a version of a model.
extension ManagedObjectModel {
  /// The version hash of each entity, 32 bytes, equal to Core Data's.
  ///
  /// Two entities have the same hash exactly when stores keep their objects in the same form. Names,
  /// types, optionality and links count. Defaults, validation, indexes and delete rules do not.
  public var entityVersionHashesByName: [String: [UInt8]] { versionHashes }

  /// The version hash of an attribute or a relationship; nil if the entity has no such property.
  package func versionHash(ofProperty name: String, of entityName: String) -> [UInt8]? {
    entities.first { $0.name == entityName }.flatMap {
      VersionHasher.hash(ofProperty: name, of: $0, in: entities)
    }
  }

  /// The checksum of the whole model, which a store keeps under `NSStoreModelVersionChecksumKey`.
  public var versionChecksum: String { checksum(of: entities) }

  /// The digest of the whole model, which a store keeps under `NSStoreModelVersionHashesDigest`.
  public var versionHashesDigest: String { digest(of: entities) }

  /// The checksum of the entities of a configuration; nil if the model has no such configuration.
  public func versionChecksum(inConfiguration name: String?) -> String? {
    entities(inConfiguration: name).map(checksum)
  }

  /// The digest of the entities of a configuration; nil if the model has no such configuration.
  public func versionHashesDigest(inConfiguration name: String?) -> String? {
    entities(inConfiguration: name).map(digest)
  }

  /// The entities of a configuration, in the model's order; nil if the model has no such configuration.
  ///
  /// No name, and Core Data's name of the default configuration, give all entities.
  public func entities(inConfiguration name: String?) -> [EntityDescription]? {
    guard let name, name != Self.defaultConfigurationName else { return entities }
    guard let members = configurations[name].map(Set.init) else { return nil }
    return entities.filter { members.contains($0.name) }
  }

  /// Core Data's name for the configuration of all entities, also in the metadata of stores.
  public static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

  /// The names of the entities that differ between the model and a store with the given hashes.
  ///
  /// An entity differs if it was changed, added or removed. An empty result means that the model can
  /// open the store. If the model does not have the configuration, every entity of the store differs.
  public func entitiesDiffering(
    from hashes: [String: [UInt8]], inConfiguration name: String? = nil
  ) -> [String] {
    var differing = Set(hashes.keys)
    for entity in entities(inConfiguration: name) ?? [] {
      if versionHashes[entity.name] == hashes[entity.name] {
        differing.remove(entity.name)
      } else {
        differing.insert(entity.name)
      }
    }
    return differing.inByteOrder()
  }

  /// The model can open a store with the given hashes, without a migration.
  public func isCompatible(
    withVersionHashes hashes: [String: [UInt8]], inConfiguration name: String? = nil
  ) -> Bool {
    entities(inConfiguration: name) != nil
      && entitiesDiffering(from: hashes, inConfiguration: name).isEmpty
  }

  private func checksum(of entities: [EntityDescription]) -> String {
    let hashes = entities.map { ($0.name, versionHashes[$0.name] ?? []) }
    return Self.checksum(of: Dictionary(hashes) { first, _ in first })
  }

  /// The checksum of a model whose entities have the hashes.
  package static func checksum(of hashes: [String: [UInt8]]) -> String {
    let bytes = hashes.inByteOrder { $0.key }.flatMap(\.value)
    return Data(SHA2.sha256(bytes)).base64EncodedString()
  }

  private func digest(of entities: [EntityDescription]) -> String {
    let names = entities.map(\.name).inByteOrder()
    let bytes = names.flatMap { Array($0.utf8) + (versionHashes[$0] ?? []) }
    return Data(SHA2.sha512(bytes)).base64EncodedString()
  }
}

// SPDX-License-Identifier: MIT
import FoundationEssentials

/// What tells one version of a model from another, in the form stores keep it.
extension ManagedObjectModel {
  /// The version hash of each entity, 32 bytes, equal to Core Data's.
  ///
  /// Two entities have the same hash exactly when stores keep their objects alike: names, types,
  /// optionality and links count; defaults, validation, indexes and delete rules do not.
  public var entityVersionHashesByName: [String: [UInt8]] { versionHashes }

  /// Names the version of the whole model: what `NSStoreModelVersionChecksumKey` holds in a store.
  public var versionChecksum: String { checksum(of: entities) }

  /// Names the version of the whole model: what `NSStoreModelVersionHashesDigest` holds in a store.
  public var versionHashesDigest: String { digest(of: entities) }

  /// The checksum of the entities of a configuration; nil if the model has none of the name.
  public func versionChecksum(inConfiguration name: String?) -> String? {
    entities(inConfiguration: name).map(checksum)
  }

  /// The digest of the entities of a configuration; nil if the model has none of the name.
  public func versionHashesDigest(inConfiguration name: String?) -> String? {
    entities(inConfiguration: name).map(digest)
  }

  /// The entities of a configuration, in the model's order: all of them for nil and for Core Data's
  /// name of the default configuration; nil if the model has none of the name.
  public func entities(inConfiguration name: String?) -> [EntityDescription]? {
    guard let name, name != Self.defaultConfigurationName else { return entities }
    guard let members = configurations[name].map(Set.init) else { return nil }
    return entities.filter { members.contains($0.name) }
  }

  /// What Core Data calls the configuration of all entities, in stores' metadata too.
  public static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

  /// The names of the entities that differ between the model and a store with the given hashes:
  /// changed, added or removed. Empty where the store can be opened with the model.
  ///
  /// For a configuration the model does not have, every entity of the store differs.
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
    return differing.sorted(by: isBefore)
  }

  /// Whether a store with the given hashes can be opened with the model as it is.
  public func isCompatible(
    withVersionHashes hashes: [String: [UInt8]], inConfiguration name: String? = nil
  ) -> Bool {
    entities(inConfiguration: name) != nil
      && entitiesDiffering(from: hashes, inConfiguration: name).isEmpty
  }

  private func checksum(of entities: [EntityDescription]) -> String {
    let hashes = entities.map(\.name).sorted(by: isBefore).flatMap { versionHashes[$0] ?? [] }
    return Data(SHA2.sha256(hashes)).base64EncodedString()
  }

  private func digest(of entities: [EntityDescription]) -> String {
    let names = entities.map(\.name).sorted(by: isBefore)
    let bytes = names.flatMap { Array($0.utf8) + (versionHashes[$0] ?? []) }
    return Data(SHA2.sha512(bytes)).base64EncodedString()
  }
}

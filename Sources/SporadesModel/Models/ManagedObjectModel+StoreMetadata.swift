// SPDX-License-Identifier: MIT

extension [String: MetadataValue] {
  /// The key of the version hashes in the metadata of a store.
  package static var versionHashesKey: String { "NSStoreModelVersionHashes" }

  /// The version hashes of a store's model by the names of its entities; nil if the metadata has none.
  package var versionHashes: [String: [UInt8]]? {
    guard case .dictionary(let entries)? = self[Self.versionHashesKey] else { return nil }
    // An entry of another type equals no hash.
    return entries.mapValues { if case .data(let bytes) = $0 { bytes } else { [] } }
  }

  /// The checksum of the version that the hashes tell; nil if there are none. Stores before iOS 17 do not name it.
  package var versionChecksum: String? { versionHashes.map(ManagedObjectModel.checksum) }
}

// Models of stores, found among several by the version hashes in the metadata of a store.
extension ManagedObjectModel {
  /// Makes the model that wrote a store, of the entities of several models. `models` may be versions of one model, and
  /// parts that were merged for the store. Nil if some entity of the store has its version hash in none of them.
  ///
  /// A model whose hashes are all the store's serves as it is. Else each entity comes from a model that fits the store
  /// with all its entities, and where there is none, from the first model with an equal hash. Configurations and
  /// templates come along for the entities that the store has. Throws if the entities do not fit together.
  public init?(
    byMerging models: [ManagedObjectModel], forStoreMetadata metadata: [String: MetadataValue]
  ) throws(ModelError) {
    let search = StoreModelSearch(models, metadata)
    guard let hashes = search.hashes else { return nil }
    if let whole = models.first(where: { $0.isCompatible(withVersionHashes: hashes) }) {
      self = whole
      return
    }
    guard let merged = try search.merged() else { return nil }
    self = merged
  }
}

/// The search for the entities of a store among several models.
private struct StoreModelSearch {
  private let models: [ManagedObjectModel]
  /// The store's version hashes by the names of its entities; nil if its metadata has none.
  let hashes: [String: [UInt8]]?

  init(_ models: [ManagedObjectModel], _ metadata: [String: MetadataValue]) {
    self.models = models
    hashes = metadata.versionHashes.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The entities of the store in one model; nil if an entity is missing.
  func merged() throws(ModelError) -> ManagedObjectModel? {
    guard let hashes else { return nil }
    var missing = Set(hashes.keys)
    var chosen: [Int: Set<String>] = [:]
    let matches = models.map { model in
      Set(hashes.keys.filter { model.entityVersionHashesByName[$0] == hashes[$0] })
    }
    // The models whose entities all are the store's come first: with them come the parts that no hash contains.
    let whole = models.indices.filter { matches[$0].count == models[$0].entities.count }
    for index in whole + models.indices.filter({ !whole.contains($0) }) {
      let found = matches[index].intersection(missing)
      guard !found.isEmpty else { continue }
      chosen[index] = found
      missing.subtract(found)
    }
    guard missing.isEmpty else { return nil }
    return try merged(chosen)
  }

  /// Makes one model of all entities at once, because those of one model may lead to those of another.
  private func merged(_ chosen: [Int: Set<String>]) throws(ModelError) -> ManagedObjectModel {
    var entities: [EntityDescription] = []
    var configurations: [String: [String]] = [:]
    var templates: [String: FetchRequest] = [:]
    var identifiers: Set<String> = []
    for (index, names) in chosen.inOrder {
      let model = models[index]
      entities += model.entities.filter { names.contains($0.name) }
      for (name, members) in model.configurations {
        configurations[name, default: []] += members.filter(names.contains)
      }
      templates.merge(
        model.fetchRequestTemplates.filter { names.contains($0.value.entityName) }
      ) { first, _ in first }
      identifiers.formUnion(model.versionIdentifiers)
    }
    return try ManagedObjectModel(
      entities: entities, configurations: configurations, fetchRequestTemplates: templates,
      versionIdentifiers: identifiers)
  }
}

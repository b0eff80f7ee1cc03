// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The version of the model that wrote a store, and the versions from there to the program's.
struct FormerModel {
  let model: ManagedObjectModel
  /// The configuration of that version whose entities the store holds; nil for all entities.
  let configuration: String?
  /// The known versions between that version and the program's, the oldest first.
  let between: [ManagedObjectModel]
  /// The program names that version and its own.
  let isDeclared: Bool
  /// A note for the program about the versions in between; nil if there is nothing to say.
  let note: String?
  /// The order of the known versions; nil if the store's is not among them.
  let order: VersionOrder?

  /// Finds the version among the known ones, or in the store itself. Throws if there is none, or if the program's
  /// version is the older one.
  init(
    of identity: StoreIdentity, on connection: Connection, to model: ManagedObjectModel,
    _ options: SQLiteStoreOptions
  ) throws(StoreError) {
    if let refusal = Self.downgrade(identity, to: model, options) { throw refusal }
    let versions = options.migration.versions
    for (place, version) in versions.enumerated() {
      guard let configuration = Self.configuration(of: version, identity, options) else { continue }
      self.model = version
      self.configuration = configuration.name
      let known = KnownVersions(versions, of: model)
      isDeclared = known.place.map { $0 > place } ?? false
      between = known.following(place)
      note = nil
      order = VersionOrder(
        former: version, model: model, earlier: Array(versions[..<place]), count: versions.count)
      return
    }
    self = try Self.carried(identity, connection, model, versions)
  }

  /// The version that a store carries. Nothing tells which of the known versions came after it, so none is followed.
  private init(
    carried model: ManagedObjectModel, _ configuration: String?, known: [ManagedObjectModel]
  ) {
    self.model = model
    self.configuration = configuration
    between = []
    isDeclared = false
    order = nil
    note =
      known.isEmpty
      ? nil
      : "The store's version is not in migration.versions. The model that the store carries is compared with the "
        + "program's directly, so what was renamed several times in between is not found. Add the store's version."
  }

  /// The checksums of the versions that a store has behind it when it gets the program's: those that the program lists before
  /// its own, and the store's.
  func earlierChecksums(
    than model: ManagedObjectModel, _ options: SQLiteStoreOptions
  ) -> [String] {
    let known = KnownVersions(options.migration.versions, of: model)
    let own = self.model.versionChecksum(inConfiguration: configuration)
    return known.earlierChecksums(inConfiguration: options.configuration)
      + [own].compactMap(\.self)
  }

  private struct Found { let name: String? }

  /// The configuration of a version that wrote a store; nil if the version did not write it.
  private static func configuration(
    of version: ManagedObjectModel, _ identity: StoreIdentity, _ options: SQLiteStoreOptions
  ) -> Found? {
    let names = [options.configuration, nil] + version.configurations.keys.inOrder()
    return names.first {
      StoreCompatibility(of: identity.metadata, with: version, configuration: $0) == .same
    }.map { Found(name: $0) }
  }

  private static func carried(
    _ identity: StoreIdentity, _ connection: Connection, _ model: ManagedObjectModel,
    _ versions: [ManagedObjectModel]
  ) throws(StoreError) -> FormerModel {
    let objection: String
    switch try StoredModel.carried(connection, identity, source: "the store") {
    case .agrees(let reading, let configuration):
      return FormerModel(carried: reading.model, configuration, known: versions)
    case .differs(let sentence): objection = sentence
    }
    let compatibility = StoreCompatibility(of: identity.metadata, with: model)
    let nearest = Self.nearest(versions + [model], identity)
    throw StoreError(
      .incompatibleModel(compatibility.names),
      "The store was written with a version of the model that is not among the known ones, so that it cannot be "
        + "migrated. \(objection) \(nearest) Add the version that wrote it to migration.versions in the store's options."
    )
  }

  /// Names the known version with the fewest entities that differ.
  private static func nearest(
    _ versions: [ManagedObjectModel], _ identity: StoreIdentity
  ) -> String {
    let differences = versions.enumerated().map { place, version in
      let compatibility = StoreCompatibility(of: identity.metadata, with: version)
      return (place: place, names: compatibility.names)
    }
    guard let nearest = differences.min(by: { $0.names.count < $1.names.count }) else { return "" }
    let name =
      nearest.place == versions.count - 1
      ? "the program's" : "number \(nearest.place + 1) of the known ones"
    return
      "The nearest version is \(name), which differs in \(nearest.names.joined(separator: ", "))."
  }

  /// The error for a store of a later version than the program's.
  static func downgrade(
    _ identity: StoreIdentity, to model: ManagedObjectModel, _ options: SQLiteStoreOptions
  ) -> StoreError? {
    guard !options.migratesBack else { return nil }
    let known = KnownVersions(options.migration.versions, of: model)
    let places = known.versions.indices.filter {
      configuration(of: known.versions[$0], identity, options) != nil
    }
    let isAmongLater = known.place.map { own in places.contains { $0 > own } } ?? false
    let isAmongEarlier = places.contains { $0 < known.end }
    let checksum = model.versionChecksum(inConfiguration: options.configuration) ?? ""
    let isAncestor = StoreLineage.checksums(identity.metadata).contains(checksum)
    // A former program may have changed the store back. The list says which of the two is the older one.
    guard isAmongLater || (isAncestor && !isAmongEarlier) else { return nil }
    let order =
      isAmongLater
      ? " migration.versions lists the store's version after the program's. If the store's is the older one, put the "
        + "versions into their order, the oldest first."
      : " If a former program changed the store back, list the store's version in migration.versions, before the program's."
    return StoreError(
      .incompatibleModel(
        StoreCompatibility(
          of: identity.metadata, with: model, configuration: options.configuration
        ).names),
      "The store was written with a later version of the model, and is not changed back to this one. Open it with a "
        + "newer version of the program. If this is the newer one, and its model is like an earlier version again, give an "
        + "entity a versionHashModifier.\(order)")
  }
}

extension StoreCompatibility {
  /// The names of the entities that differ.
  var names: [String] {
    if case .different(let difference) = self { difference.names } else { [] }
  }
}

// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The version of the model that a store on a server has, and the versions from there to the program's.
struct ServerFormer {
  let model: ManagedObjectModel
  /// The known versions between that version and the program's, the oldest first.
  let between: [ManagedObjectModel]
  /// The program names that version and its own.
  let isDeclared: Bool
  /// The order of the known versions; nil if the store's is not among them.
  let order: VersionOrder?
  /// A note for the program about the versions in between.
  let note: String?

  /// Finds the version among the known ones, or takes the one that the store carries.
  init(
    _ stored: ServerMetadata.Stored, to model: ManagedObjectModel, _ options: MigrationOptions,
    migratesBack: Bool, at place: String
  ) throws(StoreError) {
    if !migratesBack, let refusal = Self.downgrade(stored, to: model, options, at: place) {
      throw refusal
    }
    let versions = options.versions
    guard let found = versions.firstIndex(where: stored.isOf) else {
      self.model = try stored.carriedModel(at: place)
      (between, isDeclared, order) = ([], false, nil)
      note =
        versions.isEmpty
        ? nil
        : "The store's version is not in migration.versions. The model that the store carries is compared with the "
          + "program's directly, so what was renamed several times in between is not found. Add the store's version."
      return
    }
    let known = KnownVersions(versions, of: model)
    self.model = versions[found]
    between = known.following(found)
    isDeclared = known.place.map { $0 > found } ?? false
    order = VersionOrder(
      former: versions[found], model: model, earlier: Array(versions[..<found]),
      count: versions.count)
    note = nil
  }

  /// The error for a store of a later version than the program's.
  private static func downgrade(
    _ stored: ServerMetadata.Stored, to model: ManagedObjectModel, _ options: MigrationOptions,
    at place: String
  ) -> StoreError? {
    let known = KnownVersions(options.versions, of: model)
    let places = known.versions.indices.filter { stored.isOf(known.versions[$0]) }
    let isAmongLater = known.place.map { own in places.contains { $0 > own } } ?? false
    let isAmongEarlier = places.contains { $0 < known.end }
    let isAncestor = StoreLineage.checksums(stored.metadata).contains(model.versionChecksum)
    guard isAmongLater || (isAncestor && !isAmongEarlier) else { return nil }
    return StoreError(
      .incompatibleModel(stored.others(than: model)),
      "\(place): The store was written with a later version of the model, and is not changed back to this one. Open it with a "
        + "newer version of the program. If this is the newer one, and its model is like an earlier version again, give an "
        + "entity a versionHashModifier, and list the versions in migration.versions in their order, the oldest first."
    )
  }

  /// The checksums of the versions that a store has behind it when it gets the program's.
  func earlierChecksums(than model: ManagedObjectModel, _ options: MigrationOptions) -> [String] {
    KnownVersions(options.versions, of: model).earlierChecksums(inConfiguration: nil)
      + [self.model.versionChecksum]
  }
}

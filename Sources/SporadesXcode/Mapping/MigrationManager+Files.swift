// SPDX-License-Identifier: MIT
public import FoundationEssentials
import Sporades
public import SporadesGraph
import SporadesModel
public import SporadesModelFiles
public import SporadesSQLite
import SporadesStore

extension MigrationManager {
  /// Migrates the store in a file by a mapping model, in place or into another file.
  ///
  /// The new store grows in a draft beside its place and takes the place in one step. A process that is killed
  /// meanwhile leaves the former store; the next migration removes the draft. The new store has the identifier of the
  /// former one and the application's metadata. A history begins anew: its numbers go on, and a reader of the former one
  /// is told that it expired. The store must not be open elsewhere.
  public func migrateStore(
    from source: URL, to destination: URL? = nil, with mapping: MappingModel,
    sourceOptions: SQLiteStoreOptions = SQLiteStoreOptions(),
    destinationOptions: SQLiteStoreOptions = SQLiteStoreOptions(),
    sourceClasses: [ManagedObject.Type] = [], destinationClasses: [ManagedObject.Type] = []
  ) throws {
    try migrateStore(
      from: source, to: destination, with: [mapping], sourceOptions: sourceOptions,
      destinationOptions: destinationOptions, sourceClasses: sourceClasses,
      destinationClasses: destinationClasses)
  }

  /// Migrates the store in a file by several mapping models, one after the other. Each of them finds the objects that
  /// the earlier ones made.
  public func migrateStore(
    from source: URL, to destination: URL? = nil, with mappings: [MappingModel],
    sourceOptions: SQLiteStoreOptions = SQLiteStoreOptions(),
    destinationOptions: SQLiteStoreOptions = SQLiteStoreOptions(),
    sourceClasses: [ManagedObject.Type] = [], destinationClasses: [ManagedObject.Type] = []
  ) throws {
    try checkVersion(ofStoreAt: source, sourceOptions)
    if let destination {
      try rebuild(
        source, in: destination, mappings, sourceOptions, destinationOptions, sourceClasses,
        destinationClasses)
    } else if let owned = try StoreDraft(
      of: source.storePath, sourceModel, sourceOptions, isNeeded: { _ in true })
    {
      do {
        try refuseLosses(mappings, of: StageGround(fileAt: owned.path, sourceOptions))
        // Nobody else opens the store until the new one has taken its place, so that no write is lost.
        let draft = URL(fileURLWithPath: owned.path)
        try rebuild(
          draft, in: draft, mappings, sourceOptions, destinationOptions, sourceClasses,
          destinationClasses)
      } catch let error as StoreError {
        throw error.naming(owned.original, insteadOf: owned.path)
      }
      try owned.takePlace()
    }
    migrationProgress.advance(to: 1)
  }

  private func checkVersion(
    ofStoreAt url: URL, _ options: SQLiteStoreOptions
  ) throws(StoreError) {
    let comparison = VersionComparison(
      of: try SQLiteStore.metadata(ofStoreAt: url), carrying: nil, with: sourceModel,
      options.configuration)
    guard options.checksModel, !comparison.names.isEmpty else { return }
    throw StoreError(
      .incompatibleModel(comparison.names),
      "The store at \(url.path) has another version of the model than the source model of the migration manager: "
        + "\(comparison.text) Make the manager with the store's version.")
  }

  /// Makes the store of the newer version from a file that nobody else writes, and puts it in a place.
  private func rebuild(
    _ source: URL, in place: URL, _ mappings: [MappingModel], _ sourceOptions: SQLiteStoreOptions,
    _ destinationOptions: SQLiteStoreOptions, _ sourceClasses: [ManagedObject.Type],
    _ destinationClasses: [ManagedObject.Type]
  ) throws {
    try SQLiteStore.rebuild(
      from: source, sourceModel, sourceOptions, in: place, destinationModel, destinationOptions
    ) { old, new in
      try carryOut(mappings, from: old, to: new, sourceClasses, destinationClasses)
    }
  }

  /// Carries out several mapping models, one after the other.
  func carryOut(
    _ mappings: [MappingModel], from old: any PersistentStore, to new: any PersistentStore,
    _ sourceClasses: [ManagedObject.Type], _ destinationClasses: [ManagedObject.Type]
  ) throws {
    for (number, mapping) in mappings.enumerated() {
      let share = 0.95 / Double(mappings.count)
      let start = share * Double(number)
      try carryOut(
        mapping, from: old, to: new, sourceClasses: sourceClasses,
        destinationClasses: destinationClasses, part: start..<start + share)
    }
  }
}

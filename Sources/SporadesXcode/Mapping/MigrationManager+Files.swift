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
        try refuseLosses(mappings, ofStoreAt: owned.path, sourceOptions)
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
  func rebuild(
    _ source: URL, in place: URL, _ mappings: [MappingModel], _ sourceOptions: SQLiteStoreOptions,
    _ destinationOptions: SQLiteStoreOptions, _ sourceClasses: [ManagedObject.Type],
    _ destinationClasses: [ManagedObject.Type]
  ) throws {
    let draft = place.appendingPathExtension("migrating")
    try SQLiteStore.removeDraft(at: draft)
    do {
      var options = sourceOptions
      (options.isReadOnly, options.createsFile) = (true, false)
      let old = try SQLiteStore(url: source, model: sourceModel, options: options)
      do {
        try fill(draft, from: old, destinationOptions) { new in
          for (number, mapping) in mappings.enumerated() {
            let share = 0.95 / Double(mappings.count)
            let start = share * Double(number)
            try carryOut(
              mapping, from: old, to: new, sourceClasses: sourceClasses,
              destinationClasses: destinationClasses, part: start..<start + share)
          }
        }
      } catch {
        // The first error says what happened; the store was only read.
        try? old.close()
        throw error
      }
      try old.close()
      try SQLiteStore.replace(storeAt: place, withDraftAt: draft)
    } catch {
      // The first error says what happened; the next migration removes a draft that stays.
      try? SQLiteStore.removeDraft(at: draft)
      throw error
    }
  }

  /// Makes the draft, with the identity and the metadata of the former store.
  private func fill(
    _ draft: URL, from old: SQLiteStore, _ options: SQLiteStoreOptions,
    _ body: (SQLiteStore) throws -> Void
  ) throws {
    var options = options
    (options.isReadOnly, options.createsFile) = (false, true)
    options.identifier = old.identifier
    let new = try SQLiteStore(url: draft, model: destinationModel, options: options)
    do {
      try body(new)
      try new.takeMetadata(of: old)
      if options.persistentHistory != .off { try new.succeedHistory(of: old) }
      try new.commit(.immediate)
    } catch {
      // The first error says what happened; the draft is thrown away.
      try? new.close()
      throw error
    }
    try new.close()
  }
}

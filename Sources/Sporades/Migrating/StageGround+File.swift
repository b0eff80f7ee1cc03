// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
package import SporadesSQLite
import SporadesStore

extension StageGround {
  /// The store in a file. Several stages work on a copy, which then takes its place.
  package convenience init(fileAt path: String, _ options: SQLiteStoreOptions) {
    let url = URL(fileURLWithPath: path)
    let opening = options.withoutMigration
    self.init(
      place: path, configuration: options.configuration, options: options.migration,
      metadata: { () throws(StoreError) in try SQLiteStore.metadata(ofStoreAt: url) },
      carriedModel: { try ManagedObjectModel.cachedModel(forStoreAt: url) },
      change: { (change) throws(StoreError) in
        try SQLiteStore.migrate(
          storeAt: url, to: change.model, options: change.options(of: opening),
          rowWork: change.rowWork)
      },
      forecast: { (change) throws(StoreError) in
        try SQLiteStore.migrationForecast(
          forStoreAt: url, to: change.model, options: change.options(of: opening),
          rowWork: change.rowWork)
      },
      open: { (model) throws(StoreError) in
        try SQLiteStore(path: path, model: model, options: opening)
      },
      estimatedRows: { (model) throws(StoreError) in
        try SQLiteStore.estimatedRows(ofStoreAt: path, model, options)
      },
      checkRequiredValues: { (model) throws(StoreError) in
        try SQLiteStore.checkRequiredValues(storeAt: path, model, options)
      },
      counts: { (parts, model) throws(StoreError) in
        try SQLiteStore.counts(of: parts, inStoreAt: path, model, options)
      },
      rebuild: { versions, fill in
        try SQLiteStore.rebuild(
          from: url, versions.old, opening, in: url, versions.new, opening, fill)
      },
      draft: { (model, isNeeded) throws(StoreError) in
        guard let draft = try StoreDraft(of: path, model, options, isNeeded: isNeeded) else {
          return nil
        }
        let ground = StageGround(fileAt: draft.path, options)
        return (ground, { () throws(StoreError) in try draft.takePlace() })
      },
      bytesOfDraft: { SystemFile.size(path) ?? 0 })
  }
}

extension StageChange {
  fileprivate func options(of opening: SQLiteStoreOptions) -> SQLiteStoreOptions {
    var options = opening
    options.migration = self.options
    options.migratesBack = migratesBack
    options.stageCode = code
    return options
  }
}

extension SQLiteStoreOptions {
  /// The options for opening a store between two stages.
  fileprivate var withoutMigration: SQLiteStoreOptions {
    var options = self
    options.migration = self.migration.withoutMigration
    options.migrationPlan = nil
    options.createsFile = false
    return options
  }
}

extension MigrationOptions {
  /// The options for opening a store between two stages.
  package var withoutMigration: MigrationOptions {
    var options = self
    options.isAutomatic = false
    options.versions = []
    options.progress = nil
    options.keepsCopy = false
    return options
  }
}

// SPDX-License-Identifier: MIT
import Foundation
import SporadesContainers
import SporadesModel
import SporadesModelFiles
import SporadesSQLite
import SporadesStore
import SporadesXcode

/// The migration of a store by a mapping model among the program's files, before the store is opened.
struct MappedMigration {
  let url: URL
  let model: NSManagedObjectModel
  let description: PersistentStoreDescription

  /// Nil for a store that needs none: there is no file, its options ask for none or for stages, or it has the version of the model.
  init?(_ url: URL?, _ model: NSManagedObjectModel, _ description: PersistentStoreDescription)
    throws
  {
    guard let url, description.type == .sqlite, description.shouldMigrateStoreAutomatically,
      description.sqliteOptions.migrationPlan == nil, !description.isReadOnly,
      url.path != "/dev/null", FileManager.default.fileExists(atPath: url.path)
    else { return nil }
    let built = try model.managedObjectModel()
    let metadata = try SQLiteStore.metadata(ofStoreAt: url)
    guard
      !built.isConfiguration(
        withName: description.configuration, compatibleWithStoreMetadata: metadata)
    else { return nil }
    (self.url, self.model, self.description) = (url, model, description)
  }

  /// Migrates the store if there is a mapping model for it. Without one, opening the store infers the changes where the options
  /// allow it.
  func run() throws {
    guard let source = try source(), let mapping = mapping(from: source) else {
      guard description.shouldInferMappingModelAutomatically else {
        throw NSError.coreData(
          number: NSMigrationMissingMappingModelError,
          "The store at \(url.path) has another version of the model, no mapping model among the program's files leads to the new one, and the options forbid to infer it. Add the mapping model, or set NSInferMappingModelAutomaticallyOption."
        )
      }
      return
    }
    let manager = NSMigrationManager(sourceModel: source, destinationModel: model)
    try manager.migrateStore(inPlace: url, mapping, description.sqliteOptions)
  }

  private func mapping(from source: NSManagedObjectModel) -> NSMappingModel? {
    NSMappingModel(from: nil, forSourceModel: source, destinationModel: model)
  }

  /// The version of the store: the one that it carries, or one among the program's files.
  private func source() throws -> NSManagedObjectModel? {
    if let carried = try ManagedObjectModel.cachedModel(forStoreAt: url) {
      return NSManagedObjectModel(carried)
    }
    let metadata = StoreMetadataCoding.plain(try SQLiteStore.metadata(ofStoreAt: url))
    return NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata)
  }
}

// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesSQLite
package import SporadesStore

/// A store between two versions of its model, on which the stages of a plan work one after the other.
///
/// It consists of closures, because the compiler puts each conformance to a protocol into every program. It is a class, as
/// what follows, because a struct of them would have functions that copy all of it.
package final class StageGround {
  /// The store, as errors name it.
  package let place: String
  package let configuration: String?
  /// The options of the whole migration.
  package let options: MigrationOptions
  package let metadata: () throws(StoreError) -> [String: MetadataValue]
  /// The model that the store carries; nil if it carries none.
  package let carriedModel: () throws -> ManagedObjectModel?
  /// Changes the store without objects. Returns where its rows went; nil if it had the version already.
  package let change: (StageChange) throws(StoreError) -> RowSuccessors?
  /// Foretells such a change.
  package let forecast: (StageChange) throws(StoreError) -> MigrationForecast
  /// Opens the store in one of its versions.
  package let open: (ManagedObjectModel) throws(StoreError) -> any PersistentStore
  package let estimatedRows: (ManagedObjectModel) throws(StoreError) -> Int
  /// Throws if an object of a version lacks a required value or link.
  package let checkRequiredValues: (ManagedObjectModel) throws(StoreError) -> Void
  /// The numbers of objects of entities, or of values of attributes; nil where the store has no such part.
  package let counts: ([Part], ManagedObjectModel) throws(StoreError) -> [Int?]
  /// Puts a new store in the place of the store, and lets a body fill it from the former one.
  package let rebuild: (Versions, Filling) throws -> Void
  /// The place where several stages work as one; nil if the metadata say that there is nothing to do.
  package let draft: (ManagedObjectModel, IsNeeded) throws(StoreError) -> Draft?
  /// The number of bytes that such a place takes.
  package let bytesOfDraft: () -> Int?

  package typealias Part = (entity: String, attribute: String?)
  package typealias Versions = (old: ManagedObjectModel, new: ManagedObjectModel)
  package typealias Filling =
    (_ old: any PersistentStore, _ new: any PersistentStore) throws -> Void
  /// A place where several stages work as one, and what makes their work that of the store.
  package typealias Draft = (
    ground: StageGround, takePlace: () throws(StoreError) -> Void
  )
  package typealias IsNeeded = ([String: MetadataValue]) throws(StoreError) -> Bool

  package init(
    place: String, configuration: String?, options: MigrationOptions,
    metadata: @escaping () throws(StoreError) -> [String: MetadataValue],
    carriedModel: @escaping () throws -> ManagedObjectModel?,
    change: @escaping (StageChange) throws(StoreError) -> RowSuccessors?,
    forecast: @escaping (StageChange) throws(StoreError) -> MigrationForecast,
    open: @escaping (ManagedObjectModel) throws(StoreError) -> any PersistentStore,
    estimatedRows: @escaping (ManagedObjectModel) throws(StoreError) -> Int,
    checkRequiredValues: @escaping (ManagedObjectModel) throws(StoreError) -> Void,
    counts: @escaping ([Part], ManagedObjectModel) throws(StoreError) -> [Int?],
    rebuild: @escaping (Versions, Filling) throws -> Void,
    draft: @escaping (ManagedObjectModel, IsNeeded) throws(StoreError) -> Draft?,
    bytesOfDraft: @escaping () -> Int?
  ) {
    (self.place, self.configuration, self.options) = (place, configuration, options)
    (self.metadata, self.carriedModel) = (metadata, carriedModel)
    (self.change, self.forecast, self.open) = (change, forecast, open)
    (self.estimatedRows, self.checkRequiredValues) = (estimatedRows, checkRequiredValues)
    (self.counts, self.rebuild) = (counts, rebuild)
    (self.draft, self.bytesOfDraft) = (draft, bytesOfDraft)
  }
}

/// A change of a store from one version of its model to another, without objects.
package final class StageChange {
  package let model: ManagedObjectModel
  /// The known versions, losses and progress are those of the change.
  package var options: MigrationOptions
  /// Changes the store to an earlier version, too.
  package var migratesBack = false
  /// The code on objects that is still to run, and what it may repair is left to it.
  package var code: StageCode = []
  package var rowWork: [RowWork] = []

  package init(to model: ManagedObjectModel, _ options: MigrationOptions) {
    (self.model, self.options) = (model, options)
  }
}

// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel
public import SporadesStore

/// A way to migrate stores that a program prescribes, in the place of the one that is inferred from two models.
public protocol StoreMigrationPlan: AnyObject, Sendable {
  /// Changes the store in a file into one of the model. All or nothing: a store that cannot be changed stays as it was.
  ///
  /// The store of the file has another version of the model than the program. No connection of this process has the
  /// file open.
  func migrate(
    storeAt url: URL, to model: ManagedObjectModel, options: SQLiteStoreOptions
  ) throws(StoreError)

  /// The work that the plan would do on the store in a file, found without changing it.
  func forecast(
    forStoreAt url: URL, to model: ManagedObjectModel, options: SQLiteStoreOptions
  ) throws(StoreError) -> MigrationForecast

  /// The checksums of the plan's versions before a model, as stores of a configuration have them. A store that is made with the
  /// plan remembers them, so that it refuses a program of one of them.
  func earlierChecksums(
    than model: ManagedObjectModel, inConfiguration name: String?
  ) -> [String]
}

extension StoreMigrationPlan {
  /// None.
  public func earlierChecksums(
    than model: ManagedObjectModel, inConfiguration name: String?
  ) -> [String] { [] }
}

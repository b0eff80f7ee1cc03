// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel
public import SporadesSQLite
public import SporadesStore

/// A plan of stages, by which stores in files are migrated and, with SporadesServerStages, those on servers.
public protocol StagedPlan: StoreMigrationPlan {
  /// What the plan does.
  var actions: PlanActions { get }
}

extension StagedPlan {
  public func migrate(
    storeAt url: URL, to model: ManagedObjectModel, options: SQLiteStoreOptions
  ) throws(StoreError) {
    try actions.migrate(actions.file(url.storePath, options), model)
  }

  public func forecast(
    forStoreAt url: URL, to model: ManagedObjectModel,
    options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) -> MigrationForecast {
    try actions.forecast(actions.file(url.storePath, options), model)
  }

  public func earlierChecksums(
    than model: ManagedObjectModel, inConfiguration name: String?
  ) -> [String] { actions.earlier(model, name) }
}

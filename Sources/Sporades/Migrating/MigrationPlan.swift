// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel
public import SporadesSQLite
public import SporadesStore

/// The stages by which stores of older versions become stores of the program's version.
///
/// ```swift
/// let plan = MigrationPlan([
///   .lightweight(from: version1, to: version2),
///   .custom(from: version2, to: version3, didMigrate: { context in … }),
/// ])
/// var options = SQLiteStoreOptions()
/// options.migrationPlan = plan
/// let data = DALService(sqlite: "Pets", entities: [Pet.self], storeOptions: options)
/// ```
///
/// A store of any version in the plan is taken to the program's by the fewest stages. All stages together succeed, or
/// leave the store as it was.
public final class MigrationPlan: StoreMigrationPlan {
  /// The stages, the oldest first.
  public let stages: [MigrationStage]
  private let actions: PlanActions

  private init(_ stages: [MigrationStage], _ actions: PlanActions) {
    (self.stages, self.actions) = (stages, actions)
  }

  /// Makes a plan.
  public convenience init(_ stages: [MigrationStage]) {
    let actions = PlanActions(
      migrate: { (url, model, options) throws(StoreError) in
        try StagedMigration(stages, of: url.storePath, to: model, options).run()
      },
      forecast: { (url, model, options) throws(StoreError) in
        try StagedMigration(stages, of: url.storePath, to: model, options).forecast()
      },
      earlier: { model, name in MigrationPath.checksums(before: model, name, stages) })
    self.init(stages, actions)
  }

  /// Makes the plan that a type declares.
  public convenience init(_ plan: any SchemaMigrationPlan.Type) { self.init(plan.stages) }

  public func migrate(
    storeAt url: URL, to model: ManagedObjectModel, options: SQLiteStoreOptions
  ) throws(StoreError) {
    try actions.migrate(url, model, options)
  }

  public func forecast(
    forStoreAt url: URL, to model: ManagedObjectModel,
    options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) -> MigrationForecast {
    try actions.forecast(url, model, options)
  }

  public func earlierChecksums(
    than model: ManagedObjectModel, inConfiguration name: String?
  ) -> [String] { actions.earlier(model, name) }
}

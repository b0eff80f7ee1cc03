// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQLite
import SporadesStore

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
public final class MigrationPlan: StagedPlan {
  /// The stages, the oldest first.
  public let stages: [MigrationStage]
  public let actions: PlanActions

  private init(_ stages: [MigrationStage], _ actions: PlanActions) {
    (self.stages, self.actions) = (stages, actions)
  }

  /// Makes a plan.
  public convenience init(_ stages: [MigrationStage]) {
    let actions = PlanActions(
      migrate: { (store, model) throws(StoreError) in
        try StagedMigration(stages, of: store, to: model).run()
      },
      forecast: { (store, model) throws(StoreError) in
        try StagedMigration(stages, of: store, to: model).forecast()
      },
      earlier: { model, name in MigrationPath.checksums(before: model, name, stages) })
    self.init(stages, actions)
  }

  /// Makes the plan that a type declares.
  public convenience init(_ plan: any SchemaMigrationPlan.Type) { self.init(plan.stages) }
}

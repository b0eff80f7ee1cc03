// SPDX-License-Identifier: MIT
public import Sporades
public import SporadesPostgreSQL
import SporadesStore

extension PostgreSQLStoreOptions {
  /// The plan by which a store of another version is migrated; nil infers the changes from the two versions.
  ///
  /// ```swift
  /// options.migrationPlan = MigrationPlan([
  ///   .lightweight(from: version1, to: version2),
  ///   .custom(from: version2, to: version3, didMigrate: { context in … }),
  /// ])
  /// ```
  ///
  /// All stages and their code run in one transaction of the server: a stage that fails, and a process or a server that ends in
  /// between, leave the store as it was. Other processes wait meanwhile.
  public var migrationPlan: (any StagedPlan)? {
    get { stages?.plan as? any StagedPlan }
    set { stages = newValue.map(ServerStages.init(_:)) }
  }
}

extension ServerStages {
  fileprivate convenience init(_ plan: any StagedPlan) {
    let actions = plan.actions
    self.init(
      plan: plan,
      migrate: { (connection, place, model) throws(StoreError) in
        let server = StagedServer(connection, at: place.address, place.options)
        try actions.migrate(StageGround(server), model)
      },
      forecast: { (connection, place, model) throws(StoreError) in
        let server = StagedServer(connection, at: place.address, place.options)
        return try actions.forecast(StageGround(server), model)
      },
      earlier: { actions.earlier($0, nil) })
  }
}

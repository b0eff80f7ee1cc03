// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQLite
import SporadesStore

/// The actions of a migration plan.
///
/// The compiler puts each conformance into every program, with all that its functions call. A plan therefore calls these
/// closures, which its convenience initializers alone name: a class keeps its designated ones, too. A program that makes no plan contains no code for plans, mapping models
/// and model files.
public struct PlanActions: Sendable {
  package typealias Migrating =
    @Sendable (StageGround, ManagedObjectModel) throws(StoreError) -> Void
  package typealias Forecasting =
    @Sendable (StageGround, ManagedObjectModel) throws(StoreError) -> MigrationForecast
  package typealias Listing = @Sendable (ManagedObjectModel, String?) -> [String]

  package let migrate: Migrating
  package let forecast: Forecasting
  package let earlier: Listing
  /// The store in a file.
  let file: @Sendable (String, SQLiteStoreOptions) -> StageGround

  package init(
    migrate: @escaping Migrating, forecast: @escaping Forecasting, earlier: @escaping Listing
  ) {
    (self.migrate, self.forecast, self.earlier) = (migrate, forecast, earlier)
    file = { StageGround(fileAt: $0, $1) }
  }
}

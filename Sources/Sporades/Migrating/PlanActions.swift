// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQLite
import SporadesStore

/// The actions of a migration plan.
///
/// The compiler puts each conformance into every program, with all that its functions call. A plan therefore calls these
/// closures, which its convenience initializers alone name: a class keeps its designated ones, too. A program that makes no plan contains no code for plans, mapping models
/// and model files.
struct PlanActions: Sendable {
  let migrate: @Sendable (URL, ManagedObjectModel, SQLiteStoreOptions) throws(StoreError) -> Void
  let forecast:
    @Sendable (URL, ManagedObjectModel, SQLiteStoreOptions) throws(StoreError) -> MigrationForecast
  let earlier: @Sendable (ManagedObjectModel, String?) -> [String]
}

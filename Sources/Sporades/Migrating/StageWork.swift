// SPDX-License-Identifier: MIT
package import SporadesGraph
package import SporadesModel
package import SporadesSQLite
package import SporadesStore

/// The work of a stage that another module carries out, as that of mapping models.
package protocol StageWork: Sendable {
  /// Makes the newer version of the store in the place of the older one.
  func run(on draft: StageDraft) throws
  /// The losses of the work, without its steps. The store is only read.
  func forecast(on draft: StageDraft) throws(StoreError) -> MigrationForecast
  /// The steps of the work, in a forecast. `stage` is a name such as `the stage "Split names"`.
  func text(ofStage stage: String) -> String
}

/// The store of a stage while it is migrated.
package struct StageDraft {
  package let path: String
  package let source: ManagedObjectModel
  package let destination: ManagedObjectModel
  package let sourceClasses: [ManagedObject.Type]
  package let destinationClasses: [ManagedObject.Type]
  /// The options of the whole migration.
  package let options: SQLiteStoreOptions
  /// The options that open a version of the draft without migrating it.
  package let openingOptions: SQLiteStoreOptions
  package let progress: MigrationProgress
}

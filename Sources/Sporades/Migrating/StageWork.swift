// SPDX-License-Identifier: MIT
package import SporadesGraph
package import SporadesModel
package import SporadesStore

/// The work of a stage that another module carries out, as that of mapping models.
package protocol StageWork: Sendable {
  /// Makes the newer version of the store in the place of the older one.
  func run(in room: StageRoom) throws
  /// The losses of the work, without its steps. The store is only read.
  func forecast(in room: StageRoom) throws(StoreError) -> MigrationForecast
  /// The steps of the work, in a forecast. `stage` is a name such as `the stage "Split names"`.
  func text(ofStage stage: String) -> String
}

/// The store of a stage while it is migrated, and the versions of the stage.
package final class StageRoom {
  package let ground: StageGround
  package let source: ManagedObjectModel
  package let destination: ManagedObjectModel
  package let sourceClasses: [ManagedObject.Type]
  package let destinationClasses: [ManagedObject.Type]
  package let progress: MigrationProgress

  init(
    _ stage: MigrationStage, _ source: ManagedObjectModel, _ destination: ManagedObjectModel,
    on ground: StageGround, _ progress: MigrationProgress
  ) {
    (self.ground, self.source, self.destination) = (ground, source, destination)
    sourceClasses = stage.source.classes
    destinationClasses = stage.destination.classes
    self.progress = progress
  }
}

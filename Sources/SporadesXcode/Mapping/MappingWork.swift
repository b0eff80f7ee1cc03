// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesGraph
import SporadesModel
import SporadesModelFiles
import SporadesStore

/// The work of a stage with mapping models. Several of them divide it into passes.
struct MappingWork: StageWork {
  let mappings: [MappingModel]
  let policies: [String: EntityMigrationPolicy.Type]
  let manager: MigrationManager.Type

  /// The draft is another file afterwards, in the same place.
  func run(on draft: StageDraft) throws {
    let manager = makeManager(draft)
    for (name, policy) in policies { manager.register(policy, named: name) }
    try manager.refuseLosses(mappings, ofStoreAt: draft.path, draft.options)
    let file = URL(fileURLWithPath: draft.path)
    let options = draft.openingOptions
    try manager.rebuild(
      file, in: file, mappings, options, options, draft.sourceClasses, draft.destinationClasses)
  }

  func forecast(on draft: StageDraft) throws(StoreError) -> MigrationForecast {
    let content = try MappingForecast(mappings, makeManager(draft), draft.path, draft.options)
    var forecast = MigrationForecast()
    forecast.problems = content.problems
    forecast.losses = content.losses
    forecast.lossesLeftToCode = content.lossesLeftToCode
    return forecast
  }

  func text(ofStage stage: String) -> String {
    "make the objects of \(stage) by \(mappings.count == 1 ? "a mapping model" : "\(mappings.count) mapping models")"
  }

  private func makeManager(_ draft: StageDraft) -> MigrationManager {
    manager.init(source: draft.source, destination: draft.destination, progress: draft.progress)
  }
}

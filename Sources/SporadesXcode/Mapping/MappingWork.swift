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

  func run(in room: StageRoom) throws {
    let manager = makeManager(room)
    for (name, policy) in policies { manager.register(policy, named: name) }
    try manager.refuseLosses(mappings, of: room.ground)
    try room.ground.rebuild((room.source, room.destination)) { old, new in
      try manager.carryOut(
        mappings, from: old, to: new, room.sourceClasses, room.destinationClasses)
    }
  }

  func forecast(in room: StageRoom) throws(StoreError) -> MigrationForecast {
    let content = try MappingForecast(mappings, makeManager(room), room.ground)
    var forecast = MigrationForecast()
    forecast.problems = content.problems
    forecast.losses = content.losses
    forecast.lossesLeftToCode = content.lossesLeftToCode
    return forecast
  }

  func text(ofStage stage: String) -> String {
    "make the objects of \(stage) by \(mappings.count == 1 ? "a mapping model" : "\(mappings.count) mapping models")"
  }

  private func makeManager(_ room: StageRoom) -> MigrationManager {
    manager.init(source: room.source, destination: room.destination, progress: room.progress)
  }
}

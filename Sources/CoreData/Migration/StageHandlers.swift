// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesModel
import SporadesStore

/// The work of a stage with handlers of the program.
struct StageHandlers: StageWork, @unchecked Sendable {
  // @unchecked: one thread migrates, and the handlers run there.
  let manager: NSStagedMigrationManager
  let stage: NSCustomMigrationStage

  func run(in room: StageRoom) throws {
    if let handler = stage.willMigrateHandler {
      try run(handler, in: stage.currentModel, room)
    }
    _ = try room.ground.change(change(in: room))
    if let handler = stage.didMigrateHandler { try run(handler, in: stage.nextModel, room) }
    try room.ground.checkRequiredValues(room.destination)
  }

  func forecast(in room: StageRoom) throws(StoreError) -> MigrationForecast {
    try room.ground.forecast(change(in: room))
  }

  func text(ofStage stage: String) -> String {
    "run the handlers of \(stage), and infer its changes"
  }

  /// The change between the handlers, which is inferred.
  private func change(in room: StageRoom) -> StageChange {
    let change = StageChange(to: room.destination, room.ground.options.withoutMigration)
    change.migratesBack = true
    change.options.losses = .allowed
    change.options.versions = [room.source, room.destination]
    if stage.didMigrateHandler != nil { change.code = .after }
    return change
  }

  /// Runs a handler while the manager has a container over the store, in one of its versions.
  private func run(
    _ handler: (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void,
    in version: NSManagedObjectModelReference, _ room: StageRoom
  ) throws {
    let model = try version.resolved()
    let container = NSPersistentContainer(
      name: stage.label ?? "NSStagedMigrationManager", managedObjectModel: model)
    let coordinator = container.persistentStoreCoordinator
    let store = try coordinator.add(
      room.ground.open(try model.managedObjectModel()), at: URL(fileURLWithPath: room.ground.place))
    let outer = manager.container
    manager.container = container
    defer { manager.container = outer }
    do { try handler(manager, stage) } catch {
      // `try?`: the handler's error is the one that counts, and the draft is dropped.
      try? coordinator.remove(store)
      throw error
    }
    try coordinator.remove(store)
  }
}

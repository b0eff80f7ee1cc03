// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import SporadesXcode

/// The other way to a new version: through objects, in memory, by the mapping that the two models tell.
enum ObjectMigration {
  /// What a migration through objects makes of a store, which stays as it is.
  static func rows(
    of store: any PersistentStore, from old: ManagedObjectModel, to new: ManagedObjectModel
  ) throws -> PlainRows {
    let copy = try MemoryStore(model: old, configuration: nil)
    try migrate(store, to: copy)
    let newer = try MemoryStore(model: new, configuration: nil)
    try migrate(copy, to: newer)
    return try ChainStore.rows(newer)
  }

  private static func migrate(
    _ source: any PersistentStore, to destination: any PersistentStore
  ) throws {
    let manager = MigrationManager(source: source.model, destination: destination.model)
    manager.batchSize = 3
    try manager.migrate(
      from: source, to: destination,
      with: .inferred(from: source.model, to: destination.model))
  }
}

// SPDX-License-Identifier: MIT
import Foundation
import SporadesContainers
import SporadesModel

/// The entities of the models that coordinators use, by class and by name. The last coordinator goes first.
enum LoadedEntities {
  private struct Entry: @unchecked Sendable {
    // @unchecked: a lock guards the list, and models in use do not change.
    weak var coordinator: NSPersistentStoreCoordinator?
  }
  private static let entries = Guarded<[Entry]>([])

  static func add(_ coordinator: NSPersistentStoreCoordinator) {
    entries.withLock { entries in
      entries.removeAll { $0.coordinator == nil }
      entries.append(Entry(coordinator: coordinator))
    }
  }

  static func entity(of type: NSManagedObject.Type) -> NSEntityDescription? {
    coordinators.lazy.compactMap { $0.knownEntity(of: type) }.first
  }

  static func entity(named name: String) -> NSEntityDescription? {
    coordinators.lazy.compactMap { $0.managedObjectModel.entitiesByName[name] }.first
  }

  /// The coordinator whose ids have the scope.
  static func coordinator(of scope: StoreScope) -> NSPersistentStoreCoordinator? {
    coordinators.lazy.first { $0.coordinator.scope == scope }
  }

  private static var coordinators: [NSPersistentStoreCoordinator] {
    entries.withLock { $0.reversed().compactMap(\.coordinator) }
  }
}

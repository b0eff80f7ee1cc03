// SPDX-License-Identifier: MIT
import Foundation
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

  private static var coordinators: [NSPersistentStoreCoordinator] {
    entries.withLock { $0.reversed().compactMap(\.coordinator) }
  }
}

/// The contexts of objects that programs make without one, one for each model.
enum DetachedContexts {
  private static let known = Guarded<[ObjectIdentifier: NSManagedObjectContext]>([:])

  static func context(for entity: NSEntityDescription) -> NSManagedObjectContext {
    guard let model = entity.managedObjectModel else {
      trap("An object of \(entity.requiredName) was made, and the entity belongs to no model.")
    }
    return known.withLock { known in
      if let context = known[ObjectIdentifier(model)] { return context }
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = NSPersistentStoreCoordinator(
        managedObjectModel: model, isListed: false)
      context.isDetached = true
      known[ObjectIdentifier(model)] = context
      return context
    }
  }
}

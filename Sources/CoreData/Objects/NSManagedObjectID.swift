// SPDX-License-Identifier: MIT
import SporadesContainers
public import SporadesModel
import SporadesStore

extension ManagedObjectID {
  private static let last = Guarded<Int64>(0)

  /// Makes an id that leads to no object and equals no other one, for code that only carries ids along.
  public init() {
    let number = Self.last.withLock { last in
      last += 1
      return last
    }
    self.init(
      key: RowKey(entity: 0, primaryKey: -number),
      scope: StoreScope(identifier: "NSManagedObjectID", entityNames: []))
  }

  /// The entity of the object, in the model of the coordinator that made the id.
  public var entity: NSEntityDescription {
    guard
      let entity = coordinator?.managedObjectModel.entitiesByName[entityName]
        ?? LoadedEntities.entity(named: entityName)
    else {
      trap(
        "The coordinator of \(self) is gone, and no other one has an entity \(entityName). Keep the container while its ids are in use."
      )
    }
    return entity
  }

  /// The store of the object; nil before its first save, and after the store was removed.
  public var persistentStore: NSPersistentStore? {
    isTemporaryID
      ? nil : coordinator?.persistentStores.first { $0.identifier == storeIdentifier }
  }

  private var coordinator: NSPersistentStoreCoordinator? { LoadedEntities.coordinator(of: scope) }
}

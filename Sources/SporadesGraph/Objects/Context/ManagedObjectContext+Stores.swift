// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
public import SporadesStore

// What a context has to do with several stores.
extension ManagedObjectContext {
  /// The coordinator of the stack's stores; nil where the stack stands on one store alone.
  public var persistentStoreCoordinator: PersistentStoreCoordinator? { stack.coordinator }

  /// Says which store a new object is to be saved to. Without, it goes to the first store that holds
  /// its entity and can be written.
  public func assign(_ object: ManagedObject, to store: any PersistentStore) throws {
    precondition(
      object.home.context === self,
      "\(object.objectID) lives in another context. Assign it in its own.")
    guard object.key.isTemporary else { throw ContextError.alreadyStored(object.objectID) }
    guard let coordinator = stack.coordinator else {
      guard store === stack.store else { throw ContextError.foreignStore(store.identifier) }
      return
    }
    guard coordinator.persistentStores.contains(where: { $0 === store }) else {
      throw ContextError.foreignStore(store.identifier)
    }
    assignments[ObjectIdentifier(object)] = try coordinator.number(
      of: store, holding: object.home.shape)
  }

  /// The keys new objects get, each in its store, in the order of the objects.
  func newKeys(
    of objects: [ManagedObject], _ coordinator: PersistentStoreCoordinator
  ) throws(StoreError) -> [RowKey] {
    var usual: [Int: Int] = [:]
    var places: [Int: [Int]] = [:]
    for (place, object) in objects.enumerated() {
      let root = object.home.shape.rootNumber
      let store: Int
      if let known = assignments[ObjectIdentifier(object)] ?? usual[root] {
        store = known
      } else {
        store = try coordinator.storeForNew(object.home.shape)
        usual[root] = store
      }
      places[store << 16 | root, default: []].append(place)
    }
    var keys = [RowKey](repeating: RowKey(rawValue: 0), count: objects.count)
    for (group, places) in places {
      let (store, root) = (group >> 16, group & 0xFFFF)
      let reserved = try source.reserveKeys(
        places.count, for: model.shape(numbered: root), inStore: store)
      for (place, primaryKey) in zip(places, reserved) {
        keys[place] = RowKey(
          entity: objects[place].home.shape.number, primaryKey: primaryKey, store: store)
      }
    }
    return keys
  }

  // MARK: - Fetches of some stores

  func restrict(_ fetch: inout StoreFetch, to stores: Set<String>) {
    if stack.coordinator != nil {
      fetch.affectedStores = stores
    } else if !stores.contains(stack.store.identifier) {
      fetch.predicate = .constant(false)
    }
  }

  /// Whether a changed object is in one of the stores that a fetch looks in, or will be.
  func isAffected(_ object: ManagedObject, _ fetch: StoreFetch) -> Bool {
    guard let affected = fetch.affectedStores, let coordinator = stack.coordinator else {
      return true
    }
    var number = object.key.store
    if object.key.isTemporary {
      let assigned = assignments[ObjectIdentifier(object)]
      // Where no store takes the object, the fetch looks in none that has it; its save says why.
      guard let new = try? assigned ?? coordinator.storeForNew(object.home.shape) else {
        return false
      }
      number = new
    }
    return affected.contains(stack.scope.identifier(ofStore: number))
  }
}

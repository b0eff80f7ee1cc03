// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
public import SporadesStore

// Contexts over several stores.
extension ManagedObjectContext {
  /// The store of the stack, which may consist of several.
  package var stackStore: any PersistentStore { stack.store }

  /// Chooses the store for a new object. Otherwise a save puts it into the first writable store
  /// that holds its entity.
  public func assign(_ object: ManagedObject, to store: any PersistentStore) throws {
    requireOwn(object)
    guard object.key.isTemporary else { throw ContextError.alreadyStored(object.objectID) }
    guard let coordinator = stack.coordinator else {
      guard store === stack.store else { throw ContextError.foreignStore(store.placeText) }
      return
    }
    guard coordinator.persistentStores.contains(where: { $0 === store }) else {
      throw ContextError.foreignStore(store.placeText)
    }
    assignments[ObjectIdentifier(object)] = try coordinator.number(
      of: store, holding: object.home.shape)
  }

  /// The permanent keys of new objects, in the order of the objects. Each key names a store.
  func newKeys(
    of objects: [ManagedObject], _ coordinator: any CoordinatingStore
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

  private static let unknownStores = Hint(
    " was fetched with affectedStores that name no store of the stack, so nothing was found. Write the `identifier` of its stores."
  )

  func restrict(_ fetch: inout StoreFetch, to stores: Set<String>) {
    if checksQueue {
      let known = stack.coordinator?.persistentStores.map(\.identifier) ?? [stack.store.identifier]
      if stores.isDisjoint(with: known) { Self.unknownStores.give(about: fetch.entity.name) }
    }
    if stack.coordinator != nil {
      fetch.affectedStores = stores
    } else if !stores.contains(stack.store.identifier) {
      fetch.predicate = .constant(false)
    }
  }

  /// Whether a changed object belongs, or will belong, to one of the stores that a fetch reads.
  func isAffected(_ object: ManagedObject, _ fetch: StoreFetch) -> Bool {
    guard let affected = fetch.affectedStores, let coordinator = stack.coordinator else {
      return true
    }
    var number = object.key.store
    if object.key.isTemporary {
      let assigned = assignments[ObjectIdentifier(object)]
      // because an object that no store takes can not be in any of the stores, and its save throws
      // the error
      guard let new = try? assigned ?? coordinator.storeForNew(object.home.shape) else {
        return false
      }
      number = new
    }
    return affected.contains(stack.scope.identifier(ofStore: number))
  }
}

// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

/// A store made of stores: one graph of objects over several files, each with all entities of the
/// model or those of a configuration.
///
/// ```text
/// let coordinator = PersistentStoreCoordinator(model: model)
/// try coordinator.addPersistentStore(catalogue)
/// try coordinator.addPersistentStore(notes)
/// let stack = DataStack(store: coordinator)
/// ```
///
/// Rules:
/// 1. A row's key says which store it is in. A new object goes to the first store that holds its
///    entity and can be written, unless its context assigns it to another one.
/// 2. A fetch finds the rows of all stores, in one order.
/// 3. A change set is executed by all stores or by none. Commits are one by one: after a crash
///    between two of them one store has a save that the other has not.
/// 4. Objects of different stores can not be linked.
/// 5. A store is under one coordinator at a time.
public final class PersistentStoreCoordinator: PersistentStore {
  public let model: ManagedObjectModel
  /// Names the coordinator; the ids of its objects carry the identifiers of their stores.
  public let identifier: String
  /// A word for logs and debugging.
  public var name: String? {
    get { label.withLock(\.self) }
    set { label.withLock { $0 = newValue } }
  }
  /// Itself.
  public var coordinator: PersistentStoreCoordinator? { self }
  private let label = Guarded<String?>(nil)
  package let scope: StoreScope
  let stores = Guarded(CoordinatedStores())
  /// Held while stores are changed, so that none is added or removed meanwhile.
  let writing = Guarded(DividedChanges())
  /// Held while keys are set aside, so that none is given by a store and by the one in its place.
  let reserving = Guarded(())
  private let observers = Guarded<[@Sendable (StoresChange) -> Void]>([])

  /// A coordinator without stores: fetches and saves fail until there is one.
  public init(model: ManagedObjectModel) {
    self.model = model
    identifier = UUID().uuidString
    scope = StoreScope(identifier: identifier, entityNames: model.shapes.map(\.name))
  }

  // MARK: - Stores

  /// In the order in which they were added.
  public var persistentStores: [any PersistentStore] { stores.withLock { $0.added.map(\.store) } }

  public func persistentStore(identifiedBy identifier: String) -> (any PersistentStore)? {
    persistentStores.first { $0.identifier.uppercased() == identifier.uppercased() }
  }

  /// The store of an object; nil where it was never saved, where the store was removed, and for ids of
  /// other stacks.
  public func persistentStore(for id: ManagedObjectID) -> (any PersistentStore)? {
    guard id.scope == scope, !id.isTemporaryID else { return nil }
    return stores.withLock { $0[id.key.store]?.store }
  }

  /// Whether there is a store with the number.
  package func hasStore(_ number: Int) -> Bool { stores.withLock { $0[number] != nil } }

  /// Takes a store in, which is the coordinator's from now on. It may hold entities that others hold
  /// too.
  public func addPersistentStore(_ store: any PersistentStore) throws(StoreError) {
    try check(store)
    try writing.withLock { _ throws(StoreError) in
      try stores.withLock { stores throws(StoreError) in
        try checkOpen(stores)
        guard !stores.added.contains(where: { $0.store.identifier == store.identifier }) else {
          throw StoreError(
            .unsupported,
            "The coordinator has a store with the identifier \(store.identifier) already, and could "
              + "not tell the objects of both apart. Add the one or its copy.")
        }
        guard let number = stores.number(for: store.identifier) else {
          throw StoreError(
            .unsupported,
            "A coordinator takes \(RowKey.storeLimit) stores in its life, and this one has had them. "
              + "Make a new coordinator.")
        }
        scope.setIdentifier(store.identifier, ofStore: number)
        stores.add(try CoordinatedStore(store, number: number, in: scope))
      }
    }
    tell(StoresChange(added: [store.identifier]))
  }

  private func check(_ store: any PersistentStore) throws(StoreError) {
    guard store.coordinator == nil else {
      throw StoreError(.unsupported, "A coordinator is no store of another; add its stores.")
    }
    guard store.model == model else {
      throw StoreError(
        .incompatibleModel(store.model.entities.map(\.name)),
        "The store was opened with another model than the coordinator's. Open it with the same one, "
          + "and name a configuration where it holds only some entities.")
    }
    _ = try StoreConfiguration(store.configurationName, of: model)
  }

  /// Commits what a store has accepted, gives it up and closes it. Its objects are gone for every
  /// context; a save with changes of them fails. The other stores go on working.
  public func remove(_ store: any PersistentStore) throws(StoreError) {
    let number = try writing.withLock { _ throws(StoreError) -> Int in
      let member = try member(store)
      try store.commit(.eventual)
      stores.withLock { $0.remove(member.number) }
      do throws(StoreError) {
        try store.close()
      } catch {
        stores.withLock { $0.add(member) }
        throw error
      }
      return member.number
    }
    tell(StoresChange(removed: [store.identifier], removedNumbers: [number]))
  }

  /// Puts the store that `make` returns, which holds the same rows under the same keys, into the place
  /// of another, which is closed. Nobody saves meanwhile.
  package func exchange(
    _ store: any PersistentStore,
    for make: (any PersistentStore) throws(StoreError) -> any PersistentStore
  ) throws(StoreError) -> any PersistentStore {
    try writing.withLock { _ throws(StoreError) -> any PersistentStore in
      let member = try member(store)
      try store.commit(.eventual)
      let new = try make(store)
      do throws(StoreError) {
        let replacement = try CoordinatedStore(new, number: member.number, in: scope)
        try reserving.withLock { _ throws(StoreError) in
          try StoreCopy(from: store, to: new).coverReservedKeys()
          stores.withLock { $0.replace(replacement) }
        }
      } catch {
        try? new.close()
        throw error
      }
      scope.setIdentifier(new.identifier, ofStore: member.number)
      // Everything is in the new store, so the old one has nothing to lose by a failure.
      try? store.close()
      return new
    }
  }

  func member(_ store: any PersistentStore) throws(StoreError) -> CoordinatedStore {
    guard let member = stores.withLock({ $0.member(store) }) else {
      throw StoreError(.noStore, "The store is none of the coordinator's.")
    }
    return member
  }

  // MARK: - Ids

  /// The id that `uriRepresentation()` made, in this process or another; nil where the URI is of none
  /// of the stores or of no object. Whether the row exists is not asked.
  public func managedObjectID(forURIRepresentation url: URL) -> ManagedObjectID? {
    guard let uri = ObjectURI(url),
      let number = stores.withLock({ stores in
        stores.added.first { $0.store.identifier.uppercased() == uri.store.uppercased() }?.number
      }), let shape = model.shape(named: uri.entity)
    else { return nil }
    let key = RowKey(entity: shape.number, primaryKey: uri.primaryKey, store: number)
    return ManagedObjectID(key: key, scope: scope)
  }

  // MARK: - Changes of stores

  /// Calls `body` after stores were added or removed. It must not wait for anything.
  package func observe(_ body: @escaping @Sendable (StoresChange) -> Void) {
    observers.withLock { $0.append(body) }
  }

  private func tell(_ change: StoresChange) {
    for observer in observers.withLock({ $0 }) { observer(change) }
  }
}

/// Stores that a coordinator took in or gave up, by their identifiers.
public struct StoresChange: Hashable, Sendable {
  public var added: [String] = []
  public var removed: [String] = []
  /// How many changes are missing right before this one, because their consumer was too slow.
  public package(set) var missed = 0
  package var removedNumbers: [Int] = []
}

/// The parts of `x-coredata://STORE/Entity/p12`.
package struct ObjectURI {
  package let store: String
  package let entity: String
  package let primaryKey: Int64

  /// Nil for the URI of anything else than a stored object.
  package init?(_ url: URL) {
    let prefix = "x-coredata://"
    guard url.absoluteString.hasPrefix(prefix) else { return nil }
    let parts = url.absoluteString.dropFirst(prefix.count)
      .split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].first == "p", let number = Int64(parts[2].dropFirst()),
      (1...RowKey.largestPrimaryKey).contains(number)
    else { return nil }
    store = String(parts[0])
    entity = String(parts[1])
    primaryKey = number
  }
}

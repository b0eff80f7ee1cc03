// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel
import SporadesMoving
public import SporadesStore

/// A store that consists of several stores, so that one graph of objects can span several files. Each store
/// holds all entities of the model or the entities of a configuration.
///
/// ```text
/// let coordinator = PersistentStoreCoordinator(model: model)
/// try coordinator.addPersistentStore(catalogue)
/// try coordinator.addPersistentStore(notes)
/// let stack = DataStack(store: coordinator)
/// ```
///
/// Rules:
/// 1. The key of a row names its store. A new object goes to the first writable store that holds its
///    entity, unless its context assigns it to another store.
/// 2. A fetch finds the rows of all stores, in one order.
/// 3. All stores execute a change set, or none does. The stores commit one after the other. After a crash between two
///    commits, a coordinator of the same stores finishes what is missing; see ``finishCommits()``. Stores in memory take
///    no part in that.
/// 4. A relationship cannot link objects of different stores.
/// 5. A store belongs to one coordinator at a time.
public final class PersistentStoreCoordinator: CoordinatingStore, RevocableStore,
  GenerationKeepingStore, BatchExecutingStore, TriggerRunningStore
{
  public let model: ManagedObjectModel
  /// The identifier of the coordinator. The ids of its objects contain the identifiers of their stores.
  public let identifier: String
  /// A name for logs and debugging.
  public var name: String? {
    get { label.withLock(\.self) }
    set { label.withLock { $0 = newValue } }
  }
  private let label = Guarded<String?>(nil)
  package let scope: StoreScope
  let stores = Guarded(CoordinatedStores())
  /// The lock that a save, a commit, and a change of the stores hold, and the divided change sets.
  let writing = Guarded(DividedChanges())
  /// The lock that a commit holds, and a reader that begins a state of all stores.
  /// A thread that holds `writing` may take it.
  let committing = Guarded(())
  /// The lock that a reservation of keys holds, so that a store and its replacement never reserve the same key.
  let reserving = Guarded(())
  let unfinished = Guarded<[UnfinishedCommit]>([])
  private let observers = Guarded<[@Sendable (StoresChange) -> Void]>([])

  /// Makes a coordinator without stores. Fetches and saves fail until it has one.
  public init(model: ManagedObjectModel) {
    self.model = model
    identifier = UUID().uuidString
    scope = StoreScope(identifier: identifier, entityNames: model.shapes.map(\.name))
  }

  deinit { writing.withLock { abandonShared(&$0) } }

  // MARK: - Stores

  /// The stores, in the order in which the program added them.
  public var persistentStores: [any PersistentStore] { stores.withLock { $0.added.map(\.store) } }

  /// Finds the store with an identifier.
  public func persistentStore(identifiedBy identifier: String) -> (any PersistentStore)? {
    persistentStores.first { $0.identifier.uppercased() == identifier.uppercased() }
  }

  /// Finds the store of an object; nil if the object was never saved, the store was removed, or the id belongs
  /// to another stack.
  public func persistentStore(for id: ManagedObjectID) -> (any PersistentStore)? {
    guard id.scope == scope, !id.isTemporaryID else { return nil }
    return stores.withLock { $0[id.key.store]?.store }
  }

  /// The coordinator has a store with the number.
  package func hasStore(_ number: Int) -> Bool { stores.withLock { $0[number] != nil } }

  /// Adds a store, which belongs to the coordinator from now on. Several stores may hold the same entity.
  ///
  /// If a process died while it committed to this and another store of the coordinator, the coordinator finishes that
  /// commit. ``unfinishedCommits`` has the commits that it cannot finish. Changes that the store
  /// has
  /// accepted and not committed are committed first.
  public func addPersistentStore(_ store: any PersistentStore) throws(StoreError) {
    try check(store)
    // The stack that executed the changes would commit them later, and no reader of the coordinator
    // would hear of them.
    try store.commit(.eventual)
    try writing.withLock { divided throws(StoreError) in
      try stores.withLock { stores throws(StoreError) in
        try checkOpen(stores)
        if let known = stores.added.first(where: { $0.store.identifier == store.identifier }) {
          throw Self.refusal(of: store, beside: known.store)
        }
        guard let number = stores.assignNumber(to: store.identifier) else {
          throw StoreError(
            .unsupported,
            "A coordinator can have \(RowKey.storeLimit) stores in its lifetime, and this one has had "
              + "that many. Make a new coordinator.")
        }
        scope.setIdentifier(store.identifier, ofStore: number)
        stores.add(try CoordinatedStore(store, number: number, in: scope))
      }
      finishAllCommits(&divided)
    }
    notifyObservers(of: StoresChange(added: [store.identifier]))
  }

  private static func refusal(
    of store: any PersistentStore, beside known: any PersistentStore
  ) -> StoreError {
    let isSame = store.path != nil && store.path == known.path
    return StoreError(
      .unsupported,
      isSame
        ? "The coordinator has the store \(store.placeText) already. Add each file once."
        : "The coordinator has a store with the identifier \(store.identifier) already, \(known.placeText), and cannot "
          + "distinguish the objects of both. Add only one of the store and its copy.")
  }

  private func check(_ store: any PersistentStore) throws(StoreError) {
    guard store.coordinator == nil else {
      throw StoreError(.unsupported, "A coordinator cannot contain a coordinator; add its stores.")
    }
    guard store.model == model else {
      throw StoreError(
        .incompatibleModel(store.model.entities.map(\.name)),
        "The store has another model than the coordinator. Open it with the coordinator's model, "
          + "and name a configuration if it holds only some entities.")
    }
    _ = try StoreConfiguration(store.configurationName, of: model)
  }

  /// Commits the accepted changes of a store, removes the store and closes it.
  ///
  /// The store's objects are gone for every context, and a save with changes of them fails. The other stores
  /// continue to work.
  public func remove(_ store: any PersistentStore) throws(StoreError) {
    let number = try writing.withLock { divided throws(StoreError) -> Int in
      let member = try member(store)
      try commitShared(&divided)
      try store.commit(.eventual)
      divided.recordCommit(of: member.number, CommitNotes())
      stores.withLock { $0.remove(member.number) }
      do throws(StoreError) {
        try store.close()
      } catch {
        stores.withLock { $0.add(member) }
        throw error
      }
      divided.shared.forget(member.number)
      return member.number
    }
    notifyObservers(of: StoresChange(removed: [store.identifier], removedNumbers: [number]))
  }

  /// Replaces a store by another one with the same rows and keys, and closes the former store. Saves wait
  /// meanwhile.
  package func exchange(
    _ store: any PersistentStore,
    for makeReplacement: (any PersistentStore) throws(StoreError) -> any PersistentStore
  ) throws(StoreError) -> any PersistentStore {
    try writing.withLock { divided throws(StoreError) -> any PersistentStore in
      let member = try member(store)
      try commitShared(&divided)
      try store.commit(.eventual)
      divided.recordCommit(of: member.number, CommitNotes())
      let new = try makeReplacement(store)
      do throws(StoreError) {
        let replacement = try CoordinatedStore(new, number: member.number, in: scope)
        try reserving.withLock { _ throws(StoreError) in
          try StoreMove(from: store, to: new).coverReservedKeys()
          stores.withLock { $0.replace(replacement) }
        }
      } catch {
        // `try?`, because the error that follows is the cause.
        try? new.close()
        throw error
      }
      scope.setIdentifier(new.identifier, ofStore: member.number)
      divided.shared.forget(member.number)
      // `try?`, because the new store has all rows, so that a failure loses nothing.
      try? store.close()
      return new
    }
  }

  func member(_ store: any PersistentStore) throws(StoreError) -> CoordinatedStore {
    guard let member = stores.withLock({ $0.member(store) }) else {
      throw StoreError(.noStore, "The store does not belong to the coordinator; add it first.")
    }
    return member
  }

  // MARK: - Ids

  /// Reads an id from the URI that `uriRepresentation()` made, in this process or another.
  ///
  /// The result is nil if the URI names no object or no store of the coordinator. The function does not check
  /// that the row exists.
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

  /// Calls `body` after each change of the stores. The body must not wait for anything.
  package func observe(_ body: @escaping @Sendable (StoresChange) -> Void) {
    observers.withLock { $0.append(body) }
  }

  private func notifyObservers(of change: StoresChange) {
    for observer in observers.withLock({ $0 }) { observer(change) }
  }
}

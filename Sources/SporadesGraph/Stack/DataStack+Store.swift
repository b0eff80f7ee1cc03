// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesChain
public import SporadesModel
public import SporadesStore

// What a stack knows of its stores, in Core Data's words a coordinator.
extension DataStack {
  /// The coordinator of the stack's stores; nil where it stands on one store alone.
  public var persistentStoreCoordinator: PersistentStoreCoordinator? { bound.coordinator }

  /// All stores of the stack, in the order in which they were added.
  public var persistentStores: [any PersistentStore] {
    bound.coordinator?.persistentStores ?? [store]
  }

  /// The store of an object; nil where it was never saved, where the store was removed, and for ids of
  /// other stacks.
  public func persistentStore(for id: ManagedObjectID) -> (any PersistentStore)? {
    if let coordinator = bound.coordinator { return coordinator.persistentStore(for: id) }
    return id.scope == bound.scope && !id.isTemporaryID ? store : nil
  }

  /// Stores that are added to and removed from the stack's coordinator from now on.
  public var storeChanges: NotificationSequence<StoresChange> { root.storeChanges }

  /// The saves the stack's root accepts from now on, exactly in the order in which it does, whichever
  /// context they come from. Their commit may follow a little later.
  public var changes: NotificationSequence<DidSave> { root.feed.sequence }

  /// The entries kept with the rows: Core Data's keys, and those of the application. A coordinator has
  /// those of its first store.
  public var metadata: [String: MetadataValue] {
    get throws(StoreError) { try store.metadata() }
  }

  /// Replaces the metadata. Entries of Core Data's that are left out stay: those of the model's version
  /// decide whether a store can be opened.
  public func setMetadata(_ metadata: [String: MetadataValue]) throws(StoreError) {
    try store.setMetadata(metadata)
  }

  /// The id that `uriRepresentation()` made, in this process or another; nil where the URI is of
  /// another store or none of an object's. Whether the row exists is not asked.
  public func managedObjectID(forURIRepresentation url: URL) -> ManagedObjectID? {
    if let coordinator = bound.coordinator {
      return coordinator.managedObjectID(forURIRepresentation: url)
    }
    guard let uri = ObjectURI(url), uri.store.uppercased() == store.identifier.uppercased(),
      let shape = model.shape(named: uri.entity)
    else { return nil }
    return ManagedObjectID(
      key: RowKey(entity: shape.number, primaryKey: uri.primaryKey), scope: bound.scope)
  }
}

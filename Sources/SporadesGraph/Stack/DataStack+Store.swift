// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesChain
public import SporadesModel
public import SporadesStore

// The stores of a stack, which Core Data reaches through the coordinator.
extension DataStack {
  /// All stores of the stack, in the order in which they were added.
  public var persistentStores: [any PersistentStore] {
    bound.coordinator?.persistentStores ?? [store]
  }

  /// The store of an object. Nil if the object was never saved, if its store was removed, or if the
  /// id belongs to another stack.
  public func persistentStore(for id: ManagedObjectID) -> (any PersistentStore)? {
    if let coordinator = bound.coordinator { return coordinator.persistentStore(for: id) }
    return id.scope == bound.scope && !id.isTemporaryID ? store : nil
  }

  /// The stores that are added to and removed from the stack's coordinator from now on.
  public var storeChanges: NotificationSequence<StoresChange> { root.storeChanges }

  /// The commits of other processes to the stack's stores from now on. Contexts read their objects again by then, at
  /// their next block.
  public var remoteChanges: NotificationSequence<RemoteChange> { root.remoteChanges }

  /// The saves that the stack's root accepts from now on, of all contexts and in the order of
  /// acceptance. The commit of a save may come a little later.
  public var changes: NotificationSequence<DidSave> { root.feed.sequence }

  /// Commits all accepted saves, and returns when they are on the disk.
  ///
  /// If the commit fails, the stack keeps the saves and tries again by itself. If others made a save impossible, the error is
  /// the reason of its loss, and the other saves are on the disk. Changes that no context has saved do not count.
  public func flush() throws(StoreError) { try root.flush() }

  /// The metadata of the store: Core Data's entries and those of the application. A coordinator
  /// shows the metadata of its first store.
  public var metadata: [String: MetadataValue] {
    get throws(StoreError) { try store.metadata() }
  }

  /// Replaces the metadata. Core Data's own entries stay if they are left out, because the entries
  /// of the model's version decide whether the store can be opened.
  public func setMetadata(_ metadata: [String: MetadataValue]) throws(StoreError) {
    try store.setMetadata(metadata)
  }

  /// The id of a URI that `uriRepresentation()` made in this or another process. Nil if the URI
  /// belongs to another store, or to no object. The store is not asked whether the row exists.
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

// SPDX-License-Identifier: MIT
public import SporadesChain
import SporadesModel

/// An event of a context, as a value that may leave the context's queue.
public struct ContextNotification: Sendable, Posted {
  /// The kind of an event.
  public enum Name: Hashable, Sendable {
    /// The context is about to save. Changes by `willSave` hooks come after the save was accepted, right
    /// before ``didSave``.
    case willSave
    /// The parent has accepted the save.
    case didSave
    /// Objects were inserted, changed or deleted, or show values of a merge.
    case objectsDidChange
    /// The context has merged saves of others. The ids include objects that are not in memory.
    case didMergeChanges
    /// Any object may have changed, because very much was saved or the store was emptied.
    case invalidatedAllObjects
  }

  /// The kind of the event.
  public let name: Name
  /// The name of the context.
  public let contextName: String?
  /// The ids of the objects in the event.
  public let ids: ObjectIDChanges
  /// The save itself, for ``Name/didSave``.
  public let didSave: DidSave?
  /// The state after the save, for ``Name/didSave`` of a pinned context. A context that is pinned
  /// to it shows the save and the same rows as the saving context.
  public let queryGenerationToken: QueryGenerationToken?
  /// The number of notifications that were dropped before this one, because the consumer was too
  /// slow.
  public package(set) var missed = 0

  init(
    _ name: Name, contextName: String?, ids: ObjectIDChanges = ObjectIDChanges(),
    didSave: DidSave? = nil, generation: QueryGeneration? = nil
  ) {
    self.name = name
    self.contextName = contextName
    self.ids = ids
    self.didSave = didSave
    queryGenerationToken = generation.map { QueryGenerationToken(generation: $0) }
  }
}

/// An event of a context with its objects, for observers on the context's queue.
public struct ContextChange {
  /// The event as a value that may leave the queue.
  public let notification: ContextNotification
  /// The context of the event.
  public let context: ManagedObjectContext
  /// The objects that were inserted.
  public var insertedObjects: Set<ManagedObject> = []
  /// The objects that were changed.
  public var updatedObjects: Set<ManagedObject> = []
  /// The objects that were deleted. Those that the context had in memory still have their values.
  public var deletedObjects: Set<ManagedObject> = []
  /// The objects that show values of a merge or of a rollback, and unchanged ones that read their rows anew.
  public var refreshedObjects: Set<ManagedObject> = []
  /// The objects whose values a refresh dropped, and the objects of a removed store.
  public var invalidatedObjects: Set<ManagedObject> = []
  /// The event belongs to a merge, whose ``ContextNotification/Name/didMergeChanges`` follows with the
  /// same objects.
  package var isPartOfMerge = false
  /// The deleted objects that keep their values until all observers have heard of the event.
  var departing: [ManagedObject] = []
  /// The merge or the save changed many-to-many links, which lie in no row.
  package var changesLinks = false

  /// The kind of the event.
  public var name: ContextNotification.Name { notification.name }
  /// The ids of the objects in the event.
  public var ids: ObjectIDChanges { notification.ids }

  init(_ notification: ContextNotification, in context: ManagedObjectContext) {
    self.notification = notification
    self.context = context
  }

  /// Makes an event from its objects. Without ids, it asks no new object for one, which the context would have to note.
  init(
    _ name: ContextNotification.Name, in context: ManagedObjectContext,
    inserted: Set<ManagedObject> = [], updated: Set<ManagedObject> = [],
    deleted: Set<ManagedObject> = [], refreshed: Set<ManagedObject> = [],
    invalidated: Set<ManagedObject> = [], withIDs: Bool = true
  ) {
    func ids(_ objects: Set<ManagedObject>) -> Set<ManagedObjectID> {
      withIDs ? Set(objects.map(\.objectID)) : []
    }
    let changes = ObjectIDChanges(
      inserted: ids(inserted), updated: ids(updated), deleted: ids(deleted),
      refreshed: ids(refreshed), invalidated: ids(invalidated))
    self.init(ContextNotification(name, contextName: context.name, ids: changes), in: context)
    insertedObjects = inserted
    updatedObjects = updated
    deletedObjects = deleted
    refreshedObjects = refreshed
    invalidatedObjects = invalidated
  }
}

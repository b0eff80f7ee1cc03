// SPDX-License-Identifier: MIT
public import SporadesChain
import SporadesModel

/// What happened in a context, as a value that may leave it.
public struct ContextNotification: Sendable, Posted {
  public enum Name: Hashable, Sendable {
    /// The context is about to save. What `willSave` hooks change is told with ``didSave``.
    case willSave
    /// The parent took the save.
    case didSave
    /// Objects were inserted, changed or deleted in the context, or show values that were merged.
    case objectsDidChange
    /// The context took over what others saved; all ids, of objects in memory or not.
    case didMergeChanges
    /// So much was saved, or the store was emptied, that every object may show something else.
    case invalidatedAllObjects
  }

  public let name: Name
  public let contextName: String?
  public let ids: ObjectIDChanges
  /// The save itself, with ``Name/didSave``.
  public let didSave: DidSave?
  /// With ``Name/didSave`` of a pinned context, the state that came after the save: whoever is pinned to
  /// it sees the save, and the same as the context.
  public let queryGenerationToken: QueryGenerationToken?
  /// How many notifications are missing right before this one, because their consumer was too slow.
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

/// What happened in a context, as observers on its queue see it: with the objects themselves.
public struct ContextChange {
  public let notification: ContextNotification
  public let context: ManagedObjectContext
  public var insertedObjects: Set<ManagedObject> = []
  public var updatedObjects: Set<ManagedObject> = []
  public var deletedObjects: Set<ManagedObject> = []
  /// Objects of the context that show what others saved, or what a rollback brought back.
  public var refreshedObjects: Set<ManagedObject> = []
  /// Objects that were made to forget what they showed, and those of a store that was removed.
  public var invalidatedObjects: Set<ManagedObject> = []

  public var name: ContextNotification.Name { notification.name }
  public var ids: ObjectIDChanges { notification.ids }

  init(_ notification: ContextNotification, in context: ManagedObjectContext) {
    self.notification = notification
    self.context = context
  }

  /// A change told by its objects alone.
  init(
    _ name: ContextNotification.Name, in context: ManagedObjectContext,
    inserted: Set<ManagedObject> = [], updated: Set<ManagedObject> = [],
    deleted: Set<ManagedObject> = [], refreshed: Set<ManagedObject> = [],
    invalidated: Set<ManagedObject> = []
  ) {
    func ids(_ objects: Set<ManagedObject>) -> Set<ManagedObjectID> {
      Set(objects.map(\.objectID))
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

// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesStore

/// The ids of objects that were inserted, updated, deleted or refreshed, under Core Data's names.
public struct ObjectIDChanges: Hashable, Sendable {
  public var insertedObjectIDs: Set<ManagedObjectID>
  public var updatedObjectIDs: Set<ManagedObjectID>
  public var deletedObjectIDs: Set<ManagedObjectID>
  /// Objects that show other values without having been changed in their context.
  public var refreshedObjectIDs: Set<ManagedObjectID>
  /// Objects that were made to forget what they showed, and their changes with it, and those of a store
  /// that was removed, which are deleted too.
  public var invalidatedObjectIDs: Set<ManagedObjectID>

  public init(
    inserted: Set<ManagedObjectID> = [], updated: Set<ManagedObjectID> = [],
    deleted: Set<ManagedObjectID> = [], refreshed: Set<ManagedObjectID> = [],
    invalidated: Set<ManagedObjectID> = []
  ) {
    insertedObjectIDs = inserted
    updatedObjectIDs = updated
    deletedObjectIDs = deleted
    refreshedObjectIDs = refreshed
    invalidatedObjectIDs = invalidated
  }

  public var isEmpty: Bool {
    insertedObjectIDs.isEmpty && updatedObjectIDs.isEmpty && deletedObjectIDs.isEmpty
      && refreshedObjectIDs.isEmpty && invalidatedObjectIDs.isEmpty
  }
}

/// One save, as others can take it over: the changes themselves, so that merging reads nothing.
public struct DidSave: Sendable, Posted {
  let changeSet: ChangeSet
  let scope: StoreScope
  /// The save reached the store, and not only a context over it.
  let isInStore: Bool
  /// The name of the context that saved.
  public let contextName: String?
  /// How many saves are missing right before this one, because their consumer was too slow.
  public package(set) var missed = 0

  init(
    _ changeSet: ChangeSet, _ scope: StoreScope, contextName: String?, isInStore: Bool = true
  ) {
    self.isInStore = isInStore
    self.changeSet = changeSet
    self.scope = scope
    self.contextName = contextName
  }

  public var insertedObjectIDs: Set<ManagedObjectID> { ids(changeSet.inserted) }
  public var updatedObjectIDs: Set<ManagedObjectID> { ids(changeSet.updated.map(\.page)) }
  public var deletedObjectIDs: Set<ManagedObjectID> {
    Set(changeSet.deleted.map { ManagedObjectID(key: $0.key, scope: scope) })
  }

  /// All sets of ids as one value.
  public var changes: ObjectIDChanges {
    ObjectIDChanges(
      inserted: insertedObjectIDs, updated: updatedObjectIDs, deleted: deletedObjectIDs)
  }

  private func ids(_ pages: [RowPage]) -> Set<ManagedObjectID> {
    var ids = Set<ManagedObjectID>(minimumCapacity: pages.reduce(0) { $0 + $1.count })
    for page in pages {
      for index in 0..<page.count {
        ids.insert(ManagedObjectID(key: page.key(index), scope: scope))
      }
    }
    return ids
  }
}
